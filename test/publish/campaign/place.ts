import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Program, startWatched, type WatchedRun } from '../../campaign/process.ts';
import type { Random } from '../../campaign/random.ts';
import { createRelease, type Release, type SigningKey, zip } from '../../support/release.ts';
import { type Put, type Service, startService } from './service.ts';

/** A release on disk, the service it goes to, and orgctl in processes of its own; and what has to be true of all that came. */

/** What a run is given beside the command: the forms of output, and what is noted. */
export interface Style {
  readonly format: string;
  readonly debug: boolean;
  readonly isLogged: boolean;
  readonly isKeyGiven: boolean;
}

export type Place = Awaited<ReturnType<typeof openPlace>>;

const NAME = 'billing';
const VERSION = '1.2.0';
const PLATFORMS = [
  'darwin_amd64',
  'darwin_arm64',
  'freebsd_amd64',
  'linux_386',
  'linux_amd64',
  'linux_arm',
  'linux_arm64',
  'windows_386',
  'windows_amd64',
  'windows_arm64',
] as const;

export interface PlaceOptions {
  readonly program: Program;
  readonly key: SigningKey;
  readonly random: Random;
  readonly platforms: number;
  /** The most bytes of a zip. */
  readonly size: number;
  readonly latency: number;
}

export async function openPlace({ program, key, random, platforms, size, latency }: PlaceOptions) {
  const token = `token.${random.hex(40)}`;
  const service = await startService({ token, latency, keyIdOf: () => key.id });
  const folder = mkdtempSync(join(tmpdir(), 'orgctl-publish-'));
  const home = join(folder, 'home');
  mkdirSync(home);
  const log = join(home, 'log');
  const release = await createRelease({ dir: join(folder, 'dist'), key, platforms: pick(random, platforms), size: 1 });
  await fill(release, random, size);
  const files = readFiles(release);
  const outputs: string[] = [];

  function start(style: Style): WatchedRun {
    const argv = [
      ...['providers', 'publish', NAME, VERSION, '--dir', release.dir, '-o', style.format],
      ...(style.isKeyGiven ? ['--public-key', release.publicKey] : []),
      ...(style.debug ? ['--debug'] : []),
    ];
    const env = {
      ...{ PATH: '', ORGCTL_BASE_URL: service.url, ORGCTL_ORG: 'acme', ORGCTL_TOKEN: token },
      ...{ ORGCTL_STATE_DIR: join(home, 'state'), ORGCTL_CONFIG_DIR: join(home, 'config') },
      ...(style.isLogged ? { ORGCTL_LOG_FILE: log } : {}),
    };
    const running = startWatched(program, argv, { home, env });
    void running.ended.then(({ stdout, stderr }) => outputs.push(stdout, stderr));
    return running;
  }

  return {
    service,
    release,
    start,
    /** Files of the release, by what the service calls them. */
    files,
    /** What is wrong with a service that should have all of it. */
    findDifferences: () => findDifferences(service, files, release, key),
    /** Addresses of files, and the token, where they must not be: in anything said or written. */
    findLeaks: () => [
      ...[...new Set(service.leaks)].map((text) => `to the server of files: ${text}`),
      ...findSecrets(token, service.secrets, outputs, home),
    ],
    /** What was sent without need, or in another way than a store of objects takes it. */
    findNeedless: (puts: readonly Put[]) => puts.flatMap((put) => judgePut(put, files)),
    readLog: () => (existsSync(log) ? readFileSync(log, 'utf8') : ''),
    async close() {
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function pick(random: Random, count: number): readonly string[] {
  const left: string[] = [...PLATFORMS];
  return Array.from({ length: count }, () => left.splice(random.int(left.length), 1)[0] ?? 'linux_amd64').toSorted();
}

/** Programs of many sizes: some are sent at once, others in many pieces. */
async function fill(release: Release, random: Random, most: number): Promise<void> {
  const names = readdirSync(release.dir).filter((name) => name.endsWith('.zip'));
  for (const name of names) {
    const size = random.chance(25) ? 1 + random.int(2_000) : 1 + random.int(most);
    const seed = Buffer.from(random.hex(64), 'hex');
    const bytes = Buffer.alloc(size);
    for (let at = 0, block = seed; at < size; at += block.length) {
      block = createHash('sha512').update(block).digest();
      block.copy(bytes, at);
    }
    writeFileSync(join(release.dir, name), zip(`terraform-provider-${NAME}_v${VERSION}`, bytes));
  }
  const all = [...names, basename(release.manifest)];
  const lines = all.map((name) => `${sumOf(join(release.dir, name))}  ${name}\n`);
  await release.writeSums(lines.join(''));
}

export interface FileOfRelease {
  readonly name: string;
  readonly size: number;
  readonly sum: string;
}

function readFiles(release: Release): ReadonlyMap<string, FileOfRelease> {
  const describe = (path: string): FileOfRelease => ({
    ...{ name: basename(path), size: statSync(path).size, sum: sumOf(path) },
  });
  const zips = readdirSync(release.dir).filter((name) => name.endsWith('.zip'));
  return new Map([
    ['SHA256SUMS', describe(release.sums)],
    ['signature', describe(release.signature)],
    ...zips.map((name) => {
      const platform = name.slice(release.stem.length + 1, -'.zip'.length);
      return [platform, describe(join(release.dir, name))] as const;
    }),
  ]);
}

function sumOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

function findDifferences(
  service: Service,
  files: ReadonlyMap<string, FileOfRelease>,
  release: Release,
  key: SigningKey,
): readonly string[] {
  const { keys, providers } = service.look();
  const [provider, ...others] = providers;
  const [version, ...furtherVersions] = provider?.versions ?? [];
  if (version === undefined) return ['there is no version'];
  const platforms = new Map(version.platforms.map((each) => [`${each.os}_${each.arch}`, each]));
  const wanted = [...files].filter(([label]) => label !== 'SHA256SUMS' && label !== 'signature');
  const sums = readFileSync(release.sums, 'utf8');
  const protocols = (JSON.parse(readFileSync(release.manifest, 'utf8')) as Manifest).metadata.protocol_versions;
  const checks: readonly (readonly [string, boolean])[] = [
    ['there are other providers', provider?.name === NAME && others.length === 0],
    ['there are other versions', version.version === VERSION && furtherVersions.length === 0],
    ['the key is not the one that signed', keys.length === 1 && keys[0]?.keyId === key.id],
    ['the key has another text', keys[0]?.armor.trim() === key.publicKey.trim()],
    ['the version names another key', version.keyId === key.id],
    ['the protocols are others', JSON.stringify(version.protocols) === JSON.stringify(protocols)],
    ['there are other platforms', platforms.size === wanted.length && version.platforms.length === wanted.length],
    ...wanted.flatMap(([label, file]): readonly (readonly [string, boolean])[] => {
      const found = platforms.get(label);
      return [
        [`${label} has another sum`, found?.shasum === file.sum && sums.includes(`${file.sum}  ${file.name}\n`)],
        [`${label} has another file name`, found?.filename === file.name],
      ];
    }),
    ...[...files].map(([label, { size, sum }]): readonly [string, boolean] => {
      const found = version.files.get(label);
      return [`the file of ${label} is another`, found?.size === size && found.sum === sum];
    }),
    ['there are further files', version.files.size === files.size],
  ];
  return checks.flatMap(([text, isTrue]) => (isTrue ? [] : [text]));
}

interface Manifest {
  readonly metadata: { readonly protocol_versions: readonly string[] };
}

/** Characters of a secret that are looked for: a part of it is too much. */
const PART = 16;

function findSecrets(
  token: string,
  secrets: readonly string[],
  outputs: readonly string[],
  home: string,
): readonly string[] {
  const written = readdirSync(home, { recursive: true, encoding: 'utf8' })
    .map((name) => join(home, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => [basename(path), readFileSync(path, 'latin1')] as const);
  const texts = [...written, ...outputs.map((text) => ['what was said', text] as const)];
  // The end of an address counts, wherever it begins.
  const parts = [
    ...secrets.map((secret) => secret.slice(-PART)),
    ...secrets.map((secret) => secret.slice(0, PART)),
    token,
  ];
  return texts.flatMap(([where, text]) =>
    parts.filter((part) => text.includes(part)).map((part) => `${part} is in ${where}: ${around(text, part)}`),
  );
}

function around(text: string, part: string): string {
  const at = text.indexOf(part);
  return JSON.stringify(text.slice(Math.max(0, at - 120), at + part.length + 40));
}

/**
 * The rule: a byte travels for a file only while the service does not have that file. What is there is never sent again, no
 * file twice at the same time, and no more of it than it has.
 */
function judgePut(put: Put, files: ReadonlyMap<string, FileOfRelease>): readonly string[] {
  const { file, received, announced } = put;
  const size = file === undefined ? undefined : files.get(file)?.size;
  if (size === undefined) return ['an upload to an address that nobody gave'];
  return [
    ...(put.wasThere ? [`${file} was sent although it was there`] : []),
    ...(put.wasUnderway ? [`${file} was sent twice at the same time`] : []),
    ...(announced === size ? [] : [`${file} was announced with ${announced} bytes, and has ${size}`]),
    ...(received > size ? [`${file}: ${received} bytes came, and it has ${size}`] : []),
  ];
}
