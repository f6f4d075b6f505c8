import { isObject, parseJsonText } from '../json-object.ts';
import type { PublicKey } from './open-pgp.ts';

/** What the files of a release say, and what is wrong with them. Pure. */

/** A platform of Terraform, as addresses name it: `linux_amd64`. */
export interface Platform {
  readonly os: string;
  readonly arch: string;
}

export interface ReleaseFile {
  readonly name: string;
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** SHA-256, 64 digits in lower case. */
  readonly sum: string;
}

export interface PlatformFile extends Platform, ReleaseFile {}

/** A release that Terraform can install, as far as its files say. */
export interface Release {
  readonly name: string;
  readonly version: string;
  readonly protocols: readonly string[];
  readonly platforms: readonly PlatformFile[];
  readonly sums: ReleaseFile;
  readonly signature: ReleaseFile;
  /** What `sums` and `signature` hold. */
  readonly signed: { readonly text: Uint8Array; readonly signature: Uint8Array };
  /** The ids of the keys that signed. */
  readonly issuers: readonly string[];
  /** The key that signed, where one was given. */
  readonly key: PublicKey | undefined;
}

export interface Names {
  readonly name: string;
  readonly version: string;
}

/** Without a manifest. */
export const USUAL_PROTOCOLS = ['5.0'];

/** `linux_amd64` */
export function toPlatformText({ os, arch }: Platform): string {
  return `${os}_${arch}`;
}

const PLATFORM = /^([a-z0-9]+)_([a-z0-9]+)$/;

/** Undefined for what names no platform. */
function parsePlatform(text: string): Platform | undefined {
  const [, os, arch] = PLATFORM.exec(text) ?? [];
  return os === undefined || arch === undefined ? undefined : { os, arch };
}

/** `terraform-provider-billing_1.2.0` */
export function toStem({ name, version }: Names): string {
  return `${toStart({ name })}${version}`;
}

function toStart({ name }: Pick<Names, 'name'>): string {
  return `terraform-provider-${name}_`;
}

export interface SumsLine {
  readonly name: string;
  readonly sum: string;
  /** Of a zip. */
  readonly platform: Platform | undefined;
}

/**
 * The lines of a SHA256SUMS file that can be relied on, and every fault as a sentence without its subject: Terraform ends
 * in a crash at an empty line, and finds no file by a name that is marked or has a folder.
 */
export function parseSums(
  text: string,
  names: Names,
): { readonly lines: readonly SumsLine[]; readonly faults: readonly string[] } {
  const faults: string[] = [];
  const lines: SumsLine[] = [];
  const seen = new Set<string>();
  const all = text.split('\n');
  if (all.at(-1) === '') all.pop();
  for (const [index, whole] of all.entries()) {
    const line = whole.replace(/\r$/, '');
    const read = readLine(line, names, `line ${index + 1}`);
    if (typeof read === 'string') faults.push(read);
    else if (seen.has(read.name)) faults.push(`line ${index + 1} names ${read.name} again`);
    else lines.push(read);
    if (typeof read !== 'string') seen.add(read.name);
  }
  if (faults.length === 0 && !lines.some(({ platform }) => platform !== undefined)) {
    faults.push(`it names no ${toStem(names)}_<os>_<arch>.zip`);
  }
  return { lines, faults };
}

/** The line, or what is wrong with it. */
function readLine(line: string, names: Names, where: string): SumsLine | string {
  if (line.trim() === '') return `${where} is empty, which makes Terraform crash`;
  const [, sum, between, name] = /^([0-9a-fA-F]{64})( [ *])(\S.*)$/.exec(line) ?? [];
  if (sum === undefined || name === undefined) return `${where} is not a sum, two blanks and a name`;
  if (between === ' *' || name.startsWith('*')) {
    return `${where} marks its name with *, where Terraform finds no file: use sha256sum without -b`;
  }
  if (/[\\/]/.test(name)) return `${where} names a file with its folder, ${name}, where Terraform finds none`;
  if (/\s/.test(name)) return `${where} is not a sum, two blanks and a name`;
  const stem = `${toStem(names)}_`;
  const isOwn = name.startsWith(stem);
  const platform = isOwn ? parsePlatform(name.slice(stem.length).replace(/\.zip$/, '')) : undefined;
  const isZip = name.endsWith('.zip');
  if (isZip && isOwn && platform === undefined) return `${where} names ${name}, which is not ${stem}<os>_<arch>.zip`;
  if (!isOwn && isOfAnother(name, names)) {
    return `${where} names ${name}, which is not of ${names.name} ${names.version}`;
  }
  return { name, sum: sum.toLowerCase(), platform: isZip ? platform : undefined };
}

