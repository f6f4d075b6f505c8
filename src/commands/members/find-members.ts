import type { Context } from '../../context.ts';
import { foldEmail } from '../../email.ts';
import { OrgctlError, ServiceError, UsageError } from '../../errors.ts';
import { toText } from '../../json-object.ts';
import { USUAL_INCLUDE } from '../../service/include.ts';
import type { FoundMembership, Memberships } from '../../service/memberships.ts';
import type { Page } from '../../service/pages.ts';
import type { ResourceIdentifier } from '../../wire/json-api.ts';
import { type Membership, USERS } from '../../wire/resources.ts';
import { actOnEach } from '../many.ts';
import { findPresent } from './find-present.ts';
import { describeReference, type MemberReference } from './reference.ts';

/** A reference that is looked up in an organization's list. A membership id is read by itself. */
export type ListedReference = Exclude<MemberReference, { kind: 'membership' }>;

/** The membership a reference means, or undefined when there is none. Throws UsageError when it could mean several. */
export async function findMember(
  memberships: Memberships,
  organization: string,
  reference: ListedReference,
): Promise<FoundMembership | undefined> {
  return chooseOnly(reference, organization, await findAll(memberships, organization, reference));
}

/** A reference and the membership it means, or why there is none. */
export interface Sought {
  readonly reference: MemberReference;
  readonly member: FoundMembership | OrgctlError;
}

/**
 * The memberships that references mean, in their order; addresses are looked up together. Throws UsageError when one
 * could mean several.
 */
export async function findMembers(
  context: Context,
  organization: string,
  references: readonly MemberReference[],
): Promise<readonly Sought[]> {
  const { memberships } = await context.service();
  const emails = references.flatMap((reference) => (reference.kind === 'email' ? [reference.email] : []));
  const present =
    emails.length === 0
      ? new Map<string, readonly FoundMembership[]>()
      : await findPresent(context, organization, emails, 'list');
  const sought: Sought[] = [];
  const looked = actOnEach(references, async (reference) => {
    if (reference.kind === 'membership') return await readMember(memberships, reference.id);
    const found =
      reference.kind === 'email'
        ? (present.get(foldEmail(reference.email)) ?? [])
        : await findAll(memberships, organization, reference);
    return chooseOnly(reference, organization, found) ?? toNotFound(reference, organization);
  });
  for await (const { item: reference, outcome } of looked) {
    if (outcome.kind === 'failed') throw outcome.error;
    if (outcome.kind === 'not-attempted') throw outcome.reason;
    sought.push({ reference, member: outcome.value });
  }
  return sought;
}

/** The refusal where there is none, as far as this token may see. */
async function readMember(memberships: Memberships, id: string): Promise<FoundMembership | ServiceError> {
  try {
    const document = await memberships.show(id, USUAL_INCLUDE, 'remove');
    return { membership: document.data as Membership, included: document.included ?? [] };
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return error;
    throw error;
  }
}

function chooseOnly(
  reference: ListedReference,
  organization: string,
  found: readonly FoundMembership[],
): FoundMembership | undefined {
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
    hint: 'Look for the person in the list, which --search makes shorter:',
    next: [['orgctl', 'members', 'list', '--org', organization]],
  });
}

/** The name of the organization a membership belongs to, as the service says; undefined when it does not. */
export function organizationOf(membership: Membership): string | undefined {
  return toOne(membership, 'organization')?.id;
}

/** The ids of the teams somebody is in; undefined where the service does not say. */
export function teamIdsOf(membership: Membership): readonly string[] | undefined {
  const data = membership.relationships?.['teams']?.data;
  return Array.isArray(data) ? data.map(({ id }: ResourceIdentifier) => id) : undefined;
}

/** One line about a person: email or name, id, status. */
export function describeMember({ membership, included }: FoundMembership): string {
  const { email, status } = membership.attributes ?? {};
  const who = toText(email) ?? usernameOf(membership, included) ?? 'somebody without an email';
  return `${who} (${membership.id}, ${toText(status) ?? 'status unknown'})`;
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
      return filterMembers(
        refuseHiddenNames(
          await memberships.list(organization, { search: reference.name }, USUAL_INCLUDE, {}).collect(),
          organization,
        ),
        (found) => usernameOf(found.membership, found.included)?.toLowerCase() === reference.name.toLowerCase(),
      );
    case 'user':
      // The service has no filter for user ids.
      return filterMembers(
        await memberships.list(organization, {}, USUAL_INCLUDE, {}).collect(),
        (found) => toOne(found.membership, 'user')?.id === reference.id,
      );
  }
}

/** Where no user comes along, nobody's name can be seen, and everybody would seem to be absent. */
function refuseHiddenNames(pages: readonly Page[], organization: string): readonly Page[] {
  const hidden = pages.some(({ items, included }) => items.length > 0 && !included.some(({ type }) => type === USERS));
  if (!hidden) return pages;
  throw new UsageError(`this service does not tell the user names of ${organization}`, {
    hint: 'Name people by email or by membership id (ou-…).',
  });
}

function filterMembers(
  pages: readonly Page[],
  matches: (found: FoundMembership) => boolean,
): readonly FoundMembership[] {
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
