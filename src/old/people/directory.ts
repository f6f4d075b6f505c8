import { actOnEach } from '../act-on-each.ts';
import { type ByEmail, foldEmail } from '../email.ts';
import { OrgctlError, orAbsence, ServiceError, UsageError } from '../errors.ts';
import { describeReference, type MemberReference } from '../input/member-reference.ts';
import { isSameName } from '../names.ts';
import { once } from '../once.ts';
import { findInEach, type Organizations } from '../organizations/organizations.ts';
import type { FoundEach } from '../organizations/side-by-side.ts';
import { collect } from '../reading.ts';
import { findOrganization } from '../resources/organization.ts';
import { teamName } from '../resources/team.ts';
import { USUAL_INCLUDE } from '../service/include.ts';
import { EMAILS_AT_ONCE, type FoundMembership, type ReadingIntent } from '../service/memberships.ts';
import type { Page } from '../service/page.ts';
import { LARGEST_PAGE, readAll } from '../service/pages.ts';
import type { Service } from '../service/service.ts';
import { countThings } from '../text/count.ts';
import { askMeant } from '../text/near.ts';
import { type Membership, type Team, USERS } from '../wire/resources.ts';
import { type Asked, listEmails } from './asked.ts';
import { type Member, refuseElsewhere, toMember, toMembers } from './member.ts';
import { findNearPeople, readNear } from './near-members.ts';
import {
  type ChooseTeams,
  chooseAmong,
  findAmong,
  howRead,
  type KnownTeam,
  parseTeam,
  toKnownTeam,
  toNoTeam,
  toUnknownTeams,
} from './teams.ts';

/** Who is in an organization and which teams it has, by any of their names. A whole list is read once, when something needs it. */

/** Everyone whom a reference matches. */
interface Found {
  readonly found: readonly Member[];
  /** Names that are near it, where what was read for it has some. */
  readonly near?: readonly string[];
  /** Why no one is found. */
  readonly absence?: OrgctlError;
}

/** Who is asked for, and who that is. */
export type Looked = Asked & Found;

export type Directory = ReturnType<typeof createDirectory>;

export interface Looking {
  /** Where the only one is not there, who was probably meant is looked for. */
  readonly guesses?: boolean;
  /** What it is for: a refusal is explained as one of that. */
  readonly intent?: 'show' | 'remove';
}

/** Those of the organizations that a command is about. */
export interface Directories {
  readonly service: Service;
  readonly organizations: Organizations;
  of(organization: string): Directory;
}

export function createDirectories(
  service: Service,
  organizations: Organizations,
  note: (text: string) => void,
): Directories {
  const known = new Map<string, Directory>();
  const { isOne } = organizations;
  return {
    service,
    organizations,
    of(organization) {
      // With several organizations it would be a line for each.
      const options = { isOne, note: isOne ? note : () => undefined };
      const directory = known.get(organization) ?? createDirectory(service, organization, options);
      known.set(organization, directory);
      return directory;
    },
  };
}

/** Undefined where the service does not list them. */
export async function listTeams(
  service: Pick<Service, 'teams'>,
  organization: string,
): Promise<readonly Team[] | undefined> {
  const read = await readTeams(service, organization);
  return read instanceof ServiceError ? undefined : read;
}

async function readTeams(
  { teams }: Pick<Service, 'teams'>,
  organization: string,
): Promise<readonly Team[] | ServiceError> {
  return await orAbsence(readAll(teams.list(organization, {})));
}

interface Options {
  /** Whether the command is about no other. */
  readonly isOne: boolean;
  note(text: string): void;
}

