import { UsageError } from '../lib/errors.ts';
import { isSameName } from '../lib/text.ts';
import { describeMember, formatMember, type Member } from './member.ts';
import { formatQuery, indexMembers } from './member-query.ts';
import type { PersonRow } from './people-file.ts';
import { type Problem, tryAll } from './problems.ts';

export interface RosterMatch {
  /** The rows of members, by the id of the membership. */
  rows: Map<string, PersonRow>;
  /** The rows of people who are not in the organization. */
  absent: PersonRow[];
  problems: Problem[];
  warnings: string[];
}

export function matchRows(org: string, rows: PersonRow[], members: Member[]): RosterMatch {
  const find = indexMembers(members);
  const present = new Map<string, PersonRow>();
  const absent = new Map<string, PersonRow>();
  const warnings: string[] = [];
  const { problems } = tryAll(rows, (row) => {
    const { location, query, teams = [] } = row;
    const { email = '', ...others } = query;
    const other = formatQuery(others);
    const { named, likely } = find(query);
    const found = likely.length > 0 ? likely : named;
    const [member, another] = found;
    if (another) {
      throw new UsageError(
        `several people match: ${found.map((one) => `${describeMember(one)} ${one.id}`).join(', ')}`,
      );
    }
    if (!member && email === '')
      throw new UsageError(`${org} has no member ${other}, and only an email can be invited`);
    const [seen, key, name] = member
      ? [present, member.id, formatMember(member)]
      : [absent, email.toLowerCase(), email];
    const before = seen.get(key);
    if (before) throw new UsageError(`${name} is in ${before.location} already`);
    seen.set(key, row);
    if (!member && teams.length === 0) throw new UsageError(`${email} is not a member, and an invitation needs a team`);
    if (!member && other) warnings.push(`${location}: ${org} has no member ${other}, so ${email} is invited`);
    if (member && email !== '' && !isSameName(email, member.email ?? '')) {
      warnings.push(`${location}: ${other} is ${name} in ${org}, not ${email}`);
    }
  });
  return { rows: present, absent: [...absent.values()], problems, warnings };
}
