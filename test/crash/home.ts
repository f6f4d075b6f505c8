import { lstatSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Program,
  startWatched,
  type WatchedEnd,
  type WatchedRun,
  type WatchOptions,
} from '../campaign/process.ts';

/** What processes of orgctl that may be ended at any point leave on disk. */

export interface Home {
  readonly path: string;
  remove(): void;
}

export function createHome(): Home {
  const path = mkdtempSync(join(tmpdir(), 'orgctl-crash-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Everything that is made open to others without need shows under umask 000. */
export function start(program: Program, argv: readonly string[], options: WatchOptions): WatchedRun {
  return startWatched(program, argv, { umask: '000', stdin: '', ...options });
}

export async function run(program: Program, argv: readonly string[], options: WatchOptions): Promise<WatchedEnd> {
  return await start(program, argv, options).ended;
}

/** What a killed run held: the folder is a dead process's from now on, without waiting for the clock. */
export function ageLocks({ operations }: WatchedEnd): void {
  const held = new Set<string>();
  for (const { name, path, done } of operations) {
    if (!path.endsWith('.lock') || done !== true) continue;
    if (name === 'mkdir') held.add(path);
    if (name === 'rmdir') held.delete(path);
  }
  for (const path of held) utimesSync(path, 1, 1);
}

/** Below a folder, files and folders. */
export function listAll(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** What others may read, write or enter, with its mode. */
export function findOpenToOthers(folder: string): readonly string[] {
  return listAll(folder).flatMap((path) => {
    const { mode } = lstatSync(path);
    return (mode & 0o077) === 0
      ? []
      : [`others may see ${(mode & 0o777).toString(8)} ${path.slice(folder.length + 1)}`];
  });
}

/** What was made, or changed, so that others could read it from then on. Under umask 000 the modes are as asked for. */
export function findMadeOpen({ operations }: WatchedEnd): readonly string[] {
  return operations
    .filter(({ name, isNew, mode, done }) => {
      if (done !== true || !(isNew === true || name === 'chmod' || name === 'fchmod')) return false;
      return typeof mode !== 'number' || (mode & 0o077) !== 0;
    })
    .map(({ name, path, mode }) => `${name} ${path} ${mode?.toString(8) ?? 'without a mode'}`);
}
