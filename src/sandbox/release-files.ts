import { createWriteStream, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Companions } from './companions.ts';
import type { Ids } from './ids.ts';
import { forgetDiscardedFile, isReleaseFile, listDiscardedFiles } from './queries/releases.ts';
import type { Store } from './store.ts';

export type ReleaseFiles = ReturnType<typeof createReleaseFiles>;

/** What nothing belongs to after so long was left by an upload that was killed. */
const LEFT_AFTER = 90_000_000;

/** The uploaded files, each under a name that is never used again. */
export function createReleaseFiles(companions: Companions, store: Store, ids: Ids) {
  let isSwept = false;
  const toFolder = (): string => companions.toPath('-files');
  const toPath = (file: string): string => join(toFolder(), file);
  const remove = (file: string): void => rmSync(toPath(file), { force: true });
  const prepare = (now: number): void => {
    mkdirSync(toFolder(), { recursive: true, mode: 0o700 });
    if (!isSwept) sweep(store, toFolder(), now);
    isSwept = true;
  };
  return {
    /** Streams it to a new file, whose name is the result. A file that did not come whole is removed again. */
    async write(source: AsyncIterable<Uint8Array>, now: number): Promise<string> {
      prepare(now);
      const file = ids.id('file');
      try {
        await pipeline(source, createWriteStream(toPath(file), { flags: 'wx', mode: 0o600 }));
      } catch (error) {
        remove(file);
        throw error;
      }
      return file;
    },
    toPath,
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
    removeAll: (): void => rmSync(toFolder(), { recursive: true, force: true }),
  };
}

function sweep(store: Store, folder: string, now: number): void {
  for (const file of readdirSync(folder)) {
    const { mtimeMs } = statSync(join(folder, file), { throwIfNoEntry: false }) ?? { mtimeMs: now };
    if (now - mtimeMs > LEFT_AFTER && !isReleaseFile(store, file)) rmSync(join(folder, file), { force: true });
  }
}
