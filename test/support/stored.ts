import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigStore } from '../../src/config/store.ts';
import { createRuntime } from '../../src/lib/runtime.ts';
import { createFolder } from './files.ts';

/** The store of that folder, with locks elsewhere. */
export function openStore(folder: string | undefined): ConfigStore {
  const env = { ORGCTL_CONFIG_DIR: folder, ORGCTL_STATE_DIR: createFolder() };
  return new ConfigStore({ ...createRuntime(process), env, home: '' }, new AbortController().signal);
}

/** What a home holds before a command runs. */
interface Stored {
  config?: object;
  credentials?: object;
}

/** A home with these files, each its owner's alone. Removed when the test is over. */
export function createHomeOf({ config, credentials }: Stored): string {
  const home = createFolder();
  const files = [
    [join('config', 'config.json'), config],
    [join('config', 'credentials.json'), credentials],
  ] as const;
  for (const [path, content] of files) {
    if (content === undefined) continue;
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), JSON.stringify(content), { mode: 0o600 });
  }
  return home;
}

/** What a file of settings or tokens holds, but the version of its form. */
export function readStored(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'), (name, value) => (name === 'version' ? undefined : value));
}
