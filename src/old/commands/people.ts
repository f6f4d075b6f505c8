import type { Context } from '../context/context.ts';
import { foldEmail } from '../email.ts';
import { UsageError } from '../errors.ts';
import type { FileReader } from '../files/read-text.ts';
import type { Asked } from '../input/confirmations.ts';
import { describeReference, type MemberReference, parseMemberReference } from '../input/member-reference.ts';
import { listDistinct } from '../names.ts';
import type { About } from '../organizations/organizations.ts';
import { type AskedIn, listPeople, toAsked, toKey } from '../people/asked.ts';
import { createDirectories, type Directories } from '../people/directory.ts';
import { findFalseRows, type Sought } from '../people/find-members.ts';
import { type Member, nameMember } from '../people/member.ts';
import { type NamedTeam, toName } from '../people/teams.ts';
import type { PeopleRules } from '../people-files/people-columns.ts';
import type { Problem } from '../people-files/person-rows.ts';
import { readPeopleFile } from '../people-files/read-people-file.ts';
import type { TeamManager } from '../resources/team.ts';
import { type ColumnNames, listFields } from '../stdout/columns.ts';
import { countOrganizations, countPeople, describeOrganizations } from '../text/count.ts';
import { joinNames } from '../text/join.ts';
import { shortenList } from '../text/shorten.ts';
import type { MembershipRow } from '../wire/flat.ts';
import { USERS } from '../wire/resources.ts';
import { filled, type LiveKind, needed, text, valued } from './param.ts';

/** People who are named on the command line, or by a file. */

/** `columns`: those of a file of people that the verb reads. */
export function peopleFile(columns = 'the columns email,teams') {
  return {
    file: text('--file <path>', `A file of people: CSV with ${columns}, one email a line, or JSON; - is stdin`, {
      complete: 'files',
    }),
  };
}

/** Members by any of their names. */
export function member<const Usage extends string>(usage: Usage, summary: string, complete: LiveKind = 'people') {
  return valued(usage, summary, parseMemberReference, { complete, isList: true });
}

/** Many of them, or a file in their place. `complete`: whom a shell offers. */
export function people(complete: LiveKind) {
  return needed(member('[member...]', 'Emails, user names, membership ids or user ids', complete), { or: ['file'] });
}

export const MEMBERS = {
  members: people('people'),
};

/** A team by its name or id. */
export function team<const Usage extends string>(usage: Usage, summary: string) {
  return valued(
    usage,
    summary,
    filled(() => 'Give a team name or a team id (team-…).'),
    { complete: 'teams' },
  );
}

/** Who is named on the command line, or the file that names them. */
export interface NamedPeople {
  readonly file: string | undefined;
  readonly members: readonly MemberReference[];
}

/** Throws UsageError where people are named in both ways. */
export function checkNamed(what: 'email' | 'member', named: readonly unknown[], file: string | undefined): void {
  if (named.length > 0 && file !== undefined) {
    throw new UsageError(`use ${what}s or --file, not both`, {
      hint: 'Put everyone into the file, or name them here.',
    });
  }
}

/** Throws UsageError where people of several organizations are named by what is of one. */
export function refuseOthers(references: readonly MemberReference[], { option, isOne }: About): void {
  const other = references.find(({ kind }) => kind !== 'email');
  if (isOne || other === undefined) return;
  throw new UsageError(`with ${option} people are named by email, not by '${describeReference(other)}'`, {
    hint: 'An email is the same in every organization.',
  });
}

interface AskOptions {
  /** Those of the file that need no note when nothing reads them. */
  readonly columns: ColumnNames;
  readonly keys?: PeopleRules['keys'];
  readonly uses?: PeopleRules['uses'];
  /** Whether people lose something: a row then never acts in more organizations than it says. */
  readonly isNamed?: boolean;
}

/**
 * Who is asked for in each organization: everyone on the command line, of a file those whose row acts there. Throws UsageError before
 * anything is sent when a row of the file cannot be used.
 */
