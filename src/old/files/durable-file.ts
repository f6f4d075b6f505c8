import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { toErrorCode } from '../errors.ts';
import { isAbsence, isThere, listFolder } from './look.ts';
import { isOpenToOthers, PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE } from './permissions.ts';
import { NO_LINK_NO_WAIT } from './read-file.ts';

/** Files of orgctl's own, which their owner alone may read. These functions throw what the file system says. */

/**
 * Makes a folder, and those above it, for their owner alone. One that is there already stays as it is.
 * They are made one by one: Node's own way never ends where making a folder is answered with "not found", as in /proc.
 */
export function makeFolder(folder: string): void {
  if (isThere(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: PRIVATE_FOLDER_MODE });
  } catch (error) {
    // Another process may have been quicker.
    if (toErrorCode(error) !== 'EEXIST') throw error;
  }
  syncFolder(parent);
}

/**
 * Makes a file that is not there yet, readable by its owner alone from the first moment; on disk when this returns.
 * Leaves nothing behind when it throws, which it also does where the file system lets others read the file all the same.
 */
export function createPrivateFile(path: string, content: string | Uint8Array): void {
  const file = openSync(path, 'wx', PRIVATE_FILE_MODE);
  try {
    if (isOpenToOthers(fstatSync(file).mode))
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

/** Writes into a private file that was made before, with room for this. On disk when this returns. */
export function fillPrivateFile(path: string, content: Uint8Array): void {
  const file = openSync(path, constants.O_RDWR | NO_LINK_NO_WAIT);
  try {
    writeFileSync(file, content);
    ftruncateSync(file, content.length);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A file that is not there is no error. The errors of rmSync, which would do the same, lack a code on Node 24. */
export function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!isAbsence(error)) throw error;
  }
}

/** Removes a file, and the removal is on disk when this returns. The folder may be gone too. */
export function removeDurably(path: string): void {
  removeFile(path);
  try {
    syncFolder(dirname(path));
  } catch (error) {
    if (!isAbsence(error)) throw error;
  }
}

/** With all that is in it. A folder that is not there is no error. */
export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

export function removeQuietly(path: string): void {
  try {
    removeFile(path);
  } catch {
    // The caller reports what failed before.
  }
}

/** Removes what lies beside a file and has such a name. What can't be removed stays: it does no harm. */
export function removeBeside(path: string, isLeft: (name: string) => boolean): void {
  const folder = dirname(path);
  try {
    for (const { name } of listFolder(folder)) if (isLeft(name)) removeQuietly(join(folder, name));
  } catch {
    // The folder may be missing.
  }
}

// The system answers so where folders cannot be synced: on Windows, on some network file systems, without permission to list one.
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
    if (!CANNOT_SYNC_FOLDERS.includes(toErrorCode(error))) throw error;
  }
}
