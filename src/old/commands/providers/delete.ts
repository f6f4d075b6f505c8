import type { Context } from '../../context/context.ts';
import { OrgctlError, orUndefined, UsageError } from '../../errors.ts';
import { groupBy } from '../../groups.ts';
import type { Asked } from '../../input/confirmations.ts';
import { type About, findInEach, type Organizations } from '../../organizations/organizations.ts';
import { toOrganization } from '../../resources/organization.ts';
import type { ParsedAddress } from '../../resources/provider-address.ts';
import type { Service } from '../../service/service.ts';
import { countOrganizations, countThings, describeThese } from '../../text/count.ts';
import { joinNames } from '../../text/join.ts';
import { shortenAsked } from '../../text/shorten.ts';
import { REGISTRY_PROVIDER_PLATFORMS, REGISTRY_PROVIDER_VERSIONS, REGISTRY_PROVIDERS } from '../../wire/resources.ts';
import { doJobInEach, type JobResult } from '../bulk.ts';
import { ORGANIZATIONS } from '../organizations.ts';
import { text } from '../param.ts';
import type { ResultOf } from '../row-error.ts';
import { verb } from '../verb.ts';
import { DELETED_COLUMNS, type ProviderResultRow } from './columns.ts';
import { type Placed, placeAddresses, toWholeText } from './options.ts';

export const deletion = verb({
  name: 'providers delete',
  aliases: ['rm'],
  help: 'Delete providers, or versions of private ones; of a public provider only the entry goes',
  effect: 'writes',
  args: {
    addresses: text(
      '<address...>',
      '<registry>/<namespace>/<name>[@<version>[/<os>_<arch>]]; at a terminal shorter forms work too',
      { complete: 'providers' },
    ),
  },
  options: ORGANIZATIONS,
  examples: [
    'orgctl providers delete public/hashicorp/aws --dry-run',
    'orgctl providers delete public/hashicorp/aws --yes',
    'orgctl providers delete private/acme/billing@1.2.0 --dry-run',
  ],
  columns: DELETED_COLUMNS,
  async run(context, { addresses }) {
    refuseVersions(addresses);
    const placed = await placeAddresses(context, addresses, { takesParts: true });
    if (!context.screen.canAsk()) refuseGuesses(placed);
    await deleteProviders(context, placed);
  },
});

/** Throws UsageError for one that stands apart from its provider. */
function refuseVersions(addresses: readonly string[]): void {
  const at = addresses.findIndex((address) => !address.includes('/') && /^v?\d+\.\d+\.\d+/.test(address));
  if (at < 0) return;
  const [version = '', provider = '<address>'] = [addresses[at], addresses[at - 1]];
  throw new UsageError(`${version} is a version, and not an address`, {
    hint: `Did you mean ${provider}@${version.replace(/^v/, '')}?`,
  });
}

/** Where no one sees how a short address was read, it is not guessed. */
function refuseGuesses(addresses: readonly ParsedAddress[]): void {
  const guessed = addresses.find(({ whole }) => !whole);
  if (guessed === undefined) return;
  throw new UsageError('a provider to delete needs all three parts where no one is asked', {
    hint: `Did you mean ${toWholeText(guessed)}?`,
  });
}

async function deleteProviders(context: Context, placed: readonly Placed[]): Promise<void> {
  const { organizations, screen, services } = context;
  const service = await services.current();
  const things = await openThings(service, placed);
  const looked = await lookFor(organizations, things, placed);
  const present = looked.filter(({ id }) => id !== undefined);
  if (present.length > 0) await screen.confirm('delete providers', toQuestion(present, organizations));
  await doJobInEach(context, {
    items: looked,
    columns: DELETED_COLUMNS,
    things: countThings(placed.length, 'provider', toThings(placed)),
    name: (one) => toWholeText(one),
    known: (one) =>
      (one.id ?? one.refusal) === undefined ? toRow(one, { changed: false, result: 'absent' }) : undefined,
    async act(one) {
      if (!(await things.delete(one))) return undefined;
      return toRow(one, { changed: true, result: 'deleted' });
    },
    toRow: (one, undone) => toRow(one, undone),
  });
}

/** Without an id there is none, or `refusal` says why it could not be read. */
interface Looked extends Placed {
  readonly id?: string;
  readonly refusal?: OrgctlError;
}

/** Providers, versions and platforms alike: read as one that is to be deleted, and deleted. */
interface Things {
  /** Its id. Throws where it can't be read. */
  get(one: Placed): Promise<string>;
  /** Undefined on 404. */
  find(one: Placed): Promise<string | undefined>;
  /** False in a dry run. */
  delete(one: Placed): Promise<boolean>;
}

