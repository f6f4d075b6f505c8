import { flatten } from '../../api/flatten.ts';
import { createProvider } from '../../api/providers.ts';
import { runBatch, tell } from '../../cli/batch.ts';
import { defineVerb } from '../../cli/command.ts';
import { readEachOrg } from '../../cli/each-org.ts';
import { addAddress, formatTarget, parseAddress, readListed } from '../../providers/address.ts';
import { ADDRESSES_ARGUMENT, createScope, dropDuplicates, type NamedTarget, PROVIDER_BATCH } from './addresses.ts';
import { RESULT_COLUMNS } from './columns.ts';

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
      const targets = dropDuplicates(texts.map((text) => parseAddress(text, scope)));
      const findListed = await readListed(client, org);
      return targets.map((target): NamedTarget => ({ org, target, id: findListed(target) }));
    });
    await runBatch<NamedTarget>(session, values.flat(), {
      label: 'Creating',
      ...PROVIDER_BATCH,
      failures,
      async act({ org, target, id }) {
        if (id !== undefined) return { result: 'unchanged' };
        const created = await createProvider(client, org, target);
        return created && { ...addAddress(flatten(created)), changed: true, result: 'created' };
      },
      sentence: ({ org, target }, { result }) => {
        const what = `${formatTarget(target)} in ${org}`;
        const same = `${formatTarget(target)} is already in ${org}`;
        return tell(result, { same, would: `create ${what}`, done: `Created ${what}` });
      },
    });
  },
});
