import type { Context } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import type { OpenPgp } from '../../publish/open-pgp.ts';
import type { Published } from '../../publish/publish.ts';
import { parseVersion, type Release, toPlatformText } from '../../publish/release.ts';
import { toAddresses, toAddressText } from '../../resources/provider-address.ts';
import type { VersionAddress } from '../../service/provider-versions.ts';
import type { WriteResult } from '../../stdout/result.ts';
import { formatSize } from '../../text/size.ts';
import { REGISTRY_PROVIDER_VERSIONS } from '../../wire/resources.ts';
import { file } from '../options.ts';
import { needed, text, valued } from '../param.ts';
import { toRowError } from '../row-error.ts';
import { verb } from '../verb.ts';
import { type PublishedRow, toPublishedColumns } from './columns.ts';
import { toAddressContext } from './options.ts';

interface Input {
  readonly address: VersionAddress;
  readonly dir: string;
  readonly publicKey: string | undefined;
}

export const publish = verb({
  name: 'providers publish',
  help: 'Publish a version of a private provider from a release of goreleaser',
  effect: 'writes',
  args: {
    address: text('<address>', 'The name of a private provider, or private/<organization>/<name>', {
      complete: 'private providers',
    }),
    version: valued('<version>', 'Such as 1.2.0', parseNamedVersion),
  },
  options: {
    dir: needed(
      file('--dir <folder>', 'The folder with the zip files, SHA256SUMS and its signature', 'Give a folder.'),
      {
        hint: 'Give the folder that goreleaser made, such as --dir dist.',
      },
    ),
    publicKey: file(
      '--public-key <file>',
      'The public key of the signature (default: a key that the organization has)',
      'Leave it out, or give a file.',
    ),
  },
  examples: [
    'orgctl providers publish billing 1.2.0 --dir dist --public-key key.asc',
    'orgctl providers publish billing 1.2.0 --dir dist --public-key key.asc --dry-run',
  ],
  columns: toPublishedColumns({ keyId: '', platforms: [] }),
  printsOne: true,
  async run(context, { address, version, dir, publicKey }) {
    const [only] = toAddresses([address], toAddressContext(context));
    if (only === undefined || only.address.registryName === 'public') {
      throw new UsageError(`${address} is a public provider, and only private ones are published here`, {
        hint: 'Give the name of a private provider.',
      });
    }
    await publishRelease(context, { address: { ...only.address, version }, dir, publicKey });
  },
});

function parseNamedVersion(given: string): string {
  const version = parseVersion(given);
  if (version !== undefined) return version;
  throw new UsageError(`'${given}' is not a version`, { hint: 'Give one such as 1.2.0.' });
}

async function publishRelease(context: Context, input: Input): Promise<void> {
  const { identity, screen, services, places } = context;
  const { address } = input;
  const { host, interrupts } = places;
  const output = await screen.output();
  output.checkFields(toPublishedColumns({ keyId: '', platforms: [] }));
  const { loadOpenPgp } = await import('../../publish/open-pgp.ts');
  const openPgp = await loadOpenPgp();
  const release = await readChecked(context, input, openPgp);
  const [service, engine] = await Promise.all([services.current(), import('../../publish/publish.ts')]);
  const doing = `Publishing ${toVersionText(address)}`;
  const progress = screen.progress(doing);
  let published: Published | undefined;
  try {
    published = await engine.publish({
      registry: await service.openPrivateRegistry(),
      providers: service.providers,
      openPgp,
      organization: identity.organization(),
      address,
      release,
      dryRun: services.dryRun,
      now: host.now,
      sleep: (milliseconds) => host.sleep(milliseconds, interrupts.signal),
      warn: screen.warn,
      hide: screen.secrets.hide,
      onProgress: (underway) => progress.update(underway.map(describeUpload).join('\n') || doing),
    });
  } finally {
    progress.stop();
  }
  if (published === undefined) {
    return await output.changed(toPublishedColumns({ keyId: '', platforms: [] }), toPlanned(input, release));
  }
  await output.changed(
    toPublishedColumns(toDetails(release, published)),
    toResult(input, release, published, service.redact),
  );
  if (published.failure !== undefined) throw published.failure;
}

/** Throws UsageError with all that is wrong with it. */
async function readChecked(
  { screen, places }: Context,
  { address, dir, publicKey }: Input,
  openPgp: OpenPgp,
): Promise<Release> {
  const { readRelease } = await import('../../publish/read-release.ts');
  const { host, interrupts } = places;
  const progress = screen.progress(`Checking ${dir}`);
  try {
    const { release, hasManifest } = await readRelease({
      name: address.name,
      version: address.version,
      dir,
      publicKey,
      cwd: host.cwd,
      now: host.now(),
      signal: interrupts.signal,
      openPgp,
      onFile: (name) => progress.update(`Checking ${name}`),
    });
    if (!hasManifest) screen.note(`No manifest in ${dir}: protocol ${release.protocols.join(', ')} is assumed.`);
    return release;
  } finally {
    progress.stop();
  }
}

/** `darwin_arm64: 62% of 11.9 MiB` */
function describeUpload({
  label,
  sent,
  size,
}: {
  readonly label: string;
  readonly sent: number;
  readonly size: number;
}) {
  const percent = size === 0 ? 100 : Math.floor((sent / size) * 100);
  return `${label}: ${percent}% of ${formatSize(size)}`;
}

function toDetails({ platforms }: Release, { keyId, readiness }: Published) {
  const there = platforms.filter(
    (each) => !readiness.missing.some((text) => text.startsWith(`${toPlatformText(each)} `)),
  );
  return { keyId, platforms: there.map((each) => `${toPlatformText(each)}, ${formatSize(each.size)}`) };
}

function toResult(
  { address }: Input,
  { platforms }: Release,
  { version, changed, readiness, failure }: Published,
  redact: (text: string) => string,
): WriteResult<PublishedRow> {
  const isFailed = failure !== undefined;
  const record: PublishedRow = {
    result: isFailed ? 'failed' : changed ? 'published' : 'unchanged',
    id: version.id,
    address: toVersionText(address),
    changed,
    ready: readiness.ready,
    missing: readiness.missing,
    platforms: toPlatforms(platforms),
    ...(isFailed ? { error: toRowError(failure, redact, failure.message) } : {}),
  };
  return { resource: version.document.data, record, extra: {} };
}

/** In a dry run that leaves something out. */
function toPlanned({ address }: Input, { platforms }: Release): WriteResult<PublishedRow> {
  return {
    resource: { type: REGISTRY_PROVIDER_VERSIONS, id: null },
    record: {
      result: 'planned',
      id: null,
      address: toVersionText(address),
      changed: false,
      platforms: toPlatforms(platforms),
    },
    extra: {},
  };
}

function toVersionText(address: VersionAddress): string {
  return `${toAddressText(address)}@${address.version}`;
}

function toPlatforms(platforms: Release['platforms']): PublishedRow['platforms'] {
  return platforms.map(({ os, arch }) => ({ os, arch }));
}
