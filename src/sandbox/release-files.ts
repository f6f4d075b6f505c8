import { createWriteStream, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Ids } from './ids.ts';
import { forgetDiscardedFile, isReleaseFile, listDiscardedFiles } from './queries/releases.ts';
import { MEMORY, type Store } from './store.ts';

export type ReleaseFiles = ReturnType<typeof createReleaseFiles>;

/** What nothing belongs to after so long was left by an upload that was killed. */
const LEFT_AFTER = 90_000_000;

/**
 * The uploaded files, each under a name that is never used again: in a folder beside the state, or in one that ends with the
 * process.
 */
export function createReleaseFiles(state: string, store: Store, ids: Ids) {
  let folder = state === MEMORY ? undefined : `${state}-files`;
  let isSwept = false;
  const prepare = (now: number): string => {
    folder ??= mkdtempSync(join(tmpdir(), 'orgctl-sandbox-'));
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isSwept) sweep(store, folder, now);
    isSwept = true;
    return folder;
  };
  const remove = (file: string): void => {
    if (folder !== undefined) rmSync(join(folder, file), { force: true });
  };
  const removeAll = (): void => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  };
  return {
    /** Streams it to a new file, whose name is the result. A file that did not come whole is removed again. */
    async write(source: AsyncIterable<Uint8Array>, now: number): Promise<string> {
      const file = ids.id('file');
      const path = join(prepare(now), file);
      try {
        await pipeline(source, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
      } catch (error) {
        remove(file);
        throw error;
      }
      return file;
    },
    toPath: (file: string): string => join(folder ?? '', file),
    remove,
    /** Removes what no version or platform has any more. */
    removeDiscarded(): void {
      const discarded = store.read(() => listDiscardedFiles(store));
      if (discarded.length === 0) return;
      for (const file of discarded) remove(file);
      store.write(() => {
        for (const file of discarded) forgetDiscardedFile(store, file);
      });
    },
    removeAll,
    close(): void {
      if (state === MEMORY) removeAll();
    },
  };
}

function sweep(store: Store, folder: string, now: number): void {
  for (const file of readdirSync(folder)) {
    const { mtimeMs } = statSync(join(folder, file), { throwIfNoEntry: false }) ?? { mtimeMs: now };
    if (now - mtimeMs > LEFT_AFTER && !isReleaseFile(store, file)) rmSync(join(folder, file), { force: true });
  }
}
