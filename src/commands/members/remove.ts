import { runBatch } from '../../cli/batch.ts';
import type { Verb } from '../../cli/command.ts';
import { createOrg, readEachOrg } from '../../cli/each-org.ts';
import { option } from '../../cli/options.ts';
import { FILE_OPTION, MEMBER_ARGUMENTS, readTargets } from '../../cli/people.ts';
import { joinNames, plural } from '../../lib/text.ts';
import { createMemberRow, RESULT_COLUMNS } from '../../members/columns.ts';
import { createNotFound, findMembers } from '../../members/find-members.ts';
import { describeMember, formatMember, type Member } from '../../members/member.ts';
import { formatQuery, type MemberQuery } from '../../members/member-query.ts';
import { readOwnIds } from '../../members/owners.ts';
import { assertRemovable, removeAsShown } from '../../members/removals.ts';

interface Options {
  file?: string;
  ignoreMissing?: boolean;
  allowOwners?: boolean;
}

interface Removal {
  org: string;
  query: MemberQuery;
  member: Member | undefined;
}

export const remove: Verb<Options, [members: string[]]> = {
  summary: 'Remove people from an organization, or cancel invitations',
  aliases: ['rm'],
  takesSeveralOrgs: true,
  columns: RESULT_COLUMNS,
  arguments: MEMBER_ARGUMENTS,
  options: [
    FILE_OPTION,
    option('--ignore-missing', 'people who are not there are no error'),
    option('--allow-owners', 'with --file: remove owners too (never the last one, never you)'),
  ],
  examples: ['members remove ada.auditor@example.com --dry-run', 'members remove --file leavers.csv --yes'],
  async run(session, { file, ignoreMissing, allowOwners = false }, named) {
    const { client, confirm } = session;
    const targets = await readTargets(session, named, file, { namesOrg: true });
    const ownIds = await readOwnIds(client);
    const { values, failures } = await readEachOrg(session, async (org) => {
      const queries = targets(org).map(({ query }) => query);
      const members = await findMembers(client, org, queries);
      const found = members.filter((member) => member !== undefined);
      await assertRemovable(client, org, found, { isList: file !== undefined, allowOwners, ownIds });
      return queries.map((query, at): Removal => ({ org, query, member: members[at] }));
    });
    const items = selectItems(values.flat(), session.hasSeveralOrgs, ignoreMissing === true);
    const present = items.flatMap(({ org, member }) => (member ? [{ org, member }] : []));
    if (present.length > 0) await confirm(createQuestion(present));
    await runBatch<Removal>(session, items, {
      label: 'Removing',
      columns: RESULT_COLUMNS,
      failures,
      name: formatItem,
      row: ({ org, query, member }) => ({
        ...(member
          ? { ...createMemberRow(member, org), teams: member.teams?.map((team) => ({ ...team, type: 'teams' })) }
          : { id: null, type: 'organization-memberships', email: query.email, organization: createOrg(org) }),
      }),
      async act({ org, member }) {
        const result = member ? await removeAsShown(client, org, member) : 'absent';
        return result && { result: result === 'absent' ? 'unchanged' : result };
      },
      sentence: (item, { result }) => {
        if (result === 'removed') return `✓ Removed ${formatItem(item)} from ${item.org}`;
        if (result === 'unchanged') return `= ${formatItem(item)} is not in ${item.org}`;
        return `Would remove ${item.member && describeMember(item.member)} from ${item.org}`;
      },
    });
  },
};

function formatItem({ query, member }: Removal): string {
  return member ? formatMember(member) : formatQuery(query);
}

/** Each membership once. Throws `not-found` if somebody is in none of the organizations. */
function selectItems(items: Removal[], hasSeveralOrgs: boolean, ignoresMissing: boolean): Removal[] {
  const present = new Set(items.filter(({ member }) => member).map(({ query }) => formatQuery(query)));
  const missing = items.filter(({ query }) => !present.has(formatQuery(query)));
  const [first] = missing;
  if (first && !ignoresMissing) {
    const orgs = joinNames([...new Set(missing.map(({ org }) => org))]);
    throw createNotFound(orgs, [...new Map(missing.map(({ query }) => [formatQuery(query), query])).values()]);
  }
  const seen = new Set<string>();
  return items.filter(({ query, member }) => {
    // With several organizations nobody has to be in all of them.
    if (!member) return !hasSeveralOrgs || !present.has(formatQuery(query));
    if (seen.has(member.id)) return false;
    seen.add(member.id);
    return true;
  });
}

function createQuestion(items: { org: string; member: Member }[]): string {
  const [first] = items;
  const orgs = joinNames([...new Set(items.map(({ org }) => org))]);
  if (first && items.length === 1) return `Remove ${describeMember(first.member)} from ${orgs}?`;
  const names = items.slice(0, 10).map(({ member }) => describeMember(member));
  const more = items.length > 10 ? ` and ${items.length - 10} more` : '';
  return `Remove ${plural(items.length, 'person', 'people')} from ${orgs}: ${names.join(', ')}${more}?`;
}
