import { UsageError } from '../errors.ts';
import type { Resource, ResourceDocument } from '../wire/json-api.ts';
import { type InvitationRequest, type Membership, ORGANIZATION_MEMBERSHIPS, TEAMS } from '../wire/resources.ts';
import { type Client, readNothing, readResource } from './client.ts';
import { type Include, NO_INCLUDE, USUAL_INCLUDE, withInclude } from './include.ts';
import { createResourceList } from './lists.ts';
import type { ListReading, Page, PageOptions } from './pages.ts';
import { path } from './query.ts';
import { settleRemoval } from './settle.ts';

/** Organization memberships (document: Endpoints, Organization memberships). */
export interface Memberships {
  list(organization: string, filter: MembershipFilter, include: Include, page: PageOptions): ListReading;
  /** The caller's own. Sends no page parameters unless asked. */
  mine(include: Include, page: PageOptions): ListReading;
  /** `intent` is what the reading is for: a refusal is explained as one of that. */
  show(id: string, include: Include, intent?: 'show' | 'remove'): Promise<ResourceDocument>;
  /**
   * The memberships with one of these addresses, compared without case, by folded address.
   * `intent` is what the reading is for: a refusal is explained as one of that.
   */
  findByEmail(
    organization: string,
    emails: readonly string[],
    intent?: 'list' | 'invite',
  ): Promise<ReadonlyMap<string, readonly FoundMembership[]>>;
  /** Undefined in a dry run. */
  invite(organization: string, invitation: Invitation): Promise<ResourceDocument | undefined>;
  /** The caller has read this membership just before. False in a dry run. */
  remove(id: string, person: string): Promise<boolean>;
}

export interface MembershipFilter {
  /** Search text over user names and emails. */
  readonly search?: string;
  readonly status?: string;
  readonly emails?: readonly string[];
}

interface Invitation {
  readonly email: string;
  readonly teamIds: readonly string[];
}

export interface FoundMembership {
  readonly membership: Membership;
  readonly included: readonly Resource[];
}

// Keeps the query well below the shortest limit on an address that proxies are known for.
const EMAILS_AT_ONCE = 50;

export function createMemberships(client: Client, warn: (text: string) => void): Memberships {
  const read = (
    organization: string,
    filter: MembershipFilter,
    include: Include,
    page: PageOptions,
    intent: 'list' | 'invite',
  ): ListReading =>
    createResourceList(
      client,
      {
        ...(intent === 'invite'
          ? { operation: 'find-invitees', what: `invite anybody to ${organization}` }
          : { operation: 'list-members', what: `list the members of ${organization}` }),
        path: path`/organizations/${organization}/organization-memberships`,
        query: [
          ['q', filter.search],
          ['filter[status]', filter.status],
          ['filter[email]', filter.emails?.join(',')],
        ],
      },
      { paginate: true, include, page, warn },
    );
  const list: Memberships['list'] = (organization, filter, include, page) =>
    read(organization, filter, include, page, 'list');

  const show: Memberships['show'] = (id, include, intent = 'show') =>
    withInclude(include, async (query) => {
      const what = `${intent} membership ${id}`;
      const answer = await client.read({
        operation: `${intent}-member`,
        what,
        path: path`/organization-memberships/${id}`,
        query,
      });
      return readResource(answer, what);
    });

  const findByEmail: Memberships['findByEmail'] = async (organization, emails, intent = 'list') => {
    const wanted = new Set(emails.map(foldEmail));
    const found = new Map<string, readonly FoundMembership[]>();
    const take = (pages: readonly Page[]): void => {
      for (const page of pages) {
        refuseHiddenEmails(page, organization);
        for (const membership of page.items as readonly Membership[]) {
          const email = foldEmail(emailOf(membership, page.included) ?? '');
          const others = (found.get(email) ?? []).filter((other) => other.membership.id !== membership.id);
          if (wanted.has(email)) found.set(email, [...others, { membership, included: page.included }]);
        }
      }
    };
    for (let start = 0; start < emails.length; start += EMAILS_AT_ONCE) {
      const some = emails.slice(start, start + EMAILS_AT_ONCE);
      take(await read(organization, { emails: some }, USUAL_INCLUDE, {}, intent).collect());
      // Whether the filter minds case is not documented; the search does not.
      for (const email of some) {
        if (email === foldEmail(email) || found.has(foldEmail(email))) continue;
        take(await read(organization, { search: email }, USUAL_INCLUDE, {}, intent).collect());
      }
    }
    return found;
  };

  return {
    list,
    findByEmail,
    mine: (include, page) =>
      createResourceList(
        client,
        { operation: 'list-own-memberships', what: 'list your own memberships', path: path`/organization-memberships` },
        { paginate: false, include, page, warn },
      ),
    show,
    async invite(organization, invitation) {
      const what = `invite ${invitation.email} to ${organization}`;
      const body: InvitationRequest = {
        data: {
          type: ORGANIZATION_MEMBERSHIPS,
          attributes: { email: invitation.email },
          relationships: { teams: { data: invitation.teamIds.map((id) => ({ type: TEAMS, id })) } },
        },
      };
      const written = await client.write({
        operation: 'invite-member',
        what,
        path: path`/organizations/${organization}/organization-memberships`,
        body,
        read: (answer) => readResource(answer, what),
        async settle() {
          const [found] = (await findByEmail(organization, [invitation.email])).get(foldEmail(invitation.email)) ?? [];
          if (found === undefined) return { happened: false };
          const document: ResourceDocument = { data: found.membership, included: found.included };
          return { happened: true, value: document };
        },
      });
      return written?.value;
    },
    async remove(id, person) {
      const what = `remove ${person}`;
      const written = await client.write({
        operation: 'remove-member',
        what,
        path: path`/organization-memberships/${id}`,
        read: (answer) => readNothing(answer, what),
        settle: () => settleRemoval(() => show(id, NO_INCLUDE)),
      });
      return written !== undefined;
    },
  };
}

/** Emails are compared without case. */
export function foldEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** Where nobody has an address to see, everybody would seem to be absent. */
function refuseHiddenEmails(page: Page, organization: string): void {
  const members = page.items as readonly Membership[];
  if (members.length === 0 || members.some((member) => emailOf(member, page.included) !== undefined)) return;
  throw new UsageError(`this service does not tell the email addresses of ${organization}`, {
    hint: 'Name people by membership ids (ou-…).',
  });
}

function emailOf(membership: Membership, included: readonly Resource[]): string | undefined {
  const email = membership.attributes?.email ?? emailOfUser(membership, included);
  return typeof email === 'string' && email !== '' ? email : undefined;
}

function emailOfUser(membership: Membership, included: readonly Resource[]): unknown {
  const user = membership.relationships?.['user']?.data;
  if (user === null || user === undefined || !('id' in user)) return undefined;
  return included.find((resource) => resource.type === user.type && resource.id === user.id)?.attributes?.['email'];
}
