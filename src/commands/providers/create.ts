import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { type AddressParts, type ParsedAddress, toAddresses } from '../../service/provider-address.ts';
import { toAddressText } from '../../service/providers.ts';
import { countThings } from '../../text/count.ts';
import { REGISTRY_PROVIDERS } from '../../wire/resources.ts';
import { doJob } from '../bulk.ts';
import { toCreatedColumns } from './columns.ts';
import { createIn } from './creation.ts';
import { addAddressOptions, toAddressContext } from './options.ts';

export function registerCreate(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('create')
    .description('Add public or private providers (existing ones are not changed)')
    .argument('[address...]', '<registry>/<namespace>/<name>, <namespace>/<name>, or the name of a private one');
  addDocumentation(addAddressOptions(verb), {
    examples: ['orgctl providers create hashicorp/google private/acme/billing'],
    columns: toCreatedColumns(''),
  }).action(async (texts: readonly string[], flags: AddressParts) => {
    const context = open(verb);
    await createProviders(context, toAddresses(texts, flags, toAddressContext(context)));
  });
}

async function createProviders(context: Context, addresses: readonly ParsedAddress[]): Promise<void> {
  const { identity, screen, services } = context;
  const organization = identity.organization();
  const output = await screen.output();
  const columns = toCreatedColumns(organization);
  output.checkFields(columns);
  const { providers } = await services.current();
  await doJob(context, {
    items: addresses,
    columns,
    things: countThings(addresses.length, 'provider', 'providers'),
    name: ({ address }) => toAddressText(address),
    toRow: ({ address }, undone) => ({
      resource: { type: REGISTRY_PROVIDERS, id: null },
      extra: { address: toAddressText(address), ...undone },
    }),
    act: ({ address }) => createIn(providers, organization, address),
  });
}
