import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ids } from './ids.ts';
import { createForeign } from './input-error.ts';

/** Folders that the sandbox made. It recognizes them by a file in them. */

const MARK = '.orgctl-sandbox';
const TEXT = 'The sandbox of orgctl made this folder, and removes the files that it put here.\n';

export function isMarked(folder: string): boolean {
  return existsSync(join(folder, MARK));
}

/** Makes the folder, with its mark from the first moment, unless something is there. */
export function makeMarkedFolder(folder: string, ids: Ids): void {
  if (isThere(folder)) return;
  const draft = `${folder}.${ids.uuid()}`;
  mkdirSync(draft, { mode: 0o700 });
  try {
    writeFileSync(join(draft, MARK), TEXT, { mode: 0o600 });
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true });
    // Another process may have made it meanwhile.
    if (!isMarked(folder)) throw error;
  }
}

/**
 * Throws SandboxStateError for a folder that the sandbox did not make. Up to 0.2 it left no mark: then the names of
 * the files show whose it is.
 */
export function refuseForeignFolder(folder: string, ours: RegExp): void {
  if (!isThere(folder) || isMarked(folder)) return;
  const files = readNames(folder);
  if (files === undefined || (files.length > 0 && !files.some((file) => ours.test(file)))) throw createForeign(folder);
}

/** A symbolic link that leads nowhere is there, too. */
export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Undefined where it is no folder, or one that may not be read. */
function readNames(folder: string): string[] | undefined {
  try {
    return readdirSync(folder);
  } catch {
    return undefined;
  }
}
