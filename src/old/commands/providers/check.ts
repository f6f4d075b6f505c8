import type { Context } from '../../context/context.ts';
import { OrgctlError, toReason, UsageError } from '../../errors.ts';
import { MEBIBYTE } from '../../files/read-file.ts';
import { readText } from '../../files/read-text.ts';
import { foldName } from '../../names.ts';
import { readBlocks } from '../../provider-list/lock-file.ts';
import { collect } from '../../reading.ts';
import { findAddress, toAddressKey, toAddressText, toSourceAddress } from '../../resources/provider-address.ts';
import { countThings, formatCount } from '../../text/count.ts';
import { shortenList } from '../../text/shorten.ts';
import { text } from '../param.ts';
import { toFileReader } from '../people.ts';
import { verb } from '../verb.ts';
import { CHECKED_PROVIDER_COLUMNS, type CheckedRow } from './columns.ts';

const MOST_NAMED = 10;

export const check = verb({
  name: 'providers check',
  help: 'Check that the organization lists the providers that lock files use (exit 13 if not)',
  effect: 'reads',
  args: { files: text('<file...>', 'Lock files of Terraform or OpenTofu; - is stdin', { complete: 'files' }) },
  examples: [
    'orgctl providers check .terraform.lock.hcl',
    'find . -name .terraform.lock.hcl | xargs orgctl providers check -o markdown',
  ],
  more: '\nxargs itself ends with 123 where the check ends with 13 or another code.',
  columns: CHECKED_PROVIDER_COLUMNS,
  async run(context, { files }) {
    await checkProviders(context, [...new Set(files)]);
  },
});

interface Source {
  readonly address: string;
  /** Of another registry than the public one and that of the service: no organization lists those. */
  readonly isElsewhere: boolean;
}

interface Used extends Source {
  /** The paths of the lock files that use it. */
  readonly file: string[];
}

async function checkProviders(context: Context, files: readonly string[]): Promise<void> {
  const { identity, screen, services } = context;
  const organization = identity.organization();
  (await screen.output()).checkFields(CHECKED_PROVIDER_COLUMNS);
  // What can't be read is refused before anything is sent.
  const used = await readUsed(context, files);
  const listed = used.length === 0 ? new Set<string>() : await readListed(organization, services);
  const isListed = ({ address, isElsewhere }: Source): boolean => !isElsewhere && listed.has(address);
  const rows = used.map(
    (one): CheckedRow => ({
      status: isListed(one) ? 'listed' : 'not-listed',
      address: one.address,
      file: one.file,
    }),
  );
  await screen.list(CHECKED_PROVIDER_COLUMNS, rows);
  const missing = used.filter((one) => !isListed(one));
  if (missing.length === 0) return;
  const addable = missing.filter((one) => isOf(one, organization)).map(({ address }) => address);
  throw new OrgctlError(
    'attention',
    `${organization} doesn't list ${formatCount(missing.length)} of ${countThings(rows.length, 'provider', 'providers')}`,
    {
      code: 'not-listed',
      reasons: shortenList(missing.map(describeUse), MOST_NAMED),
      hint: addable.length > 0 ? 'Add them:' : 'They come from registries that the organization has no list of.',
      next: addable.length > 0 ? [['orgctl', 'providers', 'create', ...addable.slice(0, MOST_NAMED)]] : [],
    },
  );
}

function describeUse({ address, file: [first, ...others] }: Used): string {
  return `${address} (${first}${others.length === 0 ? '' : ` and ${formatCount(others.length)} more`})`;
}

/** What an organization can have; `-` stands for providers from before they had namespaces. */
function isOf({ address, isElsewhere }: Source, organization: string): boolean {
  if (isElsewhere || address.startsWith('public/-/')) return false;
  return address.startsWith('public/') || address.startsWith(`private/${foldName(organization)}/`);
}

/** By address. */
async function readUsed(context: Context, files: readonly string[]): Promise<readonly Used[]> {
  const used = new Map<string, Used>();
  for (const file of files) {
    const options = { option: 'providers check', most: 4 * MEBIBYTE, hint: 'A lock file is never that long.' };
    const { text, name } = await readText(toFileReader(context), file, options);
    for (const [key, source] of readSources(text, name, context.identity.serviceHost())) {
      const known = used.get(key) ?? { ...source, file: [] };
      used.set(key, known);
      known.file.push(name);
    }
  }
  return [...used.values()].sort((one, other) => (one.address < other.address ? -1 : 1));
}

/** Each once. Throws UsageError for a text that is no lock file. */
function readSources(text: string, name: string, serviceHost: string): ReadonlyMap<string, Source> {
  const hint = 'It should be a .terraform.lock.hcl, as terraform init writes it.';
  const sources = new Map<string, Source>();
  try {
    for (const { name: kind, labels } of readBlocks(text)) {
      const [source = ''] = labels;
      // Terraform itself only warns about these blocks, which later versions may define.
      if (kind === 'module' && labels.length === 1) continue;
      const address = kind === 'provider' && labels.length === 1 ? toSourceAddress(source, serviceHost) : undefined;
      if (address === undefined) throw new Error(`it has a block ${[kind, ...labels].join(' ')}`);
      // What is part of Terraform itself comes from no registry.
      if (address === 'built-in') continue;
      const isElsewhere = address === 'elsewhere';
      const shown = isElsewhere ? source.toLowerCase() : toAddressText(address);
      // The key says which of the two it is, since a host can be called public.
      sources.set(`${isElsewhere} ${shown}`, { address: shown, isElsewhere });
    }
  } catch (error) {
    throw new UsageError(`${name} is not a lock file: ${toReason(error)}`, { hint, cause: error });
  }
  return sources;
}

async function readListed(organization: string, services: Context['services']): Promise<ReadonlySet<string>> {
  const { providers } = await services.current();
  const pages = await collect(providers.list(organization, {}, {}), ({ items }) =>
    items.flatMap((provider) => findAddress(provider) ?? []).map(toAddressKey),
  );
  return new Set(pages.flat());
}
