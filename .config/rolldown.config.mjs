import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'rolldown';
import { manualPages } from './manual-pages.mjs';
import { thirdParty } from './third-party.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

// What packages import and orgctl never uses, by who imports what. src/README.md says what that gains.
const LEFT_OUT = [
  ['commander', 'node:child_process'],
  ['conf', 'ajv/dist/2020.js'],
  ['conf', 'ajv-formats'],
  ['undici', './client-h2.js'],
  ['undici', './socks5-proxy-agent'],
];

const start = createGroup('start', ['src/main.ts']);
const command = createGroup('command', [
  'src/context/context.ts',
  'src/context/connection.ts',
  'src/stdout/output.ts',
  // The formats of scripts are small. What draws tables, and csv, need packages.
  'src/stdout/formats/json.ts',
  'src/stdout/formats/ndjson.ts',
  'src/stdout/formats/tsv.ts',
  'src/text/time.ts',
]);

// CommonJS in chunks: Node starts it faster than ES modules, and a command loads only the chunks it needs.
export default defineConfig({
  cwd: ROOT,
  // The manual is what makes the pages for man, and the layers are for tests; neither is shipped.
  input: { main: 'src/main.ts', manual: 'src/man-pages.ts', layers: 'test/support/layers.ts' },
  platform: 'node',
  // Everything else is bundled. libsql is native code and stays an installed package.
  external: ['libsql'],
  transform: { target: 'node20' },
  // What is not found would be left to Node, which does not find it either.
  onLog: (level, log, report) => report(log.code === 'UNRESOLVED_IMPORT' ? 'error' : level, log),
  plugins: [leaveOut(), confAlwaysAtomic(), start.plugin, command.plugin, thirdParty(), manualPages()],
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
        { name: 'start', test: start.has, priority: 2 },
        { name: 'command', test: command.has, priority: 1 },
      ],
    },
  },
});

/** Empty modules in the place of what is left out, and a part of undici in the place of the whole. */
function leaveOut() {
  const empty = '\0left-out';
  const missing = new Set(LEFT_OUT);
  return {
    name: 'leave-out',
    resolveId(source, importer) {
      if (source === 'undici') return join(ROOT, '.config', 'undici.cjs');
      const found = LEFT_OUT.find(([by, what]) => what === source && importer?.includes(`/node_modules/${by}/`));
      missing.delete(found);
      return found === undefined ? undefined : empty;
    },
    load: (id) => (id === empty ? 'module.exports = {};' : undefined),
    buildEnd(error) {
      if (!error && missing.size > 0) this.error(`no longer imported, review LEFT_OUT: ${[...missing].join('; ')}`);
    },
  };
}

// Within a snap, which is also the terminal of an editor installed as one, conf writes a file in place: a reader may get
// half of it. orgctl's folder allows renaming there as anywhere.
function confAlwaysAtomic() {
  const condition = 'if (process.env.SNAP)';
  return {
    name: 'conf-always-atomic',
    transform(code, id) {
      if (!id.endsWith('/node_modules/conf/dist/source/index.js')) return undefined;
      if (!code.includes(condition)) this.error(`conf no longer has "${condition}"`);
      return { code: code.replace(condition, 'if (false)'), map: null };
    },
  };
}

/** The modules that these files reach without a dynamic import. */
function createGroup(name, files) {
  const ids = new Set();
  return {
    has: (id) => ids.has(id),
    plugin: {
      name: `${name}-group`,
      buildEnd() {
        const visit = (id) => {
          const info = ids.has(id) ? null : this.getModuleInfo(id);
          if (info === null) return;
          ids.add(id);
          info.importedIds.forEach(visit);
        };
        for (const id of this.getModuleIds()) if (files.some((file) => id.endsWith(`/${file}`))) visit(id);
      },
    },
  };
}
