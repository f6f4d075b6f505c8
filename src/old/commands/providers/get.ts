import type { Context } from '../../context/context.ts';
import type { Readiness } from '../../publish/readiness.ts';
import type { ProviderAddress } from '../../resources/provider-address.ts';
import { toReading } from '../../service/pages.ts';
import type { Service } from '../../service/service.ts';
import type { Format } from '../../stdout/formats/index.ts';
import { listEach, ORGANIZATIONS } from '../organizations.ts';
import { text } from '../param.ts';
import { verb } from '../verb.ts';
import { ONE_PROVIDER_COLUMNS, READINESS_FIELDS } from './columns.ts';
import { type Placed, placeAddresses } from './options.ts';

export const get = verb({
  name: 'providers get',
  aliases: ['show'],
  help: 'Show one provider',
  effect: 'reads',
  args: {
    address: text('<address>', '<registry>/<namespace>/<name>, <namespace>/<name>, or the name of a private one', {
      complete: 'providers',
    }),
  },
  options: ORGANIZATIONS,
  examples: ['orgctl providers get hashicorp/aws', 'orgctl providers get private/acme/inventory -o json'],
  columns: ONE_PROVIDER_COLUMNS,
  printsOne: true,
  async run(context, { address }) {
    const placed = await placeAddresses(context, [address]);
    if (!context.organizations.isOne) return await listProviders(context, placed);
    const [only] = placed;
    if (only !== undefined) await getProvider(context, only);
  },
});

async function getProvider({ screen, services }: Context, { organization, address }: Placed): Promise<void> {
  const service = await services.current();
  const output = await screen.output();
  const document = await service.providers.get(organization, address);
  const isAsked = isReadinessAsked(screen, output.format) && address.registryName === 'private';
  const readiness = isAsked ? await readReadiness(service, address) : undefined;
  await output.one(ONE_PROVIDER_COLUMNS, document, { ...readiness });
}

/** A row for each organization that has it. */
async function listProviders(context: Context, placed: readonly Placed[]): Promise<void> {
  const addresses = new Map(placed.map(({ organization, address }) => [organization, address]));
  const isAsked = isReadinessAsked(context.screen, (await context.screen.output()).format);
  await listEach(context, ONE_PROVIDER_COLUMNS, (service, organization) =>
    toReading(async () => {
      const address = addresses.get(organization);
      if (address === undefined) return [];
      const { data } = await service.providers.get(organization, address);
      if (!isAsked || address.registryName !== 'private') return [data];
      return [{ ...data, attributes: { ...data.attributes, ...(await readReadiness(service, address)) } }];
    }),
  );
}

function isReadinessAsked({ requested: { fields } }: Context['screen'], { forPeople, forPrograms }: Format) {
  return fields === undefined ? forPeople || forPrograms : READINESS_FIELDS.some((field) => fields.includes(field));
}

async function readReadiness(service: Service, address: ProviderAddress): Promise<Readiness | undefined> {
  const { findReadiness } = await import('../../publish/read-versions.ts');
  return await findReadiness(await service.openPrivateRegistry(), address);
}
