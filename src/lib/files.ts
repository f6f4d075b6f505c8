import {
  appendFileSync,
  closeSync,
  createReadStream,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
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

/** The names in a folder that the user named, relative to `cwd`. Throws UsageError. */
export function listFolder(path: string, { cwd }: { cwd: string }): string[] {
  try {
    return readdirSync(resolve(cwd, path));
  } catch (error) {
    throw new UsageError(`can't read ${path}: ${formatFileError(error)}`, { cause: error });
  }
}

/** A file of any size, piece by piece. Throws the system's errors. */
export function readPieces(path: string): AsyncIterable<Uint8Array> {
  return createReadStream(path, { highWaterMark: 256 * 1024 });
}

/** Undefined if there is no file. Throws UsageError. */
export function readOptionalFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
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
 * Replaces a file as a whole, on disk when it returns; only this user may read it. Another file in its place was never
 * half written. Throws the system's error.
 */
export function writePrivateFile(path: string, text: string): void {
  const folder = dirname(path);
  const temporary = join(folder, `.${basename(path)}.orgctl`);
  // A killed run may have left it.
  rmSync(temporary, { force: true });
  try {
    writeFileSync(temporary, text, { flag: 'wx', mode: 0o600, flush: true });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    // A mounted file can't be replaced.
    if (readErrorCode(error) !== 'EBUSY') throw error;
    writeFileSync(path, text, { flush: true });
  }
  syncFolder(folder);
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

/** Whether a regular file's last line has no end. `descriptor` may be for writing alone: only Linux can read it then. */
export function isTornFile(descriptor: number): boolean {
  if (!isRegularFile(descriptor)) return false;
  try {
    const file = openSync(`/proc/self/fd/${descriptor}`, 'r');
    const last = Buffer.alloc(1);
    const length = readSync(file, last, 0, 1, Math.max(0, fstatSync(file).size - 1));
    closeSync(file);
    return length > 0 && last.toString() !== '\n';
  } catch {
    return false;
  }
}

/** Puts on disk what was written to a regular file. Throws the system's error. */
export function syncFile(descriptor: number): void {
  if (isRegularFile(descriptor)) fsyncSync(descriptor);
}

function isRegularFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false;
  }
}

/** A folder that only this user may enter. Throws UsageError. */
export function makePrivateFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new UsageError(`can't create ${path}: ${formatFileError(error)}`, { cause: error });
  }
}

/** Removes what a killed run left of a replacement. */
export function removeLeftover(path: string): void {
  rmSync(join(dirname(path), `.${basename(path)}.orgctl`), { force: true });
}
