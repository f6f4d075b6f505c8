import { flattenPages } from '../../api/flatten.ts';
import { listOwnMemberships } from '../../api/memberships.ts';
import { readPages } from '../../api/pagination.ts';
import { defineVerb } from '../../cli/command.ts';
import { createReadOptions } from '../../cli/each-org.ts';
import { INCLUDE_OPTION, PAGE_OPTIONS } from '../../cli/options.ts';
import { OWN_COLUMNS } from './columns.ts';

export const verb = defineVerb({
  columns: OWN_COLUMNS,
  options: [INCLUDE_OPTION, ...PAGE_OPTIONS],
  examples: ['members mine', 'members mine --fields organization.id'],
  async run(session, options) {
    const read = createReadOptions(session, options);
    const include = { own: ['user', 'teams'], asked: options.include };
    const pages = readPages(listOwnMemberships(session.client, include, read));
    await session.output.list(OWN_COLUMNS, flattenPages(pages));
  },
});
