import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import type { Readiness } from '../../publish/readiness.ts';
import type { ProviderAddress } from '../../service/provider-address.ts';
import { type AddressParts, type ParsedAddress, toAddresses } from '../../service/provider-address.ts';
import type { Service } from '../../service/service.ts';
import { ONE_PROVIDER_COLUMNS, READINESS_FIELDS } from './columns.ts';
import { addAddressOptions, toAddressContext } from './options.ts';

export function registerGet(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('get')
    .alias('show')
    .description('Show one provider')
    .argument('[address]', '<registry>/<namespace>/<name>, <namespace>/<name>, or the name of a private one');
  addDocumentation(addAddressOptions(verb), {
    examples: ['orgctl providers get hashicorp/aws', 'orgctl providers get private/acme/inventory -o json'],
    columns: ONE_PROVIDER_COLUMNS,
  }).action(async (text: string | undefined, flags: AddressParts) => {
    const context = open(verb);
    const [only] = toAddresses(text === undefined ? [] : [text], flags, toAddressContext(context));
    if (only !== undefined) await getProvider(context, only);
  });
}

async function getProvider({ identity, screen, services }: Context, { address }: ParsedAddress): Promise<void> {
  const organization = identity.organization();
  const service = await services.current();
  const output = await screen.output();
  const document = await service.providers.get(organization, address);
  const { fields } = screen.requested;
  const { forPeople, forPrograms, document: whose } = output.format;
  const isShown = fields?.some((field) => READINESS_FIELDS.includes(field)) ?? (forPeople || forPrograms);
  const isAsked = isShown && whose !== 'service';
  const readiness = isAsked && address.registryName === 'private' ? await readReadiness(service, address) : undefined;
  await output.one(ONE_PROVIDER_COLUMNS, document, { ...readiness });
}

async function readReadiness(service: Service, address: ProviderAddress): Promise<Readiness | undefined> {
  const { findReadiness } = await import('../../publish/read-versions.ts');
  return await findReadiness(await service.openPrivateRegistry(), address);
}
