import { flatten } from '../../api/flatten.ts';
import { showProvider } from '../../api/providers.ts';
import { defineVerb } from '../../cli/command.ts';
import { addAddress, parseAddress } from '../../providers/address.ts';
import { findReadiness } from '../../providers/readiness.ts';
import { ADDRESS_ARGUMENT, createScope } from './addresses.ts';
import { SHOWN_COLUMNS } from './columns.ts';

export const verb = defineVerb({
  columns: SHOWN_COLUMNS,
  arguments: [ADDRESS_ARGUMENT],
  examples: ['providers get hashicorp/aws', 'providers get private/acme/inventory -o json'],
  async run(session, _options, text) {
    const { client, output } = session;
    const org = session.org();
    const address = parseAddress(text, createScope(session, org));
    const provider = await showProvider(client, org, address);
    const readiness = address.registry === 'private' ? await findReadiness(client, address) : undefined;
    await output.one(SHOWN_COLUMNS, { ...addAddress(flatten(provider)), ...readiness });
  },
});
