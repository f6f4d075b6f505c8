import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from './errors.ts';
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

/** Creates a folder that only this user may enter, and its parents. Throws UsageError; `variable` names another folder. */
export function makePrivateFolder(path: string, variable = 'ORGCTL_STATE_DIR'): void {
  try {
    mkdirSync(path, { mode: 0o700, recursive: true });
  } catch (error) {
    throw new UsageError(`can't create ${path}: ${formatFileError(error)}`, {
      hint: `Set ${variable} to a folder that you can write to.`,
      cause: error,
    });
  }
}
