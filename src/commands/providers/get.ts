import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { type AddressParts, type ParsedAddress, toAddresses } from '../../service/provider-address.ts';
import { PROVIDER_COLUMNS } from './columns.ts';
import { addAddressOptions, toAddressContext } from './options.ts';

export function registerGet(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('get')
    .alias('show')
    .description('Show one provider')
    .argument('[address]', '<registry>/<namespace>/<name>, <namespace>/<name>, or the name of a private one');
  addDocumentation(addAddressOptions(verb), {
    examples: ['orgctl providers get hashicorp/aws', 'orgctl providers get private/acme/inventory -o json'],
    columns: PROVIDER_COLUMNS,
  }).action(async (text: string | undefined, flags: AddressParts) => {
    const context = open(verb);
    const [only] = toAddresses(text === undefined ? [] : [text], flags, toAddressContext(context));
    if (only !== undefined) await getProvider(context, only);
  });
}

async function getProvider({ identity, screen, services }: Context, { address }: ParsedAddress): Promise<void> {
  const organization = identity.organization();
  const { providers } = await services.current();
  await (await screen.output()).one(PROVIDER_COLUMNS, await providers.get(organization, address));
}
