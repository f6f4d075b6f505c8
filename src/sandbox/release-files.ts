import { createWriteStream, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Companions } from './companions.ts';
import type { Ids } from './ids.ts';
import { forgetDiscardedFile, isReleaseFile, listDiscardedFiles, listFiles } from './queries/releases.ts';
import type { Store } from './rows.ts';

export type ReleaseFiles = ReturnType<typeof createReleaseFiles>;

/** The ending of the folder beside the state. */
export const FILES = '-files';

/** A file that belongs to nothing after so long was left by an upload that was killed. */
const LEFT_AFTER = 90_000_000;
const NAME = /^file-\w{16}$/;

/** The uploaded files, each under a name that is never used again. */
export function createReleaseFiles(companions: Companions, store: Store, ids: Ids) {
  let isPrepared = false;
  const toFolder = (): string => companions.toPath(FILES);
  const toPath = (file: string): string => join(toFolder(), file);
  const remove = (file: string): void => rmSync(toPath(file), { force: true });
  const prepare = (now: number): void => {
    mkdirSync(toFolder(), { recursive: true, mode: 0o700 });
    if (isPrepared) return;
    sweep(store, toFolder(), now);
    isPrepared = true;
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
    /** The files that the state knows. */
    list: (): string[] => store.read(() => listFiles(store)),
    /** Removes these files, and those that killed uploads left. */
    removeAll(files: readonly string[]): void {
      for (const file of files) remove(file);
      removeOwnFiles(toFolder());
    },
  };
}

/** Removes what has the name of an uploaded file, and nothing else. */
export function removeOwnFiles(folder: string): void {
  for (const file of listOwnFiles(folder)) rmSync(join(folder, file), { force: true });
}

function sweep(store: Store, folder: string, now: number): void {
  for (const file of listOwnFiles(folder)) {
    const { mtimeMs } = statSync(join(folder, file), { throwIfNoEntry: false }) ?? { mtimeMs: now };
    if (now - mtimeMs > LEFT_AFTER && !isReleaseFile(store, file)) rmSync(join(folder, file), { force: true });
  }
}

function listOwnFiles(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => NAME.test(name)) : [];
}
