import { listOrganizations } from '../../api/organizations.ts';
import { defineVerb } from '../../cli/command.ts';
import { printList } from '../../cli/each-org.ts';
import { LIST_OPTIONS } from '../../cli/options.ts';
import { ORGANIZATION_COLUMNS } from './columns.ts';

export const verb = defineVerb({
  columns: ORGANIZATION_COLUMNS,
  options: LIST_OPTIONS,
  examples: ['organizations list', 'orgs list --fields name,collaborator-auth-policy'],
  async run(session, options) {
    await printList(session, ORGANIZATION_COLUMNS, listOrganizations(session.client).records, options);
  },
});