export async function readAsked(
  context: Context,
  { file, members }: NamedPeople,
  { columns, keys, uses = [], isNamed = false }: AskOptions,
): Promise<AskedIn> {
  if (file === undefined) {
    const each = new Map(members.map((reference) => [toKey(reference), { reference }]));
    return () => [...each.values()];
  }
  const { organizations } = context;
  const people = await readPeopleFile(toFileReader(context), file, {
    teams: false,
    known: listFields(columns),
    uses,
    ...(keys === undefined ? {} : { keys }),
    organizations: organizations.names,
    isNamed: isNamed && !organizations.isOne,
    async findMore({ in: rowsIn }, names) {
      const { of } = await openDirectories(context);
      const found: Problem[] = [];
      for (const name of names) found.push(...(await findFalseRows(of(name), rowsIn(name).map(toAsked))));
      return found;
    },
  });
  return (organization) => people.in(organization).map(toAsked);
}

export async function openDirectories({ organizations, screen, services }: Context): Promise<Directories> {
  return createDirectories(await services.current(), organizations, screen.note);
}

/** `2 people in 3 organizations`; of one organization `count` people. `within`: those that are counted, where not all are. */
export async function countAsked(
  { organizations }: Context,
  askedIn: AskedIn,
  count: number,
  within?: readonly string[],
): Promise<string> {
  if (organizations.isOne) return countPeople(count);
  const names = await organizations.names();
  return `${countPeople(listPeople(askedIn, names).length)} in ${countOrganizations((within ?? names).length)}`;
}

export function toFileReader({ screen, places }: Context): FileReader {
  return { host: places.host, signal: places.interrupts.signal, note: screen.note };
}

/** Asks whether these people, by name, may become owners of these organizations. Each may be named again. */
export function toOwnersQuestion(people: readonly string[], organizations: readonly string[]): Asked<'make owners'> {
  const [names, places] = [listDistinct(people, foldEmail), listDistinct(organizations)];
  const [only] = names.length === 1 ? names : [];
  return {
    owners: only === undefined ? `${countPeople(names.length)} owners` : `${only} an owner`,
    place: describeOrganizations(places),
    consequences: [
      ...(only === undefined ? shortenList(names) : []),
      `Owners can do everything in ${joinNames(places)}.`,
    ],
  };
}

type Facts = Pick<Member, 'status' | 'userId' | 'username'> &
  Partial<Pick<Member, 'hasSecondFactor' | 'isServiceAccount'>>;

/** What a row says of a member beside who it is and which teams: as far as it is known. */
export function toFactsOf(member: Facts | undefined): Pick<MembershipRow, 'status' | 'user'> {
  const { status, userId, username, hasSecondFactor, isServiceAccount } = member ?? {};
  const user = {
    id: userId,
    type: USERS,
    ...(username === undefined ? {} : { username }),
    ...(isServiceAccount === undefined ? {} : { 'is-service-account': isServiceAccount }),
    ...(hasSecondFactor === undefined ? {} : { 'two-factor': { enabled: hasSecondFactor } }),
  };
  return { ...(status === undefined ? {} : { status }), ...(userId === undefined ? {} : { user }) };
}

/** As results and errors call who was asked for. */
export function nameSought({ member, reference }: Pick<Sought, 'member' | 'reference'>): string {
  return member === undefined ? describeReference(reference) : nameMember(member);
}

/** The service has the last word: it may refuse a change, take it back, or keep it. */
const MANAGED: Readonly<Record<TeamManager, (team: string, organization: string) => string>> = {
  hcp: (team, organization) => `${team} of ${organization} is managed in HCP: the service may refuse this change`,
  scim: (team, organization) =>
    `the identity provider of ${organization} fills ${team} (SCIM): it may refuse or undo this change`,
  sso: (team, organization) =>
    `single sign-on of ${organization} fills ${team}: each person's next login may undo this change`,
};

/** A team that someone joins or leaves. */
export interface ChangedTeam {
  readonly organization: string;
  readonly team: NamedTeam & { readonly manager?: TeamManager | undefined };
}

export function warnOfManagedTeams(warn: (text: string) => void, changed: readonly ChangedTeam[]): void {
  const texts = changed.flatMap(({ organization, team }) =>
    team.manager === undefined ? [] : [MANAGED[team.manager](toName(team), organization)],
  );
  for (const text of new Set(texts)) warn(text);
}
