import type { Context } from '../../context/context.ts';
import type { Readiness } from '../../publish/readiness.ts';
import { type ProviderAddress, toAddresses } from '../../resources/provider-address.ts';
import type { Service } from '../../service/service.ts';
import { text } from '../param.ts';
import { verb } from '../verb.ts';
import { ONE_PROVIDER_COLUMNS, READINESS_FIELDS } from './columns.ts';
import { ADDRESS_PARTS, toAddressContext } from './options.ts';

export const get = verb({
  name: 'providers get',
  aliases: ['show'],
  help: 'Show one provider',
  effect: 'reads',
  args: {
    address: text('[address]', '<registry>/<namespace>/<name>, <namespace>/<name>, or the name of a private one', {
      complete: 'providers',
    }),
  },
  options: ADDRESS_PARTS,
  examples: ['orgctl providers get hashicorp/aws', 'orgctl providers get private/acme/inventory -o json'],
  columns: ONE_PROVIDER_COLUMNS,
  async run(context, { address, ...parts }) {
    const [only] = toAddresses(address === undefined ? [] : [address], parts, toAddressContext(context));
    if (only !== undefined) await getProvider(context, only.address);
  },
});

async function getProvider({ identity, screen, services }: Context, address: ProviderAddress): Promise<void> {
  const organization = identity.organization();
  const service = await services.current();
  const output = await screen.output();
  const document = await service.providers.get(organization, address);
  const { fields } = screen.requested;
  const { forPeople, forPrograms, document: whose } = output.format;
  const isShown =
    fields === undefined ? forPeople || forPrograms : READINESS_FIELDS.some((field) => fields.includes(field));
  const isAsked = isShown && whose !== 'service';
  const readiness = isAsked && address.registryName === 'private' ? await readReadiness(service, address) : undefined;
  await output.one(ONE_PROVIDER_COLUMNS, document, { ...readiness });
}

async function readReadiness(service: Service, address: ProviderAddress): Promise<Readiness | undefined> {
  const { findReadiness } = await import('../../publish/read-versions.ts');
  return await findReadiness(await service.openPrivateRegistry(), address);
}
