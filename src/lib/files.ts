import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { formatReason, readErrorCode, UsageError } from './errors.ts';
import { decodeText } from './input-text.ts';

const REASONS: Record<string, string> = {
  ENOENT: "it doesn't exist",
  EACCES: "you don't have permission",
  EPERM: "you don't have permission",
  EISDIR: 'it is a folder',
  ENOTDIR: 'part of its path is not a folder',
  EROFS: 'its file system is read-only',
  ENOSPC: 'no space is left',
};

export function formatFileError(error: unknown): string {
  return REASONS[readErrorCode(error)] ?? formatReason(error);
}

/** Undefined if the file does not exist. Throws UsageError, for a pipe or folder too. */
export function readOptionalFile(path: string, encoding?: BufferEncoding, check = (_stats: Stats): void => undefined) {
  let file: number;
  try {
    // Opening a named pipe would wait for its writer.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    // A user of a system service has /dev/null as home folder.
    if (['ENOENT', 'ENOTDIR'].includes(readErrorCode(error))) return undefined;
    throw new UsageError(`can't read ${path}: ${formatFileError(error)}`, { cause: error });
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new UsageError(`${path} is not a regular file`);
    check(stats);
    const bytes = readFileSync(file);
    return encoding ? bytes.toString(encoding) : decodeText(bytes, path);
  } finally {
    closeSync(file);
  }
}

/**
 * Replaces a file as a whole, readable only by this user, and returns when the file is on disk. A file that can't be replaced
 * (a mounted file, a full disk) is written in place. Throws the system's error, and keeps the old content then.
 */
export function writePrivateFile(path: string, text: string): void {
  try {
    replaceFile(path, text);
  } catch (error) {
    try {
      overwriteFile(path, text);
    } catch {
      throw error;
    }
  }
}

/** Replaces the file that a link leads to, and keeps its mode. A mounted file is written in place. Throws any error. */
export function writeThroughLink(path: string, content: string | Uint8Array): void {
  const target = findTarget(path);
  const stats = statSync(target, { throwIfNoEntry: false });
  try {
    replaceFile(target, content, stats);
  } catch (error) {
    if (readErrorCode(error) !== 'EBUSY' && !isMounted(target, stats)) throw error;
    overwriteFile(target, content);
  }
}

export function assertReplaceable(path: string): void {
  const target = findTarget(path);
  const stats = statSync(target, { throwIfNoEntry: false });
  if (stats && !stats.isFile()) throw new Error('it is not a regular file');
  if (!existsSync(dirname(target))) throw new Error("its folder doesn't exist");
  const isInPlace = isMounted(target, stats);
  const probe = isInPlace ? target : nameTemporary(target);
  closeSync(openSync(probe, isInPlace ? 'r+' : 'wx', 0o600));
  // Another run may take it for what a killed run has left.
  if (!isInPlace) rmSync(probe, { force: true });
}

/** The path without links, of a file that may not exist yet. */
export function findRealPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    // Only the root is its own folder.
    return dirname(path) === path ? path : join(findRealPath(dirname(path)), basename(path));
  }
}

export function assertFileWritable(path: string): void {
  closeSync(openSync(path, 'r+'));
}

/** Removes the temporary files that killed runs have left beside a file. */
export function removeLeftovers(path: string): void {
  const start = `.${basename(path)}.`;
  try {
    for (const name of readdirSync(dirname(path))) {
      const isLeft = name.startsWith(start) && /^[0-9a-f]{16}\.orgctl$/.test(name.slice(start.length));
      if (isLeft) rmSync(join(dirname(path), name), { force: true });
    }
  } catch {
    // The next write fails, and gives the reason.
  }
}

/** Nobody can know the name before, and two runs never share one. */
function nameTemporary(path: string): string {
  // The global needs no import of node:crypto, which takes 5 ms.
  const random = crypto.getRandomValues(new Uint8Array(8));
  return join(dirname(path), `.${basename(path)}.${Buffer.from(random).toString('hex')}.orgctl`);
}

function replaceFile(path: string, content: string | Uint8Array, access?: Stats): void {
  const temporary = nameTemporary(path);
  removeLeftovers(path);
  try {
    writeFileSync(temporary, content, { flag: 'wx', mode: 0o600, flush: true });
    if (access) copyAccess(temporary, access);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

function copyAccess(path: string, { uid, gid, mode }: Stats): void {
  try {
    chownSync(path, uid, gid);
  } catch {
    // Only root can change the owner.
  }
  chmodSync(path, mode & 0o777);
}

/** Restores the old content if the write fails. */
function overwriteFile(path: string, content: string | Uint8Array): void {
  const before = readFileSync(path);
  try {
    overwrite(path, content);
  } catch (error) {
    overwrite(path, before);
    throw error;
  }
}

/** Follows no link. */
function overwrite(path: string, content: string | Uint8Array): void {
  const file = openSync(path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
  try {
    writeFileSync(file, content);
    ftruncateSync(file, Buffer.byteLength(content));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function findTarget(path: string): string {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return path;
  if (!existsSync(path)) throw new Error('it is a link to a file that does not exist');
  return realpathSync(path);
}

/** A file that is mounted into a container is on another disk than its folder. */
function isMounted(path: string, stats: Stats | undefined): boolean {
  return stats !== undefined && stats.dev !== statSync(dirname(path)).dev;
}

/** Windows and some file systems can't sync a folder. */
function syncFolder(folder: string): void {
  try {
    const file = openSync(folder, 'r');
    fsyncSync(file);
    closeSync(file);
  } catch {
    // The file itself is on disk.
  }
}