function createDirectory(service: Service, organization: string, { isOne, note }: Options) {
  const { memberships, teams } = service;
  const allTeams = once(() => readTeams(service, organization));
  const everyone = once(async () =>
    (await collect(memberships.list(organization, {}, USUAL_INCLUDE, {}), toMembers)).flat(),
  );

  const requireTeams = async (): Promise<readonly Team[]> => {
    const read = await allTeams();
    if (read instanceof ServiceError) throw read;
    return read;
  };

  /**
   * Undefined where none of several organizations is called so; of one throws UsageError that names it. Throws ServiceError
   * where the service doesn't show teams, and UsageError for several that match, or for one of another organization.
   */
  const findTeam = async (asked: string): Promise<KnownTeam | undefined> => {
    const parsed = parseTeam(asked);
    const { id, name } = parsed;
    const known = howRead(asked) === 'no' ? [] : await requireTeams();
    const team = findAmong(known, organization, parsed) ?? (id === undefined ? undefined : await teams.show(id));
    if (team === undefined) {
      if (isOne) throw toUnknownTeams([name ?? asked], known, organization);
      return undefined;
    }
    refuseElsewhere(`${teamName(team)} (${team.id}) is a team`, findOrganization(team), organization);
    return toKnownTeam(team);
  };

  /**
   * The memberships with these addresses, by address, found with the fewer requests: by asking for the addresses or
   * by reading the whole list, which throws `incomplete` when it kept changing.
   */
  const findByEmail = async (
    emails: readonly string[],
    intent: ReadingIntent,
  ): Promise<ByEmail<readonly FoundMembership[]>> => {
    if (emails.length <= FEW) return await memberships.findByEmail(organization, emails, intent);
    const total = await memberships.count(organization, intent);
    // One request for so many addresses, and one more for each that is not in small letters.
    const asking =
      Math.ceil(emails.length / EMAILS_AT_ONCE) + emails.filter((email) => email !== foldEmail(email)).length;
    const reading = total === undefined ? undefined : Math.ceil(total / LARGEST_PAGE);
    const all = reading !== undefined && reading <= asking;
    note(
      all
        ? `Reading all ${total} members of ${organization} (${countRequests(reading)}) instead of asking for ${emails.length} emails (up to ${asking}).`
        : `Asking ${organization} for ${emails.length} emails (up to ${countRequests(asking)})${reading === undefined ? '' : ` instead of reading all ${total} members (${reading})`}.`,
    );
    return await memberships.findByEmail(organization, emails, intent, all ? 'read-all' : 'ask');
  };

  const findOne = async (
    reference: Exclude<MemberReference, { kind: 'email' }>,
    intent: Looking['intent'],
  ): Promise<Found> => {
    switch (reference.kind) {
      case 'membership': {
        const read = await orAbsence(memberships.show(reference.id, USUAL_INCLUDE, intent));
        if (read instanceof ServiceError) return { found: [], absence: read };
        return { found: [toMember({ membership: read.data, included: read.included ?? [] })] };
      }
      case 'name': {
        const search = memberships.list(organization, { search: reference.name }, USUAL_INCLUDE, {});
        const pages = await collect(search, (page) => page);
        const members = refuseHiddenNames(pages, organization).flatMap(toMembers);
        const found = members.filter(({ username }) => isSameName(username, reference.name));
        const near = findNearPeople(reference.name, members);
        return near.length === 0 ? { found } : { found, near };
      }
      case 'user':
        // The service has no filter for user ids.
        return { found: (await everyone()).filter(({ userId }) => userId === reference.id) };
    }
  };

  return {
    organization,
    service,
    /** Undefined where the service does not list them. */
    async listTeams(): Promise<readonly Team[] | undefined> {
      const read = await allTeams();
      return read instanceof ServiceError ? undefined : read;
    },
    findTeam,
    /** The same, and `unlisted` where the service lists no teams: only what comes along with members says then whether there is one. */
    async findListedTeam(asked: string): Promise<KnownTeam | 'unlisted' | undefined> {
      const found = await orAbsence(findTeam(asked));
      if (!(found instanceof ServiceError)) return found;
      if ((await allTeams()) instanceof ServiceError) return 'unlisted';
      throw found;
    },
    /** For some at a time of what is `asked`. Ids need no request. */
    async openTeams(asked: readonly string[]): Promise<ChooseTeams> {
      const known = asked.some((text) => howRead(text) !== 'no') ? await allTeams() : [];
      return known instanceof ServiceError
        ? chooseAmong(undefined, organization, known)
        : chooseAmong(known, organization);
    },
    findByEmail,
    /**
     * Who is asked for, before anything is said of them; addresses are looked up together.
     */
    async look(asked: readonly Asked[], { guesses = true, intent = 'show' }: Looking = {}): Promise<readonly Looked[]> {
      const present = await findByEmail(listEmails(asked), 'list');
      const all: Looked[] = [];
      const looked = actOnEach(asked, async ({ reference }) => {
        const one =
          reference.kind === 'email'
            ? { found: (present.get(reference.email) ?? []).map(toMember) }
            : await findOne(reference, intent);
        if (one.found.length > 0 || one.absence !== undefined) return one;
        const isOnly = guesses && isOne && asked.length === 1;
        const near = one.near ?? (isOnly ? await readNear(memberships, organization, reference) : []);
        return { ...one, absence: toNotFound(reference, organization, near) };
      });
      for await (const { item, outcome } of looked) {
        if (outcome.kind === 'failed') throw outcome.error;
        if (outcome.kind === 'not-attempted') throw outcome.reason;
        all.push({ ...item, ...outcome.value });
      }
      return all;
    },
  };
}

/**
 * What is found of teams of these names in each organization that has them, or why it could not be read, and the names of those
 * without. Throws UsageError where none has them. `find`: undefined where a team is missing.
 */
export async function findInTeams<Found>(
  { organizations, of }: Directories,
  names: readonly string[],
  find: (directory: Directory) => Promise<Found | undefined>,
): Promise<{ readonly there: readonly FoundEach<Found>[]; readonly without: readonly string[] }> {
  const found = await findInEach(organizations, (organization) => find(of(organization)));
  const there = found.filter((one): one is FoundEach<Found> => one.error !== undefined || one.value !== undefined);
  const all = found.map(({ organization }) => organization);
  if (there.length === 0) throw toNoTeam(names, all);
  return { there, without: all.filter((name) => !there.some(({ organization }) => organization === name)) };
}

function toNotFound(reference: MemberReference, organization: string, near: readonly string[]): OrgctlError {
  const meant = askMeant(near);
  return new OrgctlError(
    'not-found',
    `no member or invitation in ${organization} for ${describeReference(reference)}`,
    {
      ...(meant === undefined ? { hint: 'See who is there:', next: LIST } : { hint: meant }),
    },
  );
}

export const LIST = [['orgctl', 'members', 'list']];

/** Where no user comes along, no name can be seen, and everyone would seem to be absent. */
function refuseHiddenNames(pages: readonly Page<Membership>[], organization: string): readonly Page<Membership>[] {
  const hidden = pages.some(({ items, included }) => items.length > 0 && !included.some(({ type }) => type === USERS));
  if (!hidden) return pages;
  throw new UsageError(`this service doesn't show the user names of ${organization}'s members`, {
    hint: 'Name people by email or by membership id (ou-…).',
  });
}

/** Emails that are asked for without a look at how many people there are. */
const FEW = 20;

function countRequests(count: number): string {
  return countThings(count, 'request', 'requests');
}
