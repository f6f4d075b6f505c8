import { ByEmail, foldEmail } from '../email.ts';
import { ServiceError, UsageError } from '../errors.ts';
import { getMember } from '../json-object.ts';
import { collect, stream } from '../reading.ts';
import { findEmail, findUser, includedOf } from '../resources/membership.ts';
import type { Resource, ResourceDocument } from '../wire/json-api.ts';
import { type Membership, ORGANIZATION_MEMBERSHIPS, TEAMS } from '../wire/resources.ts';
import { findCreation, findRemoval } from './ambiguous-write.ts';
import { type Call, type Client, readNothing, readOrNothing, readResource } from './client.ts';
import { type Include, NO_INCLUDE, USUAL_INCLUDE, withInclude } from './include.ts';
import { createResourceList, toCount, warnOfLess } from './lists.ts';
import type { Page, PageOptions } from './page.ts';
import type { ListReading } from './pages.ts';

export type Memberships = ReturnType<typeof createMemberships>;

export type ReadingIntent = 'list' | 'invite';

export interface MembershipFilter {
  readonly search?: string | undefined;
  readonly status?: string | undefined;
  readonly emails?: readonly string[] | undefined;
}

interface Invitation {
  readonly email: string;
  readonly teamIds: readonly string[];
  /** What it does: completes the sentence "Would …". */
  readonly effect: string;
}

export interface MembershipRemoval {
  readonly id: string;
  /** Completes the sentence "can't remove …". */
  readonly person: string;
  readonly organization: string;
  /** What it does: completes the sentence "Would …". */
  readonly effect: string;
}

/** How many people an organization has, by their status. */
export interface MemberCounts {
  readonly active: number;
  readonly invited: number;
  /** Of any other status. */
  readonly inactive: number;
}

export interface FoundMembership {
  readonly membership: Membership;
  readonly included: readonly Resource[];
}

/** Keeps the query well below the shortest limit on an address that proxies are known for. */
export const EMAILS_AT_ONCE = 50;

