import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { MEMORY } from './store.ts';

export type Companions = ReturnType<typeof createCompanions>;

/** What lies beside the state: for one that is kept nowhere, in a private folder that goes at the end. */
export function createCompanions(state: string) {
  let folder: string | undefined;
  return {
    toPath(ending: string): string {
      if (state !== MEMORY) return `${resolve(state)}${ending}`;
      folder ??= mkdtempSync(join(tmpdir(), 'orgctl-sandbox-'));
      return join(folder, `sandbox${ending}`);
    },
    close(): void {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}
