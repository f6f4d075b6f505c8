import { actOnEach } from '../act-on-each.ts';
import { foldEmail } from '../email.ts';
import { OrgctlError, ServiceError, UsageError } from '../errors.ts';
import { USUAL_INCLUDE } from '../service/include.ts';
import type { Memberships } from '../service/memberships.ts';
import type { Page } from '../service/page.ts';
import { type Membership, USERS } from '../wire/resources.ts';
import { findPresent, type People } from './find-present.ts';
import { describeMember, type Member, toMember, toMembers } from './member.ts';
import { describeReference, type MemberReference } from './reference.ts';

/** A reference that is looked up in an organization's list. A membership id is read by itself. */
type ListedReference = Exclude<MemberReference, { kind: 'membership' }>;

/** The membership a reference means. Throws `not-found`, and UsageError when it could mean several. */
export async function findMember(
  memberships: Memberships,
  organization: string,
  reference: ListedReference,
): Promise<Member> {
  const found = chooseOnly(reference, organization, await findAll(memberships, organization, reference));
  if (found === undefined) throw toNotFound(reference, organization);
  return found;
}

export interface Sought {
  readonly reference: MemberReference;
  readonly member: Member | OrgctlError;
}

/**
 * The memberships that references mean, in their order; addresses are looked up together. Throws UsageError when one
 * could mean several.
 */
export async function findMembers(
  people: People,
  organization: string,
  references: readonly MemberReference[],
): Promise<readonly Sought[]> {
  const { memberships } = people;
  const emails = references.flatMap((reference) => (reference.kind === 'email' ? [reference.email] : []));
  const present = await findPresent(people, organization, emails, 'list');
  const sought: Sought[] = [];
  const looked = actOnEach(references, async (reference) => {
    if (reference.kind === 'membership') return await readMember(memberships, reference.id);
    const found =
      reference.kind === 'email'
        ? (present.get(foldEmail(reference.email)) ?? []).map(toMember)
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
async function readMember(memberships: Memberships, id: string): Promise<Member | ServiceError> {
  try {
    const { data, included = [] } = await memberships.show(id, USUAL_INCLUDE, 'remove');
    return toMember({ membership: data as Membership, included });
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return error;
    throw error;
  }
}

function chooseOnly(reference: ListedReference, organization: string, found: readonly Member[]): Member | undefined {
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

/** Throws `not-found` when someone is not there, and names all who are not. */
export function refuseAbsent(sought: readonly Sought[], organization: string): void {
  const absent = sought.flatMap(({ reference, member }) =>
    member instanceof OrgctlError ? [{ reference, error: member }] : [],
  );
  const [first] = absent;
  if (first === undefined) return;
  if (absent.length === 1) throw first.error;
  throw new OrgctlError(
    'not-found',
    `${absent.length} of ${sought.length} are neither members of ${organization} nor invited`,
    {
      reasons: absent.map(({ reference }) => describeAbsence(reference, organization)),
      hint: 'Nothing was removed. Check them against the list:',
      next: [['orgctl', 'members', 'list']],
    },
  );
}

function toNotFound(reference: ListedReference, organization: string): OrgctlError {
  return new OrgctlError('not-found', describeAbsence(reference, organization), {
    reasons: ['the list shows only what this token may see'],
    hint: 'Look for the person in the list, which --search makes shorter:',
    next: [['orgctl', 'members', 'list', '--org', organization]],
  });
}

async function findAll(
  memberships: Memberships,
  organization: string,
  reference: ListedReference,
): Promise<readonly Member[]> {
  switch (reference.kind) {
    case 'email': {
      const found = await memberships.findByEmail(organization, [reference.email]);
      return (found.get(foldEmail(reference.email)) ?? []).map(toMember);
    }
    case 'name': {
      const pages = await memberships.list(organization, { search: reference.name }, USUAL_INCLUDE, {}).collect();
      return refuseHiddenNames(pages, organization)
        .flatMap(toMembers)
        .filter(({ username }) => username?.toLowerCase() === reference.name.toLowerCase());
    }
    case 'user': {
      // The service has no filter for user ids.
      const pages = await memberships.list(organization, {}, USUAL_INCLUDE, {}).collect(toMembers);
      return pages.flat().filter(({ userId }) => userId === reference.id);
    }
  }
}

/** Where no user comes along, no name can be seen, and everyone would seem to be absent. */
function refuseHiddenNames(pages: readonly Page[], organization: string): readonly Page[] {
  const hidden = pages.some(({ items, included }) => items.length > 0 && !included.some(({ type }) => type === USERS));
  if (!hidden) return pages;
  throw new UsageError(`this service does not tell the user names of ${organization}`, {
    hint: 'Name people by email or by membership id (ou-…).',
  });
}
