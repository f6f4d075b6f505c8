import { ask, runBatch, tell } from '../../cli/batch.ts';
import { defineVerb } from '../../cli/command.ts';
import { MEMBER_ARGUMENTS } from '../../cli/completers.ts';
import { readEachOrg } from '../../cli/each-org.ts';
import { FILE_OPTION, option } from '../../cli/options.ts';
import { createMemberRow, MEMBER_RESULT_COLUMNS } from '../../members/columns.ts';
import { findMembers, type MemberMatch, selectMatches } from '../../members/find-members.ts';
import { describeMember, formatMember, type Member } from '../../members/member.ts';
import { formatQuery } from '../../members/member-query.ts';
import { readIsCaller } from '../../members/owners.ts';
import { assertRemovable, removeSafely } from '../../members/removals.ts';
import { readTargets } from '../../members/targets.ts';

export const verb = defineVerb({
  takesSeveralOrgs: true,
  columns: MEMBER_RESULT_COLUMNS,
  arguments: MEMBER_ARGUMENTS,
  options: [
    FILE_OPTION,
    option('--ignore-missing', 'skip people who are not members'),
    option('--allow-owners', 'with --file: remove owners too (never the last one, never you)'),
  ],
  examples: ['members remove ada.auditor@example.com --dry-run', 'members remove --file leavers.csv --yes'],
  async run(session, { file, ignoreMissing, allowOwners = false }, named) {
    const { client } = session;
    const targets = await readTargets(session, named, file, { needsOrg: true });
    const isCaller = await readIsCaller(client);
    const owners = new Map<string, Member[]>();
    const { values, failures } = await readEachOrg(session, async (org) => {
      const found = await findMembers(client, org, targets(org), session.hasSeveralOrgs);
      const members = found.flatMap(({ member }) => member ?? []);
      const rules = { isList: file !== undefined, allowOwners, isCaller };
      owners.set(org, await assertRemovable(client, org, members, rules));
      return found;
    });
    const items = selectMatches(values.flat(), ignoreMissing === true || failures.length > 0);
    const present = items.filter(({ member }) => member);
    await ask(session, present, describeItem, (what) => `Remove ${what}?`, 'memberships');
    await runBatch<MemberMatch>(session, items, {
      label: 'Removing',
      columns: MEMBER_RESULT_COLUMNS,
      failures,
      name: formatItem,
      row: ({ org, query, member }) => createMemberRow(member ?? query, org),
      async act({ org, member }) {
        if (!member) return { result: 'unchanged' };
        return removeSafely(client, org, member, isCaller(member) ? [] : (owners.get(org) ?? []));
      },
      sentence: (item, { result }) => {
        const same = `${formatItem(item)} is not in ${item.org}`;
        const done = `Removed ${formatItem(item)} from ${item.org}`;
        return tell(result, { same, would: `remove ${describeItem(item)}`, done });
      },
    });
  },
});

function formatItem({ query, member }: MemberMatch): string {
  return member ? formatMember(member) : formatQuery(query);
}

/** `ada@example.com (active; audit) from acme` */
function describeItem({ org, query, member }: MemberMatch): string {
  return `${member ? describeMember(member) : formatQuery(query)} from ${org}`;
}
