import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { type AddressParts, type ParsedAddress, toAddresses } from '../../service/provider-address.ts';
import { type ProviderAddress, toAddressText } from '../../service/providers.ts';
import { countThings } from '../../text/count.ts';
import { REGISTRY_PROVIDERS } from '../../wire/resources.ts';
import { doJob } from '../bulk.ts';
import { toDeletedColumns } from './columns.ts';
import { addAddressOptions, toAddressContext } from './options.ts';

export function registerDelete(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('delete')
    .alias('rm')
    .description('Delete providers (of a public one, only its entry)')
    .argument('[address...]', '<registry>/<namespace>/<name>; at a terminal also the shorter forms');
  addDocumentation(addAddressOptions(verb), {
    examples: [
      'orgctl providers delete public/hashicorp/aws --dry-run',
      'orgctl providers delete public/hashicorp/aws --yes',
    ],
    columns: toDeletedColumns(''),
  }).action(async (texts: readonly string[], flags: AddressParts) => {
    const context = open(verb);
    const addresses = toAddresses(texts, flags, toAddressContext(context));
    if (!context.screen.canAsk()) refuseGuesses(addresses);
    await deleteProviders(context, addresses);
  });
}

/** Where no one sees how a short address was read, it is not guessed. */
function refuseGuesses(addresses: readonly ParsedAddress[]): void {
  const guessed = addresses.find(({ whole }) => !whole);
  if (guessed === undefined) return;
  throw new UsageError('a provider to delete needs all three parts where no one is asked', {
    hint: `Did you mean ${toAddressText(guessed.address)}?`,
  });
}

async function deleteProviders(context: Context, parsed: readonly ParsedAddress[]): Promise<void> {
  const addresses = parsed.map(({ address }) => address);
  const [first] = addresses;
  if (first === undefined) return;
  const { identity, screen, services } = context;
  const organization = identity.organization();
  const output = await screen.output();
  const columns = toDeletedColumns(organization);
  output.checkFields(columns);
  const { providers } = await services.current();
  const ids = new Map<ProviderAddress, string>();
  for (const address of addresses) ids.set(address, (await providers.get(organization, address, 'delete')).data.id);
  await screen.confirm({
    question: `Delete ${addresses.length === 1 ? toAddressText(first) : `these ${addresses.length} providers`} from ${organization}?`,
    consequences:
      addresses.length === 1
        ? [describeLoss(first, organization)]
        : addresses.map((address) => `${toAddressText(address)}. ${describeLoss(address, organization)}`),
  });
  await doJob(context, {
    items: addresses,
    columns,
    things: countThings(addresses.length, 'provider', 'providers'),
    name: toAddressText,
    async act(address) {
      if (!(await providers.delete(organization, address))) return undefined;
      const extra = { address: toAddressText(address), changed: true, result: 'deleted' };
      return { resource: { type: REGISTRY_PROVIDERS, id: ids.get(address) ?? '' }, extra };
    },
    toRow: (address, undone) => ({
      resource: { type: REGISTRY_PROVIDERS, id: ids.get(address) ?? null },
      extra: { address: toAddressText(address), ...undone },
    }),
  });
}

function describeLoss(address: ProviderAddress, organization: string): string {
  return address.registryName === 'private'
    ? 'Its versions are deleted with it.'
    : `Only ${organization}'s entry goes; the public registry keeps the provider.`;
}
