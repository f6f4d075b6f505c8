import { foldEmail } from '../email.ts';
import { describeReference, type MemberReference } from '../input/member-reference.ts';
import { collect } from '../reading.ts';
import { USUAL_INCLUDE } from '../service/include.ts';
import type { Memberships } from '../service/memberships.ts';
import { findNear } from '../text/near.ts';
import { type Member, toMembers } from './member.ts';

/** Who was probably meant by a name that no one has. */

/** Looked for by what stands before the @, and by the longest parts of that: people forget the rest, or mistype one. */
export async function readNear(
  memberships: Memberships,
  organization: string,
  reference: MemberReference,
): Promise<readonly string[]> {
  if (reference.kind !== 'email' && reference.kind !== 'name') return [];
  const text = describeReference(reference);
  const [before = ''] = text.split('@');
  const parts = before.split(/[._+-]/).sort((one, other) => other.length - one.length);
  for (const search of [...new Set([before, ...parts])].slice(0, MOST_SEARCHES)) {
    // Who has a user name was looked for by it already.
    if (search.length < SHORTEST_SEARCH || (reference.kind === 'name' && search === text)) continue;
    const reading = memberships.list(organization, { search }, USUAL_INCLUDE, { page: 1 });
    // Without a guess the answer is the same.
    const pages = await collect(reading, toMembers).catch(() => []);
    const near = findNearPeople(text, pages.flat());
    if (near.length > 0) return near;
  }
  return [];
}

const SHORTEST_SEARCH = 3;
const MOST_SEARCHES = 3;

/** Who is called so but for the host or the marks between words, else whose email or user name is like it. */
export function findNearPeople(text: string, members: readonly Member[]): readonly string[] {
  const shown = members.flatMap(({ username, email }) => (text.includes('@') ? email : (username ?? email)) ?? []);
  const same = members.flatMap(({ username, email }) =>
    [username, email].some((name) => name !== undefined && toLetters(name) === toLetters(text))
      ? (email ?? username ?? [])
      : [],
  );
  return same.length > 0 ? same.slice(0, MOST_SAME) : findNear(text, shown);
}

const MOST_SAME = 3;

function toLetters(name: string): string {
  const [local = ''] = foldEmail(name).split('@', 1);
  return local.replace(/[._+-]/g, '');
}
