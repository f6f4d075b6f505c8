import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'rolldown';
import license from 'rollup-plugin-license';
import { stamp } from './built.mjs';
import { textFiles } from './text-files.mjs';

const ROOT = join(import.meta.dirname, '..');

/** Most commands need these modules beside those of the start. Tables and csv need packages. */
const SESSION = [
  'src/cli/session.ts',
  'src/cli/each-org.ts',
  'src/output/formats/json.ts',
  'src/output/formats/ndjson.ts',
  'src/output/formats/tsv.ts',
];

// CommonJS in chunks: Node starts it faster than ES modules, and a command loads only the chunks it needs.
export default defineConfig({
  cwd: ROOT,
  input: { main: 'src/main.ts' },
  platform: 'node',
  // npm installs openpgp and libsql. Where Node has no SQLite of its own, libsql is required at run time.
  external: ['openpgp'],
  resolve: { alias: { undici$: join(ROOT, '.config', 'undici.cjs') } },
  transform: { target: 'node20' },
  // A module that the bundler can't find is not there at run time either.
  onLog: (level, log, report) => report(log.code === 'UNRESOLVED_IMPORT' ? 'error' : level, log),
  plugins: [textFiles(), undiciWithoutHttp2(), licenses(join(ROOT, 'dist')), stamp()],
  output: {
    dir: 'dist',
    cleanDir: true,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    minify: true,
    // Each further file that is loaded costs half a millisecond.
    codeSplitting: {
      groups: [
        { name: 'start', test: isOneOf(['src/main.ts']), priority: 3 },
        { name: 'session', test: isOneOf(SESSION), priority: 2 },
      ],
    },
  },
});

/** undici loads HTTP/2 and TLS at each start, and runs without HTTP/2 where Node has none. orgctl speaks HTTP/1.1 alone. */
function undiciWithoutHttp2() {
  const none = 'no-http2';
  return {
    name: 'undici-without-http2',
    resolveId: (id, importer) => (id === 'node:http2' && importer?.includes('/undici/') ? none : undefined),
    load: (id) => (id === none ? 'module.exports = { constants: {} };' : undefined),
  };
}

/** Writes the licences of the bundled packages. A licence that is not in the list fails the build. */
export function licenses(folder, { more = '', notices = [] } = {}) {
  // undici contains llhttp without its licence.
  const llhttp = `llhttp\n\n${readFileSync(join(import.meta.dirname, 'llhttp-license.txt'), 'utf8')}`;
  return license({
    thirdParty: {
      multipleVersions: true,
      allow: {
        test: `(0BSD OR Apache-2.0 OR BSD-2-Clause OR BSD-3-Clause OR BlueOak-1.0.0 OR ISC OR MIT${more})`,
        failOnUnlicensed: true,
        failOnViolation: true,
      },
      output: {
        file: join(folder, 'THIRD-PARTY-LICENSES.txt'),
        template: (packages) =>
          [...packages.map(formatLicense).sort(), llhttp, ...notices].join(`\n${'-'.repeat(72)}\n\n`),
      },
    },
  });
}

function formatLicense({ name, version, license, licenseText, noticeText }) {
  return `${name} ${version} (${license})\n\n${licenseText}\n${noticeText ?? ''}`;
}

/** Matches these modules, with which a group takes all that they import. */
function isOneOf(files) {
  // A path that matches nothing would be ignored silently.
  for (const file of files) if (!existsSync(join(ROOT, file))) throw new Error(`${file} is not there`);
  return (id) => files.some((file) => id.endsWith(`/${file}`));
}
