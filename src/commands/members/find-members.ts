import { OrgctlError, UsageError } from '../../errors.ts';
import { USUAL_INCLUDE } from '../../service/include.ts';
import { type FoundMembership, foldEmail, type Memberships } from '../../service/memberships.ts';
import type { ListReading } from '../../service/pages.ts';
import type { ResourceIdentifier } from '../../wire/json-api.ts';
import { type Membership, USERS } from '../../wire/resources.ts';
import { describeReference, type MemberReference } from './reference.ts';

/** A reference that is looked up in an organization's list. A membership id is read by itself. */
export type ListedReference = Exclude<MemberReference, { kind: 'membership' }>;

/** The membership a reference means, or undefined when there is none. Throws UsageError when it could mean several. */
export async function findMember(
  memberships: Memberships,
  organization: string,
  reference: ListedReference,
): Promise<FoundMembership | undefined> {
  const found = await findAll(memberships, organization, reference);
  if (found.length > 1) {
    throw new UsageError(`${describeReference(reference)} could mean ${found.length} memberships of ${organization}`, {
      reasons: found.map(describeMember),
      hint: 'Name one by its id (ou-…).',
    });
  }
  return found[0];
}

export function describeAbsence(reference: MemberReference, organization: string): string {
  return `${describeReference(reference)} is neither a member of ${organization} nor invited`;
}

export function toNotFound(reference: ListedReference, organization: string): OrgctlError {
  return new OrgctlError('not-found', describeAbsence(reference, organization), {
    reasons: ['the list shows only what this token may see'],
    hint: `Look for the person with: orgctl members list --org ${organization} --search <text>`,
  });
}

/** The name of the organization a membership belongs to, as the service says; undefined when it does not. */
export function organizationOf(membership: Membership): string | undefined {
  return toOne(membership, 'organization')?.id;
}

/** One line about a person: email or name, id, status. */
export function describeMember({ membership, included }: FoundMembership): string {
  const who = membership.attributes?.email ?? usernameOf(membership, included) ?? 'somebody without an email';
  return `${who} (${membership.id}, ${membership.attributes?.status ?? 'status unknown'})`;
}

async function findAll(
  memberships: Memberships,
  organization: string,
  reference: ListedReference,
): Promise<readonly FoundMembership[]> {
  switch (reference.kind) {
    case 'email':
      return (await memberships.findByEmail(organization, [reference.email])).get(foldEmail(reference.email)) ?? [];
    case 'name':
      return await filterMembers(
        refuseHiddenNames(memberships.list(organization, { search: reference.name }, USUAL_INCLUDE, {}), organization),
        (found) => usernameOf(found.membership, found.included)?.toLowerCase() === reference.name.toLowerCase(),
      );
    case 'user':
      // The service has no filter for user ids.
      return await filterMembers(
        memberships.list(organization, {}, USUAL_INCLUDE, {}),
        (found) => toOne(found.membership, 'user')?.id === reference.id,
      );
  }
}

/** Where no user comes along, nobody's name can be seen, and everybody would seem to be absent. */
function refuseHiddenNames(reading: ListReading, organization: string): ListReading {
  return {
    ...reading,
    async collect() {
      const pages = await reading.collect();
      const hidden = pages.some(
        ({ items, included }) => items.length > 0 && !included.some(({ type }) => type === USERS),
      );
      if (!hidden) return pages;
      throw new UsageError(`this service does not tell the user names of ${organization}`, {
        hint: 'Name people by email or by membership id (ou-…).',
      });
    },
  };
}

async function filterMembers(
  reading: ListReading,
  matches: (found: FoundMembership) => boolean,
): Promise<readonly FoundMembership[]> {
  const pages = await reading.collect();
  return pages.flatMap((page) =>
    (page.items as readonly Membership[])
      .map((membership) => ({ membership, included: page.included }))
      .filter(matches),
  );
}

function usernameOf(membership: Membership, included: FoundMembership['included']): string | undefined {
  const user = toOne(membership, 'user');
  const username = included.find((resource) => resource.type === user?.type && resource.id === user.id)?.attributes?.[
    'username'
  ];
  return typeof username === 'string' ? username : undefined;
}

function toOne(membership: Membership, relationship: string): ResourceIdentifier | undefined {
  const data = membership.relationships?.[relationship]?.data;
  return data === null || data === undefined || !('id' in data) ? undefined : data;
}
