import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { OrgctlError, toReason, UsageError } from '../../errors.ts';
import { readText } from '../../input/read-text.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { toSourceAddress } from '../../service/provider-address.ts';
import { toAddressText } from '../../service/providers.ts';
import { readBlocks } from '../../settings/terraform-language.ts';
import { countThings, formatCount } from '../../text/count.ts';
import type { Resource } from '../../wire/json-api.ts';
import { toUsage } from '../usage.ts';
import { CHECKED_PROVIDER_COLUMNS } from './columns.ts';

const MEBIBYTE = 1024 * 1024;
const MOST_NAMED = 10;

export function registerCheck(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('check')
    .description('Check that the organization lists what lock files use (exit 13 if not)')
    .argument('[file...]', 'Lock files of Terraform or OpenTofu; - is stdin');
  addDocumentation(verb, {
    examples: [
      'orgctl providers check .terraform.lock.hcl',
      'find . -name .terraform.lock.hcl | xargs orgctl providers check -o markdown',
    ],
    columns: CHECKED_PROVIDER_COLUMNS,
  }).action(async (files: readonly string[]) => {
    if (files.length === 0) throw new UsageError('missing <file>', { hint: toUsage(verb) });
    await checkProviders(open(verb), [...new Set(files)]);
  });
}

interface Used {
  readonly address: string;
  /** The paths of the lock files that use it. */
  readonly file: string[];
}

async function checkProviders(context: Context, files: readonly string[]): Promise<void> {
  const { identity, screen, services } = context;
  const organization = identity.organization();
  (await screen.output()).checkFields(CHECKED_PROVIDER_COLUMNS);
  // What can't be read is refused before anything is sent.
  const used = await readUsed(context, files);
  const listed = used.length === 0 ? new Set<string>() : await readListed(context, organization, services);
  const rows = used.map(({ address, file }) => ({
    status: listed.has(address.toLowerCase()) ? 'listed' : 'not-listed',
    address,
    file,
  }));
  await screen.list(CHECKED_PROVIDER_COLUMNS, rows);
  const missing = rows.filter(({ status }) => status === 'not-listed');
  if (missing.length === 0) return;
  const addable = missing.map(({ address }) => address).filter((address) => isOf(address, organization));
  const more = missing.length - MOST_NAMED;
  throw new OrgctlError(
    'attention',
    `${organization} doesn't list ${formatCount(missing.length)} of ${countThings(rows.length, 'provider', 'providers')}`,
    {
      code: 'not-listed',
      reasons: [
        ...missing.slice(0, MOST_NAMED).map(({ address, file: [first, ...others] }) => {
          return `${address} (${first}${others.length === 0 ? '' : ` and ${formatCount(others.length)} more`})`;
        }),
        ...(more > 0 ? [`and ${formatCount(more)} more`] : []),
      ],
      hint: addable.length > 0 ? 'Add them:' : 'They come from registries that the organization has no list of.',
      next: addable.length > 0 ? [['orgctl', 'providers', 'create', ...addable.slice(0, MOST_NAMED)]] : [],
    },
  );
}

/** What an organization can have; `-` stands for providers from before they had namespaces. */
function isOf(address: string, organization: string): boolean {
  if (address.startsWith('public/-/')) return false;
  return address.startsWith('public/') || address.toLowerCase().startsWith(`private/${organization.toLowerCase()}/`);
}

/** By address. */
async function readUsed({ identity, places }: Context, files: readonly string[]): Promise<readonly Used[]> {
  const used = new Map<string, Used>();
  const reader = { host: places.host, signal: places.interrupts.signal };
  for (const file of files) {
    const options = { option: 'providers check', most: 4 * MEBIBYTE, hint: 'A lock file is never that long.' };
    const { text, name } = await readText(reader, file, options);
    for (const address of readAddresses(text, name, identity.serviceHost())) {
      const known = used.get(address) ?? { address, file: [] };
      used.set(address, known);
      known.file.push(name);
    }
  }
  return [...used.values()].sort((one, other) => (one.address < other.address ? -1 : 1));
}

/** Throws UsageError for a text that is no lock file. */
function readAddresses(text: string, name: string, serviceHost: string): ReadonlySet<string> {
  const hint = 'It should be a .terraform.lock.hcl, as terraform init writes it.';
  const addresses = new Set<string>();
  try {
    for (const { name: kind, labels } of readBlocks(text.replace(/^\uFEFF/, ''))) {
      const [source = ''] = labels;
      const address = kind === 'provider' && labels.length === 1 ? toSourceAddress(source, serviceHost) : undefined;
      if (address === undefined) throw new Error(`it has a block ${[kind, ...labels].join(' ')}`);
      // What is part of Terraform itself comes from no registry.
      if (address !== 'built-in') addresses.add(typeof address === 'string' ? address : toAddressText(address));
    }
  } catch (error) {
    throw new UsageError(`${name} is not a lock file: ${toReason(error)}`, { hint, cause: error });
  }
  return addresses;
}

async function readListed(
  { screen }: Context,
  organization: string,
  services: Context['services'],
): Promise<ReadonlySet<string>> {
  const { providers } = await services.current();
  const progress = screen.progress('Reading providers');
  try {
    const pages = await providers
      .list(organization, {}, {})
      .collect(({ items }) =>
        (items as readonly Resource[]).map(({ attributes = {} }) =>
          [attributes['registry-name'], attributes['namespace'], attributes['name']].join('/').toLowerCase(),
        ),
      );
    return new Set(pages.flat());
  } finally {
    progress.stop();
  }
}