/** Organization memberships (document: Endpoints, Organization memberships). */
export function createMemberships(client: Client, warn: (text: string) => void) {
  const read = (
    organization: string,
    filter: MembershipFilter,
    include: Include,
    page: PageOptions,
    intent: ReadingIntent,
  ): ListReading<Membership> =>
    createResourceList(
      client,
      {
        operation: intent === 'invite' ? 'find-invitees' : 'list-members',
        parameters: { organization },
        query: [
          ['q', filter.search],
          ['filter[status]', filter.status],
          ['filter[email]', filter.emails?.join(',')],
        ],
      },
      { paginate: true, include, page, warn },
    );
  /** `intent` is what the reading is for: a refusal is explained as one of that. */
  const show = (id: string, include: Include, intent: 'show' | 'remove' = 'show'): Promise<ResourceDocument> =>
    withInclude(
      include,
      async (query) => {
        const call: Call =
          intent === 'remove'
            ? { operation: 'remove-member', parameters: { id, person: `member ${id}` } }
            : { operation: 'show-member', parameters: { id } };
        return readResource(await client.read({ ...call, query }));
      },
      (left) => warnOfLess(include, left, warn),
    );

  /**
   * The memberships with one of these addresses, compared without case, by address. `way` is how they are looked
   * for: by asking for the addresses, or by reading the whole list, which throws `incomplete` when it kept changing.
   * `intent` is what the reading is for: a refusal is explained as one of that.
   */
  const findByEmail = async (
    organization: string,
    emails: readonly string[],
    intent: ReadingIntent = 'list',
    way: 'ask' | 'read-all' = 'ask',
  ): Promise<ByEmail<readonly FoundMembership[]>> => {
    const wanted = new Set(emails.map(foldEmail));
    const found = new ByEmail<readonly FoundMembership[]>();
    const take = (page: Page<Membership>): void => {
      refuseHiddenEmails(page, organization);
      for (const membership of page.items) {
        const email = findEmail(membership, page.included) ?? '';
        if (!wanted.has(foldEmail(email))) continue;
        const others = (found.get(email) ?? []).filter((other) => other.membership.id !== membership.id);
        found.set(email, [...others, { membership, included: includedOf([membership], page.included) }]);
      }
    };
    if (way === 'read-all') {
      // Page by page, since a whole organization need not fit into the memory.
      for await (const page of stream(read(organization, {}, USUAL_INCLUDE, {}, intent))) take(page);
      return found;
    }
    const ask = async (filter: MembershipFilter): Promise<void> =>
      (await collect(read(organization, filter, USUAL_INCLUDE, {}, intent), (page) => page)).forEach(take);
    for (let start = 0; start < emails.length; start += EMAILS_AT_ONCE) {
      const some = emails.slice(start, start + EMAILS_AT_ONCE);
      await ask({ emails: some });
      // Assumed: the search for members does not mind case, though the filter by email may; the service's document says
      // it of neither.
      for (const email of some) {
        if (email !== foldEmail(email) && !found.has(email)) await ask({ search: email });
      }
    }
    return found;
  };

  return {
    list: (
      organization: string,
      filter: MembershipFilter,
      include: Include,
      page: PageOptions,
    ): ListReading<Membership> => read(organization, filter, include, page, 'list'),
    findByEmail,
    /** How many memberships there are, by one request. Undefined where the service gives no total. */
    async count(organization: string, intent: ReadingIntent): Promise<number | undefined> {
      const [page] = await collect(read(organization, {}, NO_INCLUDE, { limit: 1 }, intent), (page) => page);
      return page?.pagination?.totalCount;
    },
    /** By one request where the service counts them itself, else by reading them all. */
    async countByStatus(organization: string): Promise<MemberCounts> {
      const [page] = await collect(read(organization, {}, NO_INCLUDE, { limit: 1 }, 'list'), (page) => page);
      const counts = page === undefined ? undefined : readStatusCounts(page);
      if (counts !== undefined) return counts;
      const all = { active: 0, invited: 0, inactive: 0 };
      for await (const { items } of stream(read(organization, {}, NO_INCLUDE, {}, 'list'))) {
        for (const { attributes } of items) {
          const status = attributes?.status;
          all[status === 'active' || status === 'invited' ? status : 'inactive'] += 1;
        }
      }
      return all;
    },
    /** The caller's own. Sends no page parameters unless asked. */
    listOwn: (include: Include, page: PageOptions): ListReading<Membership> =>
      createResourceList(client, { operation: 'list-own-memberships' }, { paginate: false, include, page, warn }),
    show,
    /** Undefined in a dry run. */
    async invite(organization: string, { email, teamIds, effect }: Invitation): Promise<ResourceDocument | undefined> {
      const teams = { data: teamIds.map((id) => ({ type: TEAMS, id })) };
      const body = { data: { type: ORGANIZATION_MEMBERSHIPS, attributes: { email }, relationships: { teams } } };
      const written = await client.write({
        operation: 'invite-member',
        parameters: { organization, email },
        effect,
        body,
        read: readResource,
        findOutcome: () =>
          findCreation(async (): Promise<ResourceDocument | undefined> => {
            const [found] = (await findByEmail(organization, [email])).get(email) ?? [];
            return found === undefined ? undefined : { data: found.membership, included: found.included };
          }),
      });
      return written?.value;
    },
    /** The caller has read this membership just before. False in a dry run. */
    async remove({ id, person, organization, effect }: MembershipRemoval): Promise<boolean> {
      try {
        const written = await client.write({
          operation: 'remove-member',
          parameters: { id, person },
          organization,
          effect,
          read: readNothing,
          findOutcome: () => findRemoval(() => show(id, NO_INCLUDE)),
        });
        return written !== undefined;
      } catch (error) {
        if (!(error instanceof ServiceError) || error.status !== 403) throw error;
        const { explainMemberRefusal } = await import('./diagnosis/managed.ts');
        throw await explainMemberRefusal(error, {
          person: person.replace(` from ${organization}`, ''),
          organization,
          readMembership: () => readOrNothing(client, { operation: 'show-member', parameters: { id } }),
        });
      }
    },
  };
}

/**
 * What they leave over is inactive. Assumed: a list of members has the numbers of active and invited people in
 * meta.status-counts; the service's document does not show them.
 */
function readStatusCounts({ document, pagination }: Page<Membership>): MemberCounts | undefined {
  const counts = getMember(document, 'meta', 'status-counts');
  const [active, invited] = [toCount(getMember(counts, 'active')), toCount(getMember(counts, 'invited'))];
  const total = toCount(getMember(counts, 'total')) ?? pagination?.totalCount;
  if (active === undefined || invited === undefined || total === undefined || total < active + invited)
    return undefined;
  return { active, invited, inactive: total - active - invited };
}

/** Where no address can be seen, everyone would seem to be absent. A service account has none. */
function refuseHiddenEmails({ items, included }: Page<Membership>, organization: string): void {
  const members = items.filter(
    (membership) => findUser(membership, included)?.attributes?.['is-service-account'] !== true,
  );
  if (members.length === 0 || members.some((member) => findEmail(member, included) !== undefined)) return;
  throw new UsageError(`this service doesn't show the email addresses of ${organization}'s members`, {
    hint: 'Name people by membership ids (ou-…).',
  });
}
