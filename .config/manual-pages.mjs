import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The pages for man, made by the code that was just built: dist/man. package.json names each of them. */
export function manualPages() {
  return {
    name: 'manual-pages',
    async writeBundle({ dir }) {
      const require = createRequire(import.meta.url);
      const built = (name) => join(resolve(ROOT, dir), name);
      const { createHost } = require(built('main.cjs'));
      const { renderManual } = require(built('manual.cjs'));
      const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
      mkdirSync(built('man'));
      for (const [name, text] of await renderManual(createHost(process), version)) {
        writeFileSync(join(built('man'), name), text);
      }
    },
  };
}
