import { join } from 'node:path';
import { defineConfig } from 'rolldown';
import { markdownText } from './markdown-text.mjs';
import { thirdParty } from './third-party.mjs';

const ROOT = join(import.meta.dirname, '..');

const COMMAND = [
  'src/context/context.ts',
  'src/context/connection.ts',
  'src/commands/help/index.ts',
  'src/commands/options.ts',
  'src/commands/verb.ts',
  'src/stdout/output.ts',
  // The formats of scripts are small. What draws tables, and csv, need packages.
  'src/stdout/formats/json.ts',
  'src/stdout/formats/ndjson.ts',
  'src/stdout/formats/tsv.ts',
  'src/text/time.ts',
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
        { name: 'start', test: isOneOf(['src/main.ts']), priority: 2 },
        { name: 'command', test: isOneOf(COMMAND), priority: 1 },
      ],
    },
  },
});

/** These modules, with which a group takes all that they import. */
function isOneOf(files) {
  return (id) => files.some((file) => id.endsWith(`/${file}`));
}
