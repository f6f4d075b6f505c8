import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { toErrorCode, toFault, toReason, UsageError } from '../errors.ts';
import { type OpenFile, openFile } from '../files/file-pieces.ts';
import { listFolder } from '../files/look.ts';
import { MEBIBYTE, toTooLong } from '../files/read-file.ts';
import { joinNames } from '../text/join.ts';
import { askMeant } from '../text/near.ts';
import { type OpenPgp, OtherKey, type PublicKey } from './open-pgp.ts';
import {
  findExtra,
  findReleases,
  isZip,
  type Names,
  type PlatformFile,
  parseManifest,
  parseSums,
  type Release,
  type ReleaseFile,
  toStem,
  USUAL_PROTOCOLS,
  ZIP_TAIL,
} from './release.ts';

/** A release read from its folder and checked, every file of it read once. */

export interface ReleaseSource extends Names {
  /** As it was given, and from where a path begins. */
  readonly dir: string;
  readonly cwd: string;
  readonly publicKey: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly signal: AbortSignal;
  readonly openPgp: OpenPgp;
  /** Said while it takes long: `linux_amd64.zip` */
  onFile(name: string): void;
}

interface ReadRelease {
  readonly release: Release;
  readonly hasManifest: boolean;
}

/** The longest file but for zips: lists, keys and signatures have a few kilobytes. */
const LARGEST_TEXT = 4 * MEBIBYTE;

/** Throws UsageError with everything that is wrong with it. */
export async function readRelease(source: ReleaseSource): Promise<ReadRelease> {
  const { dir, cwd, signal } = source;
  const folder = resolve(cwd, dir);
  const present = listFiles(folder, dir);
  const faults: string[] = [];
  const keyFaults: string[] = [];
  const stem = toStem(source);
  const read = (name: string): Promise<ReadFile | undefined> => readChecked(join(folder, name), name, faults);

  const manifest = await readManifest(`${stem}_manifest.json`, present, read, faults);
  const sums = await read(`${stem}_SHA256SUMS`);
  const signature = await read(`${stem}_SHA256SUMS.sig`);
  const key = source.publicKey === undefined ? undefined : await readKeyFile(source, source.publicKey, keyFaults);
  const parsed = sums === undefined ? undefined : parseSums(sums.bytes.toString('latin1'), source);
  faults.push(...(parsed?.faults ?? []).map((fault) => `${stem}_SHA256SUMS: ${fault}.`));
  const lines = parsed?.lines ?? [];
  const there = new Set(present);
  const platforms: PlatformFile[] = [];
  for (const line of lines) {
    signal.throwIfAborted();
    source.onFile(line.name);
    if (!there.has(line.name)) {
      faults.push(`${line.name} is missing, and the sums name it.`);
      continue;
    }
    const file = await readNamed(join(folder, line.name), line.name, source, faults);
    if (file === undefined) continue;
    if (file.sum !== line.sum) faults.push(`${line.name} has another sum than the sums say: it is ${file.sum}.`);
    else if (line.platform !== undefined && !file.isZip) faults.push(`${line.name} is not a zip.`);
    if (line.platform !== undefined) platforms.push({ ...line.platform, ...file.file });
  }
  if (parsed !== undefined) {
    for (const extra of findExtra(present, lines, source)) {
      if (!parsed.faults.some((fault) => fault.includes(extra))) faults.push(`${extra} is not named in the sums.`);
    }
  }
  const signed =
    sums === undefined || signature === undefined ? undefined : { text: sums.bytes, signature: signature.bytes };
  const checked =
    signed === undefined ? undefined : await checkSignature(source, signed, key, { release: faults, key: keyFaults });
  const [keyFault] = keyFaults;
  if (faults.length === 0 && keyFault !== undefined) {
    throw new UsageError(keyFault.replace(/\.$/, ''), {
      code: 'release',
      hint: 'Give the public half of the key that signed. Nothing was sent.',
    });
  }
  if (
    faults.length > 0 ||
    sums === undefined ||
    signature === undefined ||
    signed === undefined ||
    checked === undefined
  )
    throw toUsageError(source, [...faults, ...keyFaults], present, lines);
  const { name, version } = source;
  const release: Release = {
    name,
    version,
    protocols: manifest ?? USUAL_PROTOCOLS,
    platforms,
    sums: sums.file,
    signature: signature.file,
    signed,
    ...checked,
  };
  return { release, hasManifest: manifest !== undefined };
}

function listFiles(folder: string, dir: string): readonly string[] {
  try {
    return listFolder(folder).map(({ name }) => name);
  } catch (error) {
    const why = toErrorCode(error) === 'ENOTDIR' ? 'it is a file' : toFault(error);
    throw new UsageError(`can't read ${dir}: ${why}`, {
      hint: 'Give the folder that goreleaser made with --dir.',
      cause: error,
    });
  }
}

