import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readErrorCode, UsageError } from './errors.ts';
import { formatFileError } from './files.ts';
import { attempt } from './input.ts';

/** Lists a folder that the user named, relative to `cwd`. Throws UsageError. */
export function listFolder(path: string, { cwd }: { cwd: string }): string[] {
  return attempt(path, () => readdirSync(resolve(cwd, path)));
}

/** Empty if the folder does not exist or can't be read. */
export function listSubfolders(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []));
  } catch {
    return [];
  }
}

/** Throws the system's error. */
export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

/**
 * Creates a folder that only this user may enter, and its parents. Throws the system's error. Node's own recursion never ends
 * in /proc, which answers "not found" to a new folder.
 */
export function createFolder(path: string): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) createFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (readErrorCode(error) !== 'EEXIST') throw error;
  }
}

/** Throws UsageError. */
export function makePrivateFolder(path: string): void {
  try {
    createFolder(path);
  } catch (error) {
    throw new UsageError(`can't create ${path}: ${formatFileError(error)}`, {
      hint: 'Set ORGCTL_STATE_DIR to a folder that you can write to.',
      cause: error,
    });
  }
}
