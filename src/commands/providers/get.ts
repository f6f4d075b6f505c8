import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { addExamples } from '../options.ts';
import { type AddressFlags, addAddressOptions, type ParsedAddress, toAddresses, toAddressSetting } from './address.ts';
import { PROVIDER_COLUMNS } from './columns.ts';

export function registerGet(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('get')
    .alias('show')
    .description('show one provider')
    .argument('[address]', 'registry/namespace/name, namespace/name, or the name of a private one');
  addExamples(addAddressOptions(verb), [
    { command: 'orgctl providers get hashicorp/aws --org acme', shows: 'a public provider that acme curates' },
    { command: 'orgctl providers get private/acme/inventory --org acme -o json', shows: 'a private one, spelled out' },
  ]).action(async function (this: Command, text: string | undefined, flags: AddressFlags) {
    const context = open(this);
    const [only] = toAddresses(text === undefined ? [] : [text], flags, toAddressSetting(context));
    if (only !== undefined) await getProvider(context, only);
  });
}

async function getProvider(
  { identity, screen, services }: Pick<Context, 'identity' | 'screen' | 'services'>,
  { address }: ParsedAddress,
): Promise<void> {
  const organization = identity.organization();
  const { providers } = await services.current();
  await (await screen.output()).one(PROVIDER_COLUMNS, await providers.get(organization, address));
}
