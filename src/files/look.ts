import { existsSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs';
import { toErrorCode } from '../errors.ts';

/** Looks at what is there, and opens nothing. Links are followed. Where it is not said, throws what the file system says. */

/** Links that are followed on the way to one file, as by Linux. */
export const MOST_LINKS = 40;

export function isThere(path: string): boolean {
  return existsSync(path);
}

export function isFolder(path: string): boolean {
  return statSync(path).isDirectory();
}

/** The permissions; undefined where there is nothing. */
export function findMode(path: string): number | undefined {
  try {
    return statSync(path).mode;
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

/** Whether there is more than an empty file. What cannot even be looked at counts as that. */
export function hasContent(path: string): boolean {
  try {
    return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
  } catch {
    return true;
  }
}

/** The same for two paths that are one file or folder, also by links or mounts. */
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

/** Whether it says that there is nothing. */
export function isAbsence(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(toErrorCode(error));
}

/** Of an open file that is not empty. Undefined where its last byte is not there. Throws what the system says. */
export function endsWithNewline(descriptor: number, size: number): boolean | undefined {
  const byte = new Uint8Array(1);
  return readSync(descriptor, byte, 0, 1, size - 1) === 1 ? byte[0] === 0x0a : undefined;
}
