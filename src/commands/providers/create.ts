import { flatten } from '../../api/flatten.ts';
import { createProvider, type ProviderAddress } from '../../api/providers.ts';
import { runBatch } from '../../cli/batch.ts';
import { defineVerb } from '../../cli/command.ts';
import { readEachOrg } from '../../cli/each-org.ts';
import { createOrgRecord } from '../../output/columns.ts';
import { addAddress, formatAddress, parseAddress } from '../../providers/address.ts';
import { readListed } from '../../providers/listed.ts';
import { ADDRESSES_ARGUMENT, createScope, dropDuplicates } from './addresses.ts';
import { RESULT_COLUMNS } from './columns.ts';

interface Creation {
  org: string;
  address: ProviderAddress;
  /** Set if the organization already lists the provider. */
  id: string | undefined;
}

export const verb = defineVerb({
  takesSeveralOrgs: true,
  columns: RESULT_COLUMNS,
  arguments: [ADDRESSES_ARGUMENT],
  examples: [
    'providers create hashicorp/google private/acme/billing',
    'providers create hashicorp/random --org acme,globex',
  ],
  async run(session, _options, texts) {
    const { client } = session;
    const { values, failures } = await readEachOrg(session, async (org) => {
      const scope = createScope(session, org);
      const targets = dropDuplicates(texts.map((text) => ({ address: parseAddress(text, scope) })));
      const findListed = await readListed(client, org);
      return targets.map(({ address }): Creation => ({ org, address, id: findListed(address) }));
    });
    await runBatch<Creation>(session, values.flat(), {
      label: 'Creating',
      columns: RESULT_COLUMNS,
      things: ['provider', 'providers'],
      failures,
      name: ({ address }) => formatAddress(address),
      row: ({ org, address, id = null }) => ({
        id,
        type: 'registry-providers',
        address: formatAddress(address),
        organization: createOrgRecord(org),
      }),
      async act({ org, address, id }) {
        if (id !== undefined) return { result: 'unchanged' };
        const created = await createProvider(client, org, address);
        return created && { ...addAddress(flatten(created)), changed: true, result: 'created' };
      },
      sentence: ({ org, address }, { result }) => {
        const name = formatAddress(address);
        if (result === 'unchanged') return { sign: '=', text: `${name} is already in ${org}` };
        if (result === 'planned') return { sign: 'Would', text: `create ${name} in ${org}` };
        return { sign: '✓', text: `Created ${name} in ${org}` };
      },
    });
  },
});
