import { OrgctlError, UsageError } from '../../errors.ts';
import { USUAL_INCLUDE } from '../../service/include.ts';
import { type FoundMembership, foldEmail, type Memberships } from '../../service/memberships.ts';
import type { ListReading } from '../../service/pages.ts';
import type { ResourceIdentifier } from '../../wire/json-api.ts';
import type { Membership } from '../../wire/resources.ts';
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

export function toNotFound(reference: ListedReference, organization: string): OrgctlError {
  return new OrgctlError('not-found', `${organization} has no member or invitation ${describeReference(reference)}`, {
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
        memberships.list(organization, { search: reference.name }, USUAL_INCLUDE, {}),
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
