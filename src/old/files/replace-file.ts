import { createHash } from 'node:crypto';
import { renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createPrivateFile, removeBeside, removeQuietly, syncFolder } from './durable-file.ts';

/** This stands apart from durable-file.ts, which every command loads: loading the hash takes as long as some commands do. */

const LONGEST_NAME = 255;

/**
 * Where the next content of a file waits: beside it, since a rename is atomic only within one file system. `unique`:
 * hexadecimal digits that no other run has.
 */
export function toTemporaryPath(path: string, unique: string): string {
  const name = `${toTemporaryStart(basename(path))}${unique}`;
  if (Buffer.byteLength(name) <= LONGEST_NAME) return join(dirname(path), name);
  const short = createHash('sha256').update(basename(path)).digest('hex').slice(0, 16);
  return join(dirname(path), `${toTemporaryStart(short)}${unique}`);
}

function toTemporaryStart(name: string): string {
  return `.${name}.orgctl-`;
}

/** Not by the last part of the path alone: with a slash at the end it would be no file. */
export function isTemporaryPath(path: string): boolean {
  return /\.orgctl-[0-9a-f]+$/.test(path);
}

/**
 * Replaces a file as a whole: at any moment, also after a power failure, it is the old one or the new one. For orgctl's own
 * files; those that users name for a secret are replaced by `replace-target.ts`, which reserves room first
 * and keeps their group and mode, and settings by conf, which keeps their owner and takes any file system.
 */
export function replaceFile(path: string, content: string, unique: string): void {
  const temporary = toTemporaryPath(path, unique);
  createPrivateFile(temporary, content);
  try {
    renameSync(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
  syncFolder(dirname(path));
}

/** Removes what killed runs left of replacing this file. Only while no other process can be replacing it. */
export function removeLeftovers(path: string): void {
  const start = toTemporaryStart(basename(path));
  removeBeside(path, (name) => name.startsWith(start));
}