function toUsageError(
  { dir, name, version }: ReleaseSource,
  faults: readonly string[],
  present: readonly string[],
  lines: readonly { readonly name: string }[],
): UsageError {
  const manifest = `${toStem({ name, version })}_manifest.json`;
  const releases = findReleases(present);
  const versions = releases.filter((one) => one.name === name).map(({ version }) => version);
  const folder = dir === '.' ? 'this folder' : dir;
  const hasFiles = present.some((file) => file.startsWith(`${toStem({ name, version })}_`));
  if (versions.length > 0 && !hasFiles) {
    return new UsageError(`${folder} has no release of ${name} ${version}`, {
      code: 'release',
      reasons: [`It has ${name} ${joinNames(versions)}.`],
      hint: `Publish ${versions.length === 1 ? 'that version' : 'one of those'}, or give another folder. Nothing was sent.`,
    });
  }
  if (releases.length > 0 && !hasFiles) {
    const names = [...new Set(releases.map((one) => one.name))];
    return new UsageError(`${folder} has no release of ${name}`, {
      code: 'release',
      reasons: [`It has ${joinNames(releases.map((one) => `${one.name} ${one.version}`))}.`],
      hint: `${askMeant(names.slice(0, 3))} Nothing was sent.`,
    });
  }
  const lacksManifest = lines.some((line) => line.name === manifest) && !present.includes(manifest);
  return new UsageError(`${folder} has no release of ${name} ${version} that Terraform can install`, {
    code: 'release',
    reasons: faults,
    hint: lacksManifest
      ? `goreleaser leaves the manifest where it was: copy terraform-registry-manifest.json to ${join(dir, manifest)}. Nothing was sent.`
      : !hasFiles
        ? 'Give the folder that goreleaser made with --dir, such as dist. Nothing was sent.'
        : faults.every((fault) => fault.endsWith('is not an OpenPGP key.'))
          ? 'Write the public key into a file with gpg --armor --export, and name that file. Nothing was sent.'
          : 'Build and sign the release again. Nothing was sent.',
  });
}

async function readManifest(
  name: string,
  present: readonly string[],
  read: (name: string) => Promise<ReadFile | undefined>,
  faults: string[],
): Promise<readonly string[] | undefined> {
  if (!present.includes(name)) return undefined;
  const file = await read(name);
  if (file === undefined) return [];
  try {
    return parseManifest(new TextDecoder().decode(file.bytes));
  } catch (error) {
    faults.push(`${name} ${toReason(error)}.`);
    return [];
  }
}

async function readKeyFile(
  { openPgp, cwd }: ReleaseSource,
  path: string,
  faults: string[],
): Promise<readonly PublicKey[] | undefined> {
  try {
    const file = await openFile(resolve(cwd, path));
    try {
      return await openPgp.readKeys(await readAll(file));
    } finally {
      await file.close();
    }
  } catch (error) {
    const isOfSystem = error instanceof Error && 'code' in error;
    faults.push(
      isOfSystem || error instanceof NotReadable
        ? `${path} can't be read: ${toFault(error)}.`
        : `${path} ${toReason(error)}.`,
    );
    return undefined;
  }
}

/** The key that signed, and all that did. Without keys only that it is a signature. */
async function checkSignature(
  { openPgp, now, publicKey = '', ...names }: ReleaseSource,
  signed: Release['signed'],
  keys: readonly PublicKey[] | undefined,
  faults: { readonly release: string[]; readonly key: string[] },
): Promise<Pick<Release, 'key' | 'issuers'> | undefined> {
  try {
    const issuers = await openPgp.readIssuers(signed.signature);
    return { issuers, key: keys === undefined ? undefined : await openPgp.verify(signed, keys, now) };
  } catch (error) {
    const text = `${toStem(names)}_SHA256SUMS.sig ${toReason(error)}`;
    if (error instanceof OtherKey) faults.key.push(`${text} (${publicKey}).`);
    else faults.release.push(`${text}.`);
    return undefined;
  }
}

interface ReadFile {
  readonly file: ReleaseFile;
  readonly bytes: Buffer;
}

class NotReadable extends Error {}

async function readChecked(path: string, name: string, faults: string[]): Promise<ReadFile | undefined> {
  try {
    const file = await openFile(path);
    try {
      const bytes = await readAll(file);
      const sum = createHash('sha256').update(bytes).digest('hex');
      return { file: { name, path, size: bytes.length, sum }, bytes };
    } finally {
      await file.close();
    }
  } catch (error) {
    faults.push(toMissing(error, name));
    return undefined;
  }
}

async function readAll(file: OpenFile): Promise<Buffer> {
  if (file.size > LARGEST_TEXT) throw new NotReadable(toTooLong(LARGEST_TEXT));
  const pieces: Buffer[] = [];
  for await (const piece of file.pieces()) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** A file that the sums name: its sum, read piece by piece. */
async function readNamed(
  path: string,
  name: string,
  { signal }: ReleaseSource,
  faults: string[],
): Promise<{ readonly file: ReleaseFile; readonly sum: string; readonly isZip: boolean } | undefined> {
  try {
    const file = await openFile(path);
    try {
      const hash = createHash('sha256');
      let head: Buffer | undefined;
      let size = 0;
      for await (const piece of file.pieces()) {
        signal.throwIfAborted();
        head ??= piece.subarray(0, 4);
        size += piece.length;
        hash.update(piece);
      }
      const sum = hash.digest('hex');
      return { file: { name, path, size, sum }, sum, isZip: isZip(head ?? Buffer.alloc(0), await file.tail(ZIP_TAIL)) };
    } finally {
      await file.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    faults.push(toMissing(error, name));
    return undefined;
  }
}

function toMissing(error: unknown, name: string): string {
  const why = toFault(error);
  return why === "it doesn't exist" ? `${name} is missing.` : `${name} can't be read: ${why}.`;
}
