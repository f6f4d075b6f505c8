import { flatten } from '../../api/flatten.ts';
import { showMember, USER_AND_TEAMS } from '../../api/memberships.ts';
import { defineVerb } from '../../cli/command.ts';
import { completeMembers } from '../../cli/completers.ts';
import { argument, INCLUDE_OPTION } from '../../cli/options.ts';
import { MEMBER_COLUMNS } from '../../members/columns.ts';
import { findMembers, selectMatches } from '../../members/find-members.ts';
import { parseMemberQuery } from '../../members/member-query.ts';

export const verb = defineVerb({
  columns: MEMBER_COLUMNS,
  arguments: [argument('<member>', 'email, user name, ou-… or user-…', { complete: completeMembers })],
  options: [INCLUDE_OPTION],
  examples: ['members show olive.owner@example.com', 'members show olive-owner -o json'],
  async run({ client, output, org }, { include }, text) {
    const query = parseMemberQuery(text);
    // An id needs no organization.
    const find = async () => selectMatches(await findMembers(client, org(), [{ query }]), false);
    const id = query.id ?? (await find())[0]?.member?.id ?? '';
    const { data, included } = await showMember(client, id, { ...USER_AND_TEAMS, asked: include });
    await output.one(MEMBER_COLUMNS, flatten(data, included));
  },
});
