import type { Context } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { toOrganization } from '../../resources/organization.ts';
import { type ProviderAddress, toAddressText } from '../../resources/provider-address.ts';
import { countThings } from '../../text/count.ts';
import { shortenList } from '../../text/shorten.ts';
import { REGISTRY_PROVIDERS } from '../../wire/resources.ts';
import { doJobInEach } from '../bulk.ts';
import { ORGANIZATIONS } from '../organizations.ts';
import { text } from '../param.ts';
import { verb } from '../verb.ts';
import { CREATED_COLUMNS } from './columns.ts';
import { createCreation } from './creation.ts';
import { findMistakable } from './mistakable.ts';
import { ADDRESS, ADDRESS_PARTS, type Placed, placeAddresses, toWholeText } from './options.ts';

export const create = verb({
  name: 'providers create',
  help: 'Add public or private providers (existing ones are not changed)',
  effect: 'writes',
  args: {
    addresses: text('[address...]', '<registry>/<namespace>/<name>, <namespace>/<name>, or the name of a private one', {
      need: ADDRESS,
    }),
  },
  options: { ...ORGANIZATIONS, ...ADDRESS_PARTS },
  examples: [
    'orgctl providers create hashicorp/google private/acme/billing',
    'orgctl providers create hashicorp/random --orgs acme,globex',
  ],
  columns: CREATED_COLUMNS,
  async run(context, { addresses, ...parts }) {
    await createProviders(context, await placeAddresses(context, addresses, parts));
  },
});

async function createProviders(context: Context, placed: readonly Placed[]): Promise<void> {
  const { screen, services } = context;
  const service = await services.current();
  await settleBareNames(context, placed);
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

/** Where a name alone may be meant as that of a public provider, someone has to say which. */
async function settleBareNames({ screen, services }: Context, placed: readonly Placed[]): Promise<void> {
  const bare = placed.filter(({ isBare }) => isBare);
  const mistakable = bare.length === 0 ? [] : await findMistakable(await services.current(), bare);
  const [first] = mistakable;
  if (first === undefined) return;
  const isOne = mistakable.length === 1;
  const lines = isOne ? [first.reason] : shortenList(mistakable.map(({ finding }) => `${finding}.`));
  if (screen.canAsk()) {
    const what = isOne ? toAddressText(first.address) : `these ${mistakable.length} private providers`;
    return await screen.confirm('create unclear', { providers: what, consequences: lines });
  }
  const names = new Set(mistakable.map(({ address }) => address.name)).size;
  const several = `${names === 1 ? first.address.name : `${names} names`} can mean public or private providers`;
  throw new UsageError(isOne ? first.finding : several, {
    reasons: lines,
    hint: 'Give the whole address. Nothing was sent.',
  });
}
