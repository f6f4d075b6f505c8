import { accessSync, constants, existsSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { toErrorCode } from '../errors.ts';

/** These functions look at what is there, and open nothing. They follow links, and throw what the file system says. */

/** Links that are followed on the way to one file, as by Linux. */
export const MOST_LINKS = 40;

export function isThere(path: string): boolean {
  return existsSync(path);
}

export function isFolder(path: string): boolean {
  return statSync(path).isDirectory();
}

/** Throws where nothing can be made in the folder; of one that is not there yet, in the nearest above it. */
export function checkWritable(folder: string): void {
  if (!isThere(folder) && dirname(folder) !== folder) checkWritable(dirname(folder));
  else accessSync(folder, constants.W_OK | constants.X_OK);
}

/** The permissions of a file; undefined where there is none. */
export function findMode(path: string): number | undefined {
  try {
    return statSync(path).mode;
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

/** Whether there is more than an empty file. Never throws: a file that cannot be looked at counts as not empty. */
export function hasContent(path: string): boolean {
  try {
    return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
  } catch {
    return true;
  }
}

/** An id, which two paths share that lead to one file or folder, also by links or mounts. */
export function findId(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev}:${ino}`;
}

/** Where the links of a path lead; the path itself where that can't be found. */
export function findReal(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

export interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** In the order that the system gives. */
export function listFolder(folder: string): readonly Entry[] {
  return readdirSync(folder, { withFileTypes: true }).map((entry) => ({
    name: entry.name,
    isFolder: entry.isDirectory(),
  }));
}

/** Whether an error says that there is no such file or folder. */
export function isAbsence(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(toErrorCode(error));
}

/** Whether an open file that is not empty ends with a newline. Undefined where its last byte is gone. */
export function endsWithNewline(descriptor: number, size: number): boolean | undefined {
  const byte = new Uint8Array(1);
  return readSync(descriptor, byte, 0, 1, size - 1) === 1 ? byte[0] === 0x0a : undefined;
}
