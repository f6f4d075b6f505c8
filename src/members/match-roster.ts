import { UsageError } from '../lib/errors.ts';
import { tryAll } from '../lib/problems.ts';
import { isSameName } from '../lib/text.ts';
import { describeMember, formatMember, type Member } from './member.ts';
import { formatQuery, indexMembers } from './member-query.ts';
import type { PersonRow } from './people-file.ts';
import type { Team, Teams } from './teams.ts';

export type RosterMatch = Pick<ReturnType<typeof matchRows>, 'present' | 'absent'>;

export function matchRows({ org, get }: Teams, rows: PersonRow[], members: Member[]) {
  const find = indexMembers(members);
  const locations = new Map<string, string>();
  /** The teams of members by the id of the membership. Undefined if the roster leaves them as they are. */
  const present = new Map<string, Team[] | undefined>();
  const absent: { email: string; teams: Team[] }[] = [];
  const warnings: string[] = [];
  const { problems } = tryAll(rows, ({ location, query, teams }) => {
    const { email = '', ...others } = query;
    const other = formatQuery(others);
    const { named, likely } = find(query);
    const found = likely.length > 0 ? likely : named;
    const [member, another] = found;
    if (another) {
      const people = found.map((one) => `${describeMember(one)} ${one.id}`);
      throw new UsageError(`several people match: ${people.join(', ')}`);
    }
    if (!member && email === '')
      throw new UsageError(`${org} has no member ${other}, and only an email can be invited`);
    const name = member ? formatMember(member) : email;
    const key = member?.id ?? email.toLowerCase();
    const before = locations.get(key);
    if (before !== undefined) throw new UsageError(`${name} is in ${before} already`);
    locations.set(key, location);
    const wanted = teams && [...new Set(teams.map(get))];
    if (member) {
      present.set(member.id, wanted);
      if (email === '' || isSameName(email, member.email ?? '')) return;
      warnings.push(`${location}: ${other} is ${name} in ${org}, not ${email}`);
    } else {
      if (!wanted?.length) throw new UsageError(`${email} is not a member, and an invitation needs a team`);
      absent.push({ email, teams: wanted });
      if (other) warnings.push(`${location}: ${org} has no member ${other}, so ${email} is invited`);
    }
  });
  return { present, absent, warnings, problems };
}
