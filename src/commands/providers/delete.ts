import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import type { Several } from '../../context/identity.ts';
import { OrgctlError, UsageError } from '../../errors.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { findEach } from '../../organizations/find-each.ts';
import type { AddressParts, ParsedAddress } from '../../service/provider-address.ts';
import { type Providers, toAddressText } from '../../service/providers.ts';
import type { Confirmation } from '../../stderr/prompt.ts';
import type { WriteResult } from '../../stdout/result.ts';
import { countThings } from '../../text/count.ts';
import { joinNames } from '../../text/join.ts';
import { shortenList } from '../../text/shorten.ts';
import { REGISTRY_PROVIDERS } from '../../wire/resources.ts';
import { doJob } from '../bulk.ts';
import { addOrganizationsOptions, countOrganizations, withResultsOfSeveral } from '../organizations.ts';
import { toDeletedColumns } from './columns.ts';
import { addAddressOptions, type Placed, placeAddresses, toMore, toName } from './options.ts';

export function registerDelete(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('delete')
    .alias('rm')
    .description('Delete providers (of a public one, only its entry)')
    .argument('[address...]', '<registry>/<namespace>/<name>; at a terminal also the shorter forms');
  addDocumentation(addAddressOptions(addOrganizationsOptions(verb)), {
    examples: [
      'orgctl providers delete public/hashicorp/aws --dry-run',
      'orgctl providers delete public/hashicorp/aws --yes',
    ],
    columns: toDeletedColumns(''),
  }).action(async (texts: readonly string[], flags: AddressParts) => {
    const context = open(verb);
    const placed = await placeAddresses(context, texts, flags);
    if (!context.screen.canAsk()) refuseGuesses(placed);
    await deleteProviders(context, placed);
  });
}

/** Where no one sees how a short address was read, it is not guessed. */
function refuseGuesses(addresses: readonly ParsedAddress[]): void {
  const guessed = addresses.find(({ whole }) => !whole);
  if (guessed === undefined) return;
  throw new UsageError('a provider to delete needs all three parts where no one is asked', {
    hint: `Did you mean ${toAddressText(guessed.address)}?`,
  });
}

async function deleteProviders(context: Context, placed: readonly Placed[]): Promise<void> {
  const { identity, screen, services } = context;
  const { several } = identity;
  const output = await screen.output();
  const columns =
    several === undefined
      ? toDeletedColumns(identity.organization())
      : withResultsOfSeveral(toDeletedColumns(undefined));
  output.checkFields(columns);
  const { providers } = await services.current();
  const looked = several === undefined ? await readAll(providers, placed) : await findAll(providers, placed);
  const present = looked.filter(({ id }) => id !== undefined);
  if (present.length > 0) await screen.confirm(toQuestion(present, several));
  await doJob(context, {
    items: looked,
    columns,
    things: countThings(placed.length, 'provider', 'providers'),
    name: (one) => toName(one, several),
    organizationOf: several === undefined ? undefined : ({ organization }) => organization,
    refusal: ({ refusal }) => refusal,
    known: (one) =>
      (one.id ?? one.refusal) === undefined ? toRow(one, several, { changed: false, result: 'absent' }) : undefined,
    async act(one) {
      if (!(await providers.delete(one.organization, one.address))) return undefined;
      return toRow(one, several, { changed: true, result: 'deleted' });
    },
    toRow: (one, undone) => toRow(one, several, undone),
  });
  // A name that none of them has may be misspelt.
  if (several !== undefined && present.length === 0) throw toAbsent(placed);
}

/** Without an id there is none, or `refusal` says why it could not be read. */
interface Looked extends Placed {
  readonly id?: string;
  readonly refusal?: OrgctlError;
}

/** Throws where one can't be read: nothing is deleted then. */
async function readAll(providers: Providers, placed: readonly Placed[]): Promise<readonly Looked[]> {
  const read: Looked[] = [];
  for (const one of placed) {
    read.push({ ...one, id: (await providers.get(one.organization, one.address, 'delete')).data.id });
  }
  return read;
}

async function findAll(providers: Providers, placed: readonly Placed[]): Promise<readonly Looked[]> {
  const organizations = [...new Set(placed.map(({ organization }) => organization))];
  const ofEach = (wanted: string): readonly Placed[] => placed.filter(({ organization }) => organization === wanted);
  const found = await findEach(organizations, async (organization) => {
    const looked: Looked[] = [];
    for (const one of ofEach(organization)) {
      const id = (await providers.find(organization, one.address, 'delete'))?.data.id;
      looked.push(id === undefined ? one : { ...one, id });
    }
    return looked;
  });
  return found.flatMap(({ organization, value, error: refusal }) =>
    refusal === undefined ? value : ofEach(organization).map((one) => ({ ...one, refusal })),
  );
}

function toRow(one: Looked, several: Several | undefined, result: object): WriteResult {
  return {
    resource: { type: REGISTRY_PROVIDERS, id: one.id ?? null },
    extra: { address: toAddressText(one.address), ...toMore(one, several), ...result },
  };
}

function toQuestion(present: readonly Looked[], several: Several | undefined): Confirmation {
  const texts = [...new Set(present.map(({ address }) => toAddressText(address)))];
  const organizations = [...new Set(present.map(({ organization }) => organization))];
  const what = texts.length === 1 ? texts[0] : `these ${texts.length} providers`;
  const where = organizations.length === 1 ? organizations[0] : `these ${organizations.length} organizations`;
  const lines = texts.map((text) => {
    const some = present.filter(({ address }) => toAddressText(address) === text);
    const [first] = some;
    const names = some.map(({ organization }) => organization);
    const loss = first === undefined ? '' : describeLoss(first, names.length);
    if (several !== undefined) return `${text} is in ${joinNames(names)}. ${loss}`;
    return texts.length === 1 ? loss : `${text}. ${loss}`;
  });
  return {
    question: `Delete ${what} from ${where}?`,
    consequences: several === undefined ? lines : shortenList(lines),
  };
}

function describeLoss({ address, organization }: Placed, places: number): string {
  if (address.registryName === 'private') return 'Its versions are deleted with it.';
  return places === 1
    ? `Only ${organization}'s entry goes; the public registry keeps the provider.`
    : 'Only their entries go; the public registry keeps the provider.';
}

function toAbsent(placed: readonly Placed[]): OrgctlError {
  const texts = [...new Set(placed.map(({ address }) => toAddressText(address)))];
  const organizations = new Set(placed.map(({ organization }) => organization));
  return new OrgctlError(
    'not-found',
    `${joinNames(texts, 'or')} is in none of ${countOrganizations(organizations.size)}`,
    {
      hint: 'Check the address, and which token you use.',
    },
  );
}
