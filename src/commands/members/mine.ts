import { listOwnMemberships, USER_AND_TEAMS } from '../../api/memberships.ts';
import { defineVerb } from '../../cli/command.ts';
import { printList } from '../../cli/each-org.ts';
import { INCLUDE_OPTION, LIST_OPTIONS } from '../../cli/options.ts';
import { OWN_COLUMNS } from '../../members/columns.ts';

export const verb = defineVerb({
  columns: OWN_COLUMNS,
  options: [INCLUDE_OPTION, ...LIST_OPTIONS],
  examples: ['members mine', 'members mine --fields organization.id'],
  async run(session, options) {
    const include = { ...USER_AND_TEAMS, asked: options.include };
    await printList(session, OWN_COLUMNS, listOwnMemberships(session.client, include).records, options);
  },
});
