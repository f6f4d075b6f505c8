import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'rolldown';
import { markdownText } from './markdown-text.mjs';
import { thirdParty } from './third-party.mjs';

const ROOT = join(import.meta.dirname, '..');

/** What every command of the new tree needs beside the start. Tables and csv need packages. */
const SESSION = [
  'src/cli/session.ts',
  'src/output/formats/json.ts',
  'src/output/formats/ndjson.ts',
  'src/output/formats/tsv.ts',
];

// CommonJS in chunks: Node starts it faster than ES modules, and a command loads only the chunks it needs.
export default defineConfig({
  cwd: ROOT,
  // The layers are for tests, and not shipped.
  input: { main: 'src/main.ts', layers: 'test/support/layers.ts' },
  platform: 'node',
  // All else is bundled but libsql: native code, which is loaded where Node has no SQLite of its own.
  external: ['openpgp'],
  resolve: { alias: { undici$: join(ROOT, '.config', 'undici.cjs') } },
  transform: { target: 'node20' },
  // What is not found would be left to Node, which does not find it either.
  onLog: (level, log, report) => report(log.code === 'UNRESOLVED_IMPORT' ? 'error' : level, log),
  plugins: [markdownText(), thirdParty()],
  output: {
    dir: 'dist',
    cleanDir: true,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    minify: true,
    // What every start needs is one file, and what most commands need another: each further one costs half a millisecond.
    codeSplitting: {
      groups: [
        { name: 'start', test: isOneOf(['src/main.ts']), priority: 3 },
        { name: 'session', test: isOneOf(SESSION), priority: 2 },
      ],
    },
  },
});

/** These modules, with which a group takes all that they import. */
function isOneOf(files) {
  // A path that matches nothing would be ignored silently.
  for (const file of files) if (!existsSync(join(ROOT, file))) throw new Error(`${file} is not there`);
  return (id) => files.some((file) => id.endsWith(`/${file}`));
}
