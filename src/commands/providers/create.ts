import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import type { AddressParts } from '../../service/provider-address.ts';
import { toAddressText } from '../../service/providers.ts';
import { countThings } from '../../text/count.ts';
import { REGISTRY_PROVIDERS } from '../../wire/resources.ts';
import { doJob } from '../bulk.ts';
import { addOrganizationsOptions, withResultsOfSeveral } from '../organizations.ts';
import { toCreatedColumns } from './columns.ts';
import { createIn } from './creation.ts';
import { addAddressOptions, type Placed, placeAddresses, toMore, toName } from './options.ts';

export function registerCreate(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('create')
    .description('Add public or private providers (existing ones are not changed)')
    .argument('[address...]', '<registry>/<namespace>/<name>, <namespace>/<name>, or the name of a private one');
  addDocumentation(addAddressOptions(addOrganizationsOptions(verb)), {
    examples: [
      'orgctl providers create hashicorp/google private/acme/billing',
      'orgctl providers create hashicorp/random --orgs acme,globex',
    ],
    columns: toCreatedColumns(''),
  }).action(async (texts: readonly string[], flags: AddressParts) => {
    const context = open(verb);
    await createProviders(context, await placeAddresses(context, texts, flags));
  });
}

async function createProviders(context: Context, placed: readonly Placed[]): Promise<void> {
  const { identity, screen, services } = context;
  const { several } = identity;
  const output = await screen.output();
  const columns =
    several === undefined
      ? toCreatedColumns(identity.organization())
      : withResultsOfSeveral(toCreatedColumns(undefined));
  output.checkFields(columns);
  const { providers } = await services.current();
  await doJob(context, {
    items: placed,
    columns,
    things: countThings(placed.length, 'provider', 'providers'),
    name: (one) => toName(one, several),
    organizationOf: several === undefined ? undefined : ({ organization }) => organization,
    toRow: (one, undone) => ({
      resource: { type: REGISTRY_PROVIDERS, id: null },
      extra: { address: toAddressText(one.address), ...toMore(one, several), ...undone },
    }),
    act: ({ organization, address }) => createIn(providers, organization, address),
  });
}
