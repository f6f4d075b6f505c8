import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { Platform } from '../api/provider-versions.ts';
import { UsageError } from '../lib/errors.ts';
import { formatFileError, readOptionalFile } from '../lib/files.ts';
import { listFolder, readChunks } from '../lib/input.ts';
import { decodeTextOrBytes } from '../lib/input-text.ts';
import { isObject, parseJson } from '../lib/json.ts';

/** Where goreleaser takes the manifest from. It sums it without copying it to the folder. */
const SOURCE = 'terraform-registry-manifest.json';

interface ReleaseFile {
  name: string;
  path: string;
  size: number;
  /** SHA-256 in lower case. */
  sum: string;
}

export type PlatformFile = ReleaseFile & Platform;

/** A release of goreleaser whose files match their sums. */
export interface Release {
  /** Undefined if the release has no manifest. */
  protocols: string[] | undefined;
  platforms: PlatformFile[];
  sums: ReleaseFile;
  signature: ReleaseFile;
  /** The content of `sums` and `signature`. */
  signed: { text: Uint8Array; signature: Uint8Array };
}

interface ReleaseOptions {
  name: string;
  version: string;
  /** A folder, relative to `cwd`. */
  dir: string;
  cwd: string;
  signal: AbortSignal;
  progress(text: string): void;
}

type SumsLine = Pick<ReleaseFile, 'name' | 'sum'> & { platform: Platform | undefined };

/** Throws UsageError that names every problem. */
export async function readRelease(options: ReleaseOptions): Promise<Release> {
  const { name, version, dir, cwd, signal, progress } = options;
  const folder = resolve(cwd, dir);
  const prefix = `terraform-provider-${name}_${version}`;
  const present = listFolder(dir, options.cwd);
  const problems: string[] = [];
  const read = async (file: string, path = join(folder, file)) => {
    progress(`Checking ${file}`);
    try {
      return await readFile(file, path, signal);
    } catch (error) {
      signal.throwIfAborted();
      problems.push(`${file}: ${formatFileError(error)}`);
      return undefined;
    }
  };
  const sums = await read(`${prefix}_SHA256SUMS`);
  const signature = await read(`${prefix}_SHA256SUMS.sig`);
  const lines = sums ? parseSums(sums.head, prefix, problems) : [];
  const manifest = `${prefix}_manifest.json`;
  const parts = present.filter((file) => (file.startsWith(`${prefix}_`) && file.endsWith('.zip')) || file === manifest);
  const sources = [join(folder, SOURCE), join(folder, '..', SOURCE)];
  const hasSource = sources.some((path) => readOptionalFile(path, 'latin1') !== undefined);
  for (const part of hasSource ? new Set([...parts, manifest]) : parts) {
    const isNamed = lines.some((line) => line.name === part);
    if (!isNamed) problems.push(`${present.includes(part) ? part : SOURCE}: SHA256SUMS does not name it`);
  }
  const platforms: PlatformFile[] = [];
  let protocols: string[] | undefined;
  for (const line of lines) {
    const isManifest = line.name === manifest;
    const isLeft = isManifest && !present.includes(manifest);
    const file = await read(line.name, isLeft ? join(folder, '..', SOURCE) : undefined);
    if (file && file.sum !== line.sum) problems.push(`${line.name}: SHA256SUMS has a different sum`);
    if (file && line.platform) platforms.push({ ...file, ...line.platform });
    if (file && isManifest) protocols = parseManifest(file.head, line.name, problems);
  }
  if (problems.length > 0 || !sums || !signature) {
    throw new UsageError(`${dir} has no release of ${name} ${version} that Terraform can install`, {
      code: 'release',
      reasons: problems,
    });
  }
  return { protocols, platforms, sums, signature, signed: { text: sums.head, signature: signature.head } };
}

/** `head` has the whole content of a small file. */
async function readFile(name: string, path: string, signal: AbortSignal): Promise<ReleaseFile & { head: Uint8Array }> {
  const hash = createHash('sha256');
  let head: Uint8Array = Buffer.alloc(0);
  let size = 0;
  for await (const piece of readChunks(path)) {
    signal.throwIfAborted();
    if (size === 0) head = piece;
    size += piece.length;
    hash.update(piece);
  }
  return { name, path, size, sum: hash.digest('hex'), head };
}

/**
 * Terraform reads the signed bytes as they are, and finds no sum in UTF-16 or behind a byte order mark. It crashes at an empty
 * line, and finds no name with a mark or a folder (facts).
 */
export function parseSums(bytes: Uint8Array, prefix: string, problems: string[]): SumsLine[] {
  const text = decodeTextOrBytes(bytes);
  if (!Buffer.from(text).equals(bytes)) {
    problems.push(`${prefix}_SHA256SUMS: it is not UTF-8 without a byte order mark, as Terraform needs it`);
  }
  const lines: SumsLine[] = [];
  for (const [at, line] of text.replace(/\n$/, '').split('\n').entries()) {
    const [, sum, name] = /^([0-9a-f]{64}) {2}([^\s*/\\]+)\r?$/i.exec(line) ?? [];
    const where = `${prefix}_SHA256SUMS, line ${at + 1}`;
    if (sum === undefined || name === undefined) {
      problems.push(`${where}: it is not a sum, two spaces and a file name`);
      continue;
    }
    const [, os, arch] =
      /^_([a-z0-9]+)_([a-z0-9]+)\.zip$/.exec(name.startsWith(prefix) ? name.slice(prefix.length) : '') ?? [];
    const platform = os && arch ? { os, arch } : undefined;
    if (name.endsWith('.zip') && !platform) problems.push(`${where}: ${name} is not ${prefix}_<os>_<arch>.zip`);
    else if (lines.some((other) => other.name === name)) problems.push(`${where}: ${name} is listed twice`);
    else lines.push({ name, sum: sum.toLowerCase(), platform });
  }
  if (problems.length === 0 && !lines.some(({ platform }) => platform)) {
    problems.push(`${prefix}_SHA256SUMS names no ${prefix}_<os>_<arch>.zip`);
  }
  return lines;
}

export function parseManifest(bytes: Uint8Array, name: string, problems: string[]): string[] | undefined {
  const manifest = parseJson(decodeTextOrBytes(bytes));
  if (manifest === undefined) return void problems.push(`${name}: it is not JSON`);
  const metadata = isObject(manifest) && isObject(manifest.metadata) ? manifest.metadata : {};
  const { protocol_versions: protocols } = metadata;
  const isKnown = (protocol: unknown): boolean => ['4.0', '5.0', '6.0'].includes(protocol as string);
  if (Array.isArray(protocols) && protocols.length > 0 && protocols.every(isKnown)) return protocols;
  problems.push(`${name}: metadata.protocol_versions must be a list of "4.0", "5.0" or "6.0"`);
  return undefined;
}
