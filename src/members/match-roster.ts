import { isSameName } from '../lib/text.ts';
import { describeMember, formatMember, type Member } from './member.ts';
import { formatQuery, indexMembers } from './member-query.ts';
import type { PersonRow } from './people-file.ts';

export interface RosterMatch {
  /** The rows of members, by the id of the membership. */
  rows: Map<string, PersonRow>;
  /** The rows of people who are not in the organization. */
  absent: PersonRow[];
  problems: string[];
  warnings: string[];
}

export function matchRows(org: string, rows: PersonRow[], members: Member[]): RosterMatch {
  const find = indexMembers(members);
  const match: RosterMatch = { rows: new Map(), absent: [], problems: [], warnings: [] };
  const absent = new Map<string, PersonRow>();
  for (const row of rows) {
    const { location, query } = row;
    const { named, likely } = find(query);
    const found = likely.length > 0 ? likely : named;
    const [member, other] = found;
    if (other) {
      match.problems.push(
        `${location}: several people match: ${found.map((one) => `${describeMember(one)} ${one.id}`).join(', ')}`,
      );
    } else if (member) {
      const before = match.rows.get(member.id);
      if (before) match.problems.push(`${location}: ${formatMember(member)} is in ${before.location} already`);
      match.rows.set(member.id, row);
      if (query.email !== undefined && !isSameName(query.email, member.email ?? '')) {
        match.warnings.push(
          `${location}: ${formatQuery({ ...query, email: undefined })} is ${formatMember(member)} in ${org}, not ${query.email}`,
        );
      }
    } else if (query.email === undefined) {
      match.problems.push(`${location}: ${org} has no member ${formatQuery(query)}, and only an email can be invited`);
    } else {
      const key = query.email.toLowerCase();
      const before = absent.get(key);
      if (before) match.problems.push(`${location}: ${query.email} is in ${before.location} already`);
      absent.set(key, row);
      const other = formatQuery({ ...query, email: undefined });
      if (other) match.warnings.push(`${location}: ${org} has no member ${other}, so ${query.email} is invited`);
    }
  }
  match.absent = [...absent.values()];
  return match;
}
