import type { ReadOptions } from '../../api/pagination.ts';
import { listProviders } from '../../api/providers.ts';
import { defineVerb } from '../../cli/command.ts';
import { completeOrgs } from '../../cli/completers.ts';
import { listEachOrg } from '../../cli/each-org.ts';
import { LIST_OPTIONS, option } from '../../cli/options.ts';
import { assertVisible } from '../../lib/input-text.ts';
import { addAddress } from '../../providers/address.ts';
import { PROVIDER_COLUMNS } from './columns.ts';

export const verb = defineVerb({
  takesSeveralOrgs: true,
  columns: PROVIDER_COLUMNS,
  options: [
    option('-s, --search <text>', 'part of a name or a namespace'),
    option('--registry <registry>', 'public or private', { choices: ['public', 'private'] }),
    option('--owner <organization>', 'providers of this organization', { complete: completeOrgs }),
    ...LIST_OPTIONS,
  ],
  examples: ['providers list', 'providers list --registry private -o json', 'providers list --all-orgs'],
  async run(session, { search, registry, owner, ...options }) {
    const { client } = session;
    if (owner !== undefined) assertVisible(owner, '--owner');
    async function* read(org: string, pages: ReadOptions) {
      const list = listProviders(client, org, { search, registry, owner });
      for await (const records of list.records(pages)) yield records.map(addAddress);
    }
    await listEachOrg(session, PROVIDER_COLUMNS, read, options);
  },
});
