import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { MEMORY } from './store.ts';

export type Companions = ReturnType<typeof createCompanions>;

/** Files that lie beside the state. Those of a state in memory lie in a private folder, which is removed at the end. */
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
