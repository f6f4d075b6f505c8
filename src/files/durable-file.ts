import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Files that outlive the process and the power, for their owner alone. Errors are the file system's own. */

/** Whether files have permissions and owners here. Windows has neither, nor this flag. */
export const HAS_PERMISSIONS = constants.O_NOFOLLOW !== undefined;

/** Opens no link, and does not wait for the writer of a pipe. */
export const PLAIN = HAS_PERMISSIONS ? constants.O_NOFOLLOW | constants.O_NONBLOCK : 0;

/**
 * Makes a folder, and those above it, for their owner alone. One that is there already stays as it is.
 * One by one: Node's own way never ends where making a folder is answered with "not found", as in /proc.
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have been quicker.
    if (toCode(error) !== 'EEXIST') throw error;
  }
  syncFolder(parent);
}

/**
 * Makes a file that is not there yet, readable by its owner alone from the first moment; on disk when this returns.
 * Leaves nothing behind when it throws, which it also does where the file system lets others read the file all the same.
 */
export function createPrivateFile(path: string, content: string | Uint8Array): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    if (HAS_PERMISSIONS && (fstatSync(file).mode & 0o077) !== 0)
      throw new Error(`the file system of ${dirname(path)} lets others read every file`);
    writeFileSync(file, content);
    fsyncSync(file);
    syncFolder(dirname(path));
  } catch (error) {
    removeQuietly(path);
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Replaces a file as a whole: whoever reads it, and whenever the power fails, it is the old one or the new one. */
export function replaceFile(path: string, content: string, unique: string): void {
  const temporary = join(dirname(path), `.${basename(path)}.orgctl-${unique}`);
  createPrivateFile(temporary, content);
  try {
    renameSync(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
  syncFolder(dirname(path));
}

/** Removes what killed runs left of replacing this file. Only for whoever knows that nobody replaces it now. */
export function removeLeftovers(path: string): void {
  const start = `.${basename(path)}.orgctl-`;
  try {
    for (const name of readdirSync(dirname(path))) {
      if (name.startsWith(start)) removeQuietly(join(dirname(path), name));
    }
  } catch {
    // They are in nobody's way.
  }
}

/** One that is not there is no error. By unlink: the reasons rmSync gives lack a code on Node 24. */
export function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes(toCode(error))) throw error;
  }
}

export function removeQuietly(path: string): void {
  try {
    removeFile(path);
  } catch {
    // What failed before is what there is to tell.
  }
}

export interface PlainFile {
  readonly bytes: Uint8Array;
  readonly mode: number;
  /** The user's number; 0 on Windows. */
  readonly owner: number;
}

/** Undefined where there is no file. Throws for links, pipes, folders and what is longer than `maximum` bytes. */
export function readPlainFile(path: string, maximum: number): PlainFile | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | PLAIN);
  } catch (error) {
    if (toCode(error) === 'ENOENT') return undefined;
    throw toCode(error) === 'ELOOP' ? new Error('it is a link', { cause: error }) : error;
  }
  try {
    const status = fstatSync(file);
    if (!status.isFile()) throw new Error('it is not a regular file');
    if (status.size > maximum) throw new Error(`it is longer than ${maximum} bytes`);
    return { bytes: readFileSync(file), mode: status.mode, owner: status.uid };
  } finally {
    closeSync(file);
  }
}

/** What Node and the operating system call an error; empty where they gave it no name. */
export function toCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}

// What is said where folders cannot be synced: by Windows, by some network file systems, to who may not list one.
const CANNOT_SYNC_FOLDERS = ['EPERM', 'EISDIR', 'EACCES', 'EINVAL', 'ENOTSUP', 'ENOSYS', 'EBADF'];

/** Puts the names in a folder on disk, where the system can. */
export function syncFolder(folder: string): void {
  try {
    const file = openSync(folder, constants.O_RDONLY);
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (!CANNOT_SYNC_FOLDERS.includes(toCode(error))) throw error;
  }
}
