import { ByEmail, foldEmail } from '../email.ts';
import { addToGroup, type Group } from '../groups.ts';
import { foldName } from '../names.ts';
import { findFalseIds, toAsked } from '../people/asked.ts';
import { type Member, nameMember } from '../people/member.ts';
import type { FoundTeam } from '../people/teams.ts';
import { nameRow, type PersonRow, type Problem } from '../people-files/person-rows.ts';

/** Which member each row of a roster names. Pure. */

export interface Wanted extends Omit<PersonRow, 'teams'> {
  /** Undefined where the row leaves them as they are. */
  readonly teams?: readonly FoundTeam[];
}

/** A person to be invited. */
export interface Invitee extends Wanted {
  readonly email: string;
}

export interface Matched {
  /** The rows of those who are there, by the id of the membership. */
  readonly rows: ReadonlyMap<string, Wanted>;
  readonly absent: readonly Invitee[];
  /** Of people whom a row names by user name or id, beside an address that is no longer theirs. */
  readonly moved: readonly { readonly wanted: Wanted; readonly member: Member }[];
  /** Rows that name no one who is there and can't be invited, several people, or a person whom another row names. */
  readonly problems: readonly Problem[];
}

/** One pass over each list. `place` is what a row is called: `line` or `entry`. */
export function matchPeople(
  wanted: readonly Wanted[],
  members: readonly Member[],
  { organization, place }: { readonly organization: string; readonly place: string },
): Matched {
  const find = indexByKey(members);
  const rows = new Map<string, Wanted>();
  const absent = new ByEmail<Invitee>();
  const moved: { readonly wanted: Wanted; readonly member: Member }[] = [];
  const problems: Problem[] = [];

  for (const row of wanted) {
    const refuse = (text: string): void => void problems.push({ line: row.line, text });
    const found = find(row);
    const [member, other] = found;
    if (other !== undefined) {
      refuse(`${found.length} people of ${organization} match: ${found.map(distinguish).join(', ')}`);
      continue;
    }
    if (member === undefined) {
      const { email } = row;
      if (email === undefined)
        refuse(`${organization} has no member ${nameRow(row)}, and only an email can be invited`);
      else if (absent.has(email)) refuse(`${email} is in ${place} ${absent.get(email)?.line} already`);
      else absent.set(email, { ...row, email });
      continue;
    }
    if (row.claims !== undefined) problems.push(...findFalseIds(toAsked(row), found, organization));
    const before = rows.get(member.id);
    if (before !== undefined) {
      refuse(`${nameRow(row)} is ${nameMember(member)}, who is in ${place} ${before.line} already`);
      continue;
    }
    rows.set(member.id, row);
    const hasMoved = row.email !== undefined && member.email !== undefined && !isSame(row.email, member.email);
    if (hasMoved) moved.push({ wanted: row, member });
  }
  return { rows, absent: [...absent.values()], moved, problems };
}

/** Every member whom one of the keys of a row names. */
function indexByKey(members: readonly Member[]): (row: Wanted) => readonly Member[] {
  const known = new Map<string, Group<Member>>();
  const put = (kind: string, text: string | undefined, member: Member): void => {
    if (text !== undefined) addToGroup(known, `${kind} ${text}`, member);
  };
  for (const member of members) {
    put('id', member.id, member);
    put('id', member.userId, member);
    put('user', foldName(member.username), member);
    put('email', foldEmail(member.email), member);
  }
  return ({ id, user, email }) => {
    const keys = [
      ...(id === undefined ? [] : [`id ${id}`]),
      ...(user === undefined ? [] : [`user ${foldName(user)}`]),
      ...(email === undefined ? [] : [`email ${foldEmail(email)}`]),
    ];
    const found = new Map<string, Member>();
    for (const key of keys) {
      const some = known.get(key) ?? [];
      // One address may be that of several accounts: another key then says which is meant.
      if (some.some((member) => found.has(member.id))) continue;
      for (const member of some) found.set(member.id, member);
    }
    return [...found.values()];
  };
}

function isSame(one: string, other: string): boolean {
  return foldEmail(one) === foldEmail(other);
}

/** `ada@example.com (ou-…)` */
function distinguish(member: Member): string {
  return nameMember(member) === member.id ? member.id : `${nameMember(member)} (${member.id})`;
}