async function openThings(service: Service, placed: readonly Placed[]): Promise<Things> {
  const { providers } = service;
  const registry = placed.some(({ part }) => part !== undefined) ? await service.openPrivateRegistry() : undefined;
  const get = async ({ organization, address, part }: Placed): Promise<string> => {
    if (part === undefined || registry === undefined) {
      return (await providers.get(organization, address, 'delete')).data.id;
    }
    const { version, platform } = part;
    const { versions } = registry;
    return platform === undefined
      ? (await versions.get({ ...address, version }, 'delete')).id
      : (await versions.getPlatform({ ...address, version, ...platform }, 'delete')).id;
  };
  return {
    get,
    find: (one) => orUndefined(get(one)),
    async delete({ organization, address, part }) {
      if (part === undefined || registry === undefined) return await providers.delete(organization, address);
      const { version, platform } = part;
      const { versions } = registry;
      return platform === undefined
        ? await versions.delete({ ...address, version })
        : await versions.deletePlatform({ ...address, version, ...platform });
    },
  };
}

/** Of one organization, throws where one can't be read: nothing is deleted then. Of several that is said in rows. */
async function lookFor(
  organizations: Organizations,
  things: Things,
  placed: readonly Placed[],
): Promise<readonly Looked[]> {
  const ofEach = (wanted: string): readonly Placed[] => placed.filter(({ organization }) => organization === wanted);
  const find = organizations.isOne ? things.get : things.find;
  const found = await findInEach(organizations, async (organization) => {
    const looked: Looked[] = [];
    for (const one of ofEach(organization)) {
      const id = await find(one);
      looked.push(id === undefined ? one : { ...one, id });
    }
    return looked;
  });
  const looked = found.flatMap(({ organization, value, error: refusal }) =>
    refusal === undefined ? value : ofEach(organization).map((one) => ({ ...one, refusal })),
  );
  if (!organizations.isOne) refuseNowhere(looked);
  return looked;
}

function toRow(one: Looked, result: ResultOf<ProviderResultRow>): JobResult<ProviderResultRow> {
  return {
    resource: { type: toType(one), id: one.id ?? null },
    extra: { address: toWholeText(one), organization: toOrganization(one.organization), ...result },
  };
}

function toType({ part }: Placed): string {
  if (part === undefined) return REGISTRY_PROVIDERS;
  return part.platform === undefined ? REGISTRY_PROVIDER_VERSIONS : REGISTRY_PROVIDER_PLATFORMS;
}

function toQuestion(present: readonly Looked[], { isOne }: About): Asked<'delete providers'> {
  const texts = [...new Set(present.map(toWholeText))];
  const what = texts.length === 1 ? `${texts[0]}` : `these ${texts.length} ${toThings(present)}`;
  const where = describeThese(present.map(({ organization }) => organization));
  const lines = texts.map((text) => {
    const some = present.filter((one) => toWholeText(one) === text);
    const [first] = some;
    const names = some.map(({ organization }) => organization);
    const loss = first === undefined ? '' : describeLoss(first, names.length);
    if (!isOne) return `${text} is in ${joinNames(names)}. ${loss}`;
    return texts.length === 1 ? loss : `${text}. ${loss}`;
  });
  return {
    providers: what,
    place: where,
    consequences: isOne ? lines : shortenAsked(lines),
  };
}

function toThings(placed: readonly Placed[]): string {
  return placed.every(({ part }) => part === undefined) ? 'providers' : 'things';
}

function describeLoss({ address, organization, part }: Placed, places: number): string {
  if (part?.platform !== undefined) return 'Terraform can no longer install it on that platform.';
  if (part !== undefined) return 'Its platforms are deleted with it, and Terraform can no longer install it.';
  if (address.registryName === 'private') return 'Its versions are deleted with it.';
  return places === 1
    ? `Only ${organization}'s entry goes; the public registry keeps the provider.`
    : 'Only their entries go; the public registry keeps the provider.';
}

/** Throws `not-found` for what none of them has, which may be misspelt: then nothing is deleted of the rest. */
function refuseNowhere(looked: readonly Looked[]): void {
  const groups = [...groupBy(looked, toSharedText)];
  const texts = groups.flatMap(([text, group]) =>
    group.every(({ id, refusal }) => (id ?? refusal) === undefined) ? [text] : [],
  );
  if (texts.length === 0) return;
  const organizations = new Set(looked.map(({ organization }) => organization));
  const verb = texts.length === 1 ? 'is' : 'are';
  throw new OrgctlError(
    'not-found',
    `${joinNames(texts)} ${verb} in none of ${countOrganizations(organizations.size)}`,
    { hint: 'Nothing was deleted. Check the address, and which token you use.' },
  );
}

/** The address without the organization, so that it is the same text for all of them. */
function toSharedText(one: Placed): string {
  const isOwn = one.address.registryName === 'private';
  return isOwn ? toWholeText(one).replace(`/${one.address.namespace}/`, '/') : toWholeText(one);
}
