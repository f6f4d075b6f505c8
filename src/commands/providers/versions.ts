import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { toRequest } from '../../service/operations.ts';
import { type AddressContext, type AddressParts, toAddresses } from '../../service/provider-address.ts';
import { type ProviderAddress, toAddressText } from '../../service/providers.ts';
import { PUBLIC_VERSION_COLUMNS } from './columns.ts';
import { addAddressOptions, toAddressContext } from './options.ts';

export function registerVersions(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('versions')
    .description('List the versions of a public provider, newest first')
    .argument('[address]', '<namespace>/<name>, or public/<namespace>/<name>');
  addDocumentation(addAddressOptions(verb), {
    examples: [
      'orgctl providers versions hashicorp/aws',
      'orgctl providers versions hashicorp/aws --fields version,platforms -o json',
    ],
    columns: PUBLIC_VERSION_COLUMNS,
  }).action(async (text: string | undefined, flags: AddressParts) => {
    const context = open(verb);
    const [only] = toAddresses(text === undefined ? [] : [text], flags, toPublicContext(context));
    if (only === undefined) return;
    refusePrivate(only.address);
    await listVersions(context, only.address);
  });
}

/** Public providers belong to no organization: without one an address in two parts is public. */
function toPublicContext(context: Context): AddressContext {
  const { identity } = context;
  const isKnown = identity.serviceOrigin() === 'sandbox' || identity.settings.org.value !== undefined;
  return isKnown ? toAddressContext(context) : { organization: '', serviceHost: identity.serviceHost() };
}

function refusePrivate(address: ProviderAddress): void {
  if (address.registryName === 'public') return;
  const { namespace, name } = address;
  const why = 'is a private provider, and the public registry has no versions of it';
  if (namespace === '') {
    throw new UsageError(`${name} ${why}`, {
      hint: 'Give a public one as <namespace>/<name>.',
    });
  }
  const { path } = toRequest({ operation: 'get-provider', parameters: { organization: namespace, ...address } });
  throw new UsageError(`${toAddressText(address)} ${why}`, {
    hint: `${namespace} itself has its versions, if there are any:`,
    next: [['orgctl', 'api', 'GET', `${path}/versions`]],
  });
}

async function listVersions({ screen, services }: Context, { namespace, name }: ProviderAddress): Promise<void> {
  const { listPublicVersions } = await services.current();
  await screen.list(PUBLIC_VERSION_COLUMNS, await listPublicVersions(namespace, name));
}
