import type { Context } from '../../context/context.ts';
import { toOrganization } from '../../resources/organization.ts';
import { type ProviderAddress, toAddressText } from '../../resources/provider-address.ts';
import { countThings } from '../../text/count.ts';
import { REGISTRY_PROVIDERS } from '../../wire/resources.ts';
import { doJobInEach } from '../bulk.ts';
import { ORGANIZATIONS } from '../organizations.ts';
import { text } from '../param.ts';
import { verb } from '../verb.ts';
import { CREATED_COLUMNS } from './columns.ts';
import { createCreation } from './creation.ts';
import { type Placed, placeAddresses, toWholeText } from './options.ts';

export const create = verb({
  name: 'providers create',
  help: 'Add public or private providers (existing ones are not changed)',
  effect: 'writes',
  args: {
    addresses: text('<address...>', '<registry>/<namespace>/<name>, <namespace>/<name>, or the name of a private one'),
  },
  options: ORGANIZATIONS,
  examples: [
    'orgctl providers create hashicorp/google private/acme/billing',
    'orgctl providers create hashicorp/random --orgs acme,globex',
  ],
  columns: CREATED_COLUMNS,
  async run(context, { addresses }) {
    await createProviders(context, await placeAddresses(context, addresses));
  },
});

async function createProviders(context: Context, placed: readonly Placed[]): Promise<void> {
  const { screen, services } = context;
  const service = await services.current();
  const creation = createCreation(service, screen);
  await doJobInEach(context, {
    items: placed,
    columns: CREATED_COLUMNS,
    things: countThings(placed.length, 'provider', 'providers'),
    name: (one) => toWholeText(one),
    toRow: (one, undone) => ({
      resource: { type: REGISTRY_PROVIDERS, id: null },
      extra: {
        address: toAddressText(one.address),
        organization: toOrganization(one.organization),
        ...(undone.result === 'planned' ? toPlannedProvider(one.address) : {}),
        ...undone,
      },
    }),
    act: ({ organization, address }) => creation.create(organization, address),
  }).finally(creation.noteUnusable);
}

function toPlannedProvider({ registryName, namespace, name }: ProviderAddress) {
  return { 'registry-name': registryName, namespace, name };
}
