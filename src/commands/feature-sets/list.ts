import { listFeatureSets } from '../../api/feature-sets.ts';
import { flattenPages } from '../../api/flatten.ts';
import { readPages } from '../../api/pagination.ts';
import { defineVerb } from '../../cli/command.ts';
import { createReadOptions } from '../../cli/each-org.ts';
import { option, PAGE_OPTIONS } from '../../cli/options.ts';
import { FEATURE_SET_COLUMNS } from './columns.ts';

export const verb = defineVerb({
  columns: FEATURE_SET_COLUMNS,
  options: [option('--eligible', 'those that the organization may choose; also with --org'), ...PAGE_OPTIONS],
  examples: ['feature-sets list', 'feature-sets list --eligible -o json'],
  async run(session, options) {
    const { client, output, org } = session;
    const name = options.eligible || options.org !== undefined ? org() : undefined;
    const pages = readPages(listFeatureSets(client, name, createReadOptions(session, options)));
    await output.list(FEATURE_SET_COLUMNS, flattenPages(pages));
  },
});
