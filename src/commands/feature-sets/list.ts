import { listFeatureSets } from '../../api/feature-sets.ts';
import { defineVerb } from '../../cli/command.ts';
import { printList } from '../../cli/each-org.ts';
import { LIST_OPTIONS, option } from '../../cli/options.ts';
import { FEATURE_SET_COLUMNS } from './columns.ts';

export const verb = defineVerb({
  columns: FEATURE_SET_COLUMNS,
  options: [option('--eligible', 'those that the organization may choose; also with --org'), ...LIST_OPTIONS],
  examples: ['feature-sets list', 'feature-sets list --eligible -o json'],
  async run(session, options) {
    const { client, org } = session;
    const name = options.eligible || options.org !== undefined ? org() : undefined;
    await printList(session, FEATURE_SET_COLUMNS, listFeatureSets(client, name).records, options);
  },
});
