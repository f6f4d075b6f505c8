import type { Context } from '../../context/context.ts';
import { OrgctlError, ServiceError, UsageError } from '../../errors.ts';
import type { DescribedVersion } from '../../publish/read-versions.ts';
import {
  type AddressContext,
  type ProviderAddress,
  toAddresses,
  toAddressText,
} from '../../resources/provider-address.ts';
import type { Service } from '../../service/service.ts';
import { text } from '../param.ts';
import { verb } from '../verb.ts';
import { PRIVATE_VERSION_COLUMNS, type PrivateVersionRow, PUBLIC_VERSION_COLUMNS } from './columns.ts';
import { toAddressContext } from './options.ts';

export const versions = verb({
  name: 'providers versions',
  help: 'List the versions of a provider, newest first',
  effect: 'reads',
  args: {
    address: text('<address>', '<namespace>/<name> of a public provider, or the name of a private one', {
      complete: 'providers',
    }),
  },
  examples: [
    'orgctl providers versions hashicorp/aws',
    'orgctl providers versions hashicorp/aws --fields version,platforms -o json',
    'orgctl providers versions private/acme/inventory -o json',
  ],
  columns: PRIVATE_VERSION_COLUMNS,
  async run(context, { address }) {
    const [only] = toAddresses([address], toPublicContext(context));
    if (only === undefined) return;
    refuseWithoutOrganization(only.address);
    await (only.address.registryName === 'public' ? listPublic : listPrivate)(context, only.address);
  },
});

/** Public providers belong to no organization: without one an address in two parts is public. */
function toPublicContext(context: Context): AddressContext {
  const { identity } = context;
  const isKnown = identity.serviceOrigin() === 'sandbox' || identity.settings.org.value !== undefined;
  return isKnown ? toAddressContext(context) : { organization: '', serviceHost: identity.serviceHost() };
}

function refuseWithoutOrganization({ registryName, namespace, name }: ProviderAddress): void {
  if (registryName === 'public' || namespace !== '') return;
  throw new UsageError(`${name} is a private provider, and no organization is named`, {
    hint: 'Add --org <name>, or give a public one as <namespace>/<name>.',
  });
}

async function listPublic({ screen, services }: Context, { namespace, name }: ProviderAddress): Promise<void> {
  const { listPublicVersions } = await services.current();
  await screen.list(PUBLIC_VERSION_COLUMNS, await listPublicVersions(namespace, name));
}

async function listPrivate({ screen, services }: Context, address: ProviderAddress): Promise<void> {
  const service = await services.current();
  const registry = await service.openPrivateRegistry();
  const { describeVersions } = await import('../../publish/read-versions.ts');
  const described = await orExplain(describeVersions(registry, address), service, address);
  await screen.list(PRIVATE_VERSION_COLUMNS, described.map(toRecord));
}

/** A 404 says neither whether there is such a provider, nor whether the service has versions at all. */
async function orExplain<T>(reading: Promise<T>, { providers }: Service, address: ProviderAddress): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 404) throw error;
    await providers.get(address.namespace, address);
    throw new OrgctlError('not-found', `this service doesn't show the versions of ${toAddressText(address)}`, {
      reasons: ['The provider is there, and the service answers 404 when asked for its versions.'],
      hint: 'Look for them in the web interface of the service.',
      cause: error,
    });
  }
}

function toRecord({ version, platforms, readiness }: DescribedVersion): PrivateVersionRow {
  const { attributes = {} } = version.document.data;
  return {
    id: version.id,
    version: version.version,
    protocols: version.protocols,
    platforms: platforms.map(({ os, arch }) => ({ os, arch })),
    'key-id': version.keyId,
    'created-at': attributes['created-at'],
    ...readiness,
  };
}
