import {
  appendFileSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  createReadStream,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { formatReason, readErrorCode, UsageError } from './errors.ts';

const REASONS: Record<string, string> = {
  ENOENT: "it doesn't exist",
  EACCES: "you don't have permission",
  EPERM: "you don't have permission",
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is no folder',
  EROFS: 'its file system is read-only',
  ENOSPC: 'no space is left',
};

export function formatFileError(error: unknown): string {
  return REASONS[readErrorCode(error)] ?? formatReason(error);
}

/** The text of a file that the user named, relative to `cwd`. Throws UsageError. */
export function readTextFile(path: string, { cwd = '', hint }: { cwd?: string; hint?: string } = {}): string {
  try {
    return readFileSync(resolve(cwd, path), 'utf8').replace(/^\ufeff/, '');
  } catch (error) {
    throw new UsageError(`can't read ${path}: ${formatFileError(error)}`, { hint, cause: error });
  }
}

/** A file of any size, piece by piece. Throws the system's errors. */
export function readPieces(path: string): AsyncIterable<Uint8Array> {
  return createReadStream(path, { highWaterMark: 256 * 1024 });
}

/** Undefined if there is no file. Throws UsageError. */
export function readOptionalFile(path: string, encoding: BufferEncoding = 'utf8'): string | undefined {
  try {
    return readFileSync(path, encoding);
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return undefined;
    throw new UsageError(`can't read ${path}: ${formatFileError(error)}`, { cause: error });
  }
}

/**
 * A file with secrets: it belongs to this user or to root, and nobody else may read it. Undefined if there is none.
 * Throws UsageError. `user` is undefined on Windows, which has no modes.
 */
export function readPrivateFile(path: string, user: number | undefined): string | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return undefined;
    throw new UsageError(`can't read ${path}: ${formatFileError(error)}`, { cause: error });
  }
  try {
    const { uid, mode } = fstatSync(file);
    if (user !== undefined && uid !== user && uid !== 0) {
      throw new UsageError(`${path} belongs to another user`, { hint: 'It is not used, since it holds secrets.' });
    }
    if (user !== undefined && (mode & 0o077) !== 0) {
      throw new UsageError(`other users can read ${path}`, { hint: `Run chmod 600 ${path}` });
    }
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** Appends a line to a file that only this user may read. Throws UsageError. */
export function appendPrivateLine(path: string, line: string): void {
  try {
    appendFileSync(path, `${line}\n`, { mode: 0o600 });
  } catch (error) {
    throw new UsageError(`can't write ${path}: ${formatFileError(error)}`, { cause: error });
  }
}

/**
 * Replaces a file as a whole, on disk when it returns; only this user may read it. One that can't be replaced (it is
 * mounted, the disk is full) is written in place. Throws the system's error; what was there then still is.
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

/** Replaces a file as a whole, through a link. Its mode stays; a mounted file is written in place. Throws any error. */
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

/** Throws any error if `writeThroughLink` would certainly fail. */
export function assertReplaceable(path: string): void {
  const target = findTarget(path);
  const stats = statSync(target, { throwIfNoEntry: false });
  if (stats && !stats.isFile()) throw new Error('it is not a regular file');
  if (!existsSync(dirname(target))) throw new Error("its folder doesn't exist");
  if (isMounted(target, stats)) {
    assertWritable(target);
  } else {
    removeLeftover(target);
    writeFileSync(nameTemporary(target), '', { flag: 'wx', mode: 0o600 });
    rmSync(nameTemporary(target));
  }
}

/** Throws the system's error. */
export function assertWritable(path: string): void {
  closeSync(openSync(path, 'r+'));
}

/** Removes what a killed run may have left beside a file. */
export function removeLeftover(path: string): void {
  try {
    rmSync(nameTemporary(path), { force: true });
  } catch {
    // The next write fails, and says why.
  }
}

function nameTemporary(path: string): string {
  return join(dirname(path), `.${basename(path)}.orgctl`);
}

/** On disk when it returns: the file that was there was never half written. `like`: whose mode and owner it gets. */
function replaceFile(path: string, content: string | Uint8Array, like?: Stats): void {
  const temporary = nameTemporary(path);
  removeLeftover(path);
  try {
    writeFileSync(temporary, content, { flag: 'wx', mode: 0o600, flush: true });
    if (like) copyAccess(temporary, like);
    renameSync(temporary, path);
  } catch (error) {
    removeLeftover(path);
    throw error;
  }
  syncFolder(dirname(path));
}

function copyAccess(path: string, { uid, gid, mode }: Stats): void {
  try {
    chownSync(path, uid, gid);
  } catch {
    // Only root can give a file away.
  }
  chmodSync(path, mode & 0o777);
}

/** Without emptying it first: if it fails, what was there is put back. Follows no link. */
function overwriteFile(path: string, content: string | Uint8Array): void {
  const file = openSync(path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
  try {
    const before = readFileSync(file);
    try {
      overwrite(file, Buffer.from(content));
    } catch (error) {
      overwrite(file, before);
      throw error;
    }
  } finally {
    closeSync(file);
  }
}

function overwrite(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, at);
  ftruncateSync(file, bytes.length);
  fsyncSync(file);
}

/** Where a link leads, and any other path as it is. */
function findTarget(path: string): string {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return path;
  if (!existsSync(path)) throw new Error('it is a link to a file that does not exist');
  return realpathSync(path);
}

/** A container's mounted file is on another disk than its folder, which may be read-only. */
function isMounted(path: string, stats: Stats | undefined): boolean {
  return stats !== undefined && stats.dev !== statSync(dirname(path)).dev;
}

/** Windows has no such thing, and some file systems neither. */
function syncFolder(folder: string): void {
  try {
    const file = openSync(folder, 'r');
    fsyncSync(file);
    closeSync(file);
  } catch {
    // The file itself is on disk.
  }
}