/** Of another version, or the zip of another provider. Other files may be in the same list. */
function isOfAnother(file: string, names: Names): boolean {
  if (file.endsWith('.zip') && file.startsWith('terraform-provider-')) return true;
  const start = toStart(names);
  const version = file.startsWith(start) ? parseVersion(file.slice(start.length).split('_', 1)[0] ?? '') : undefined;
  return version !== undefined && version !== names.version;
}

/** What the service knows. Terraform speaks from 5 to below 7. */
const PROTOCOLS = ['4.0', '5.0', '6.0'];

/** The protocols of a manifest. Throws Error in words, without its subject. */
export function parseManifest(text: string): readonly string[] {
  let value: unknown;
  try {
    value = parseJsonText(text);
  } catch {
    throw new Error('is not JSON');
  }
  const metadata = isObject(value) ? value['metadata'] : undefined;
  const protocols = isObject(metadata) ? metadata['protocol_versions'] : undefined;
  if (!Array.isArray(protocols) || protocols.length === 0) throw new Error('has no metadata.protocol_versions');
  const unknown = protocols.filter((protocol) => !PROTOCOLS.includes(protocol as string));
  if (unknown.length > 0) {
    const which = unknown.map((protocol) => JSON.stringify(protocol)).join(', ');
    throw new Error(`has the unknown protocol ${which}: use ${PROTOCOLS.map((each) => `"${each}"`).join(', ')}`);
  }
  if (protocols.every((protocol) => protocol === '4.0')) {
    throw new Error('has protocol 4.0 alone, which Terraform no longer speaks');
  }
  return [...new Set(protocols as readonly string[])];
}

/** Zips of this version that the sums don't name. */
export function findExtra(
  present: readonly string[],
  lines: readonly Pick<SumsLine, 'name'>[],
  names: Names,
): readonly string[] {
  const named = new Set(lines.map(({ name }) => name));
  const stem = `${toStem(names)}_`;
  return present.filter((name) => name.startsWith(stem) && name.endsWith('.zip') && !named.has(name));
}

/** The versions of providers that have sums in a folder. */
export function findReleases(present: readonly string[]): readonly Names[] {
  const [start, end] = [toStart({ name: '' }).slice(0, -1), '_SHA256SUMS'];
  return present
    .filter((file) => file.startsWith(start) && file.endsWith(end))
    .map((file) => file.slice(start.length, -end.length))
    .filter((names) => names.includes('_'))
    .map((names) => {
      const at = names.lastIndexOf('_');
      return { name: names.slice(0, at), version: names.slice(at + 1) };
    });
}

/** What a zip begins with, and what stands near its end. */
const ZIP_START = Buffer.from('PK\u0003\u0004', 'latin1');
const ZIP_END = Buffer.from('PK\u0005\u0006', 'latin1');
/** Bytes: the record at the end of a zip with the longest comment. */
export const ZIP_TAIL = 22 + 65_535;

export function isZip(head: Buffer, tail: Buffer): boolean {
  return head.subarray(0, ZIP_START.length).equals(ZIP_START) && tail.includes(ZIP_END);
}

const VERSION =
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/** Without a leading `v`; undefined for what is not a version of Semantic Versioning. */
export function parseVersion(text: string): string | undefined {
  const version = text.trim().replace(/^v/, '');
  return VERSION.test(version) ? version : undefined;
}
