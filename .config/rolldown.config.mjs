import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'rolldown';
import { manualPages } from './manual-pages.mjs';
import { thirdParty } from './third-party.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

// Packages get these modules in the place of what they import: mostly none, of what orgctl never uses. CONTRIBUTING tells
// what it gains. Node's own assertions read the source for a message, and from 22 on fail at that where it is minified.
const NONE = 'module.exports = {};';
const ASSERT = `module.exports = (holds, message = 'an assertion failed') => {
  if (!holds) throw Object.assign(new Error(message), { code: 'ERR_ASSERTION' });
};`;
const REPLACED = [
  ['commander', 'node:child_process', NONE],
  ['conf', 'ajv/dist/2020.js', NONE],
  ['conf', 'ajv-formats', NONE],
  ['undici', './client-h2.js', NONE],
  ['undici', './socks5-proxy-agent', NONE],
  ['undici', 'node:assert', ASSERT],
];

const start = createGroup('start', ['src/main.ts']);
const command = createGroup('command', ['src/context.ts', 'src/connection.ts', 'src/output/output.ts']);

// CommonJS in chunks: Node starts it faster than ES modules, and a command loads only the chunks it needs.
export default defineConfig({
  cwd: ROOT,
  // The manual is what makes the pages for man, and the layers are for tests; neither is shipped.
  input: { main: 'src/main.ts', manual: 'src/manual.ts', layers: 'test/support/layers.ts' },
  platform: 'node',
  // Everything else is bundled. libsql is native code and stays an installed package.
  external: ['libsql'],
  transform: { target: 'node20' },
  // What is not found would be left to Node, which does not find it either.
  onLog: (level, log, report) => report(log.code === 'UNRESOLVED_IMPORT' ? 'error' : level, log),
  plugins: [replace(), confAlwaysAtomic(), start.plugin, command.plugin, thirdParty(), manualPages()],
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

/** A part of undici in the place of the whole, too. */
function replace() {
  const prefix = '\0replaced:';
  const missing = new Set(REPLACED);
  return {
    name: 'replace',
    resolveId(source, importer) {
      if (source === 'undici') return join(ROOT, '.config', 'undici.cjs');
      const found = REPLACED.find(([by, what]) => what === source && importer?.includes(`/node_modules/${by}/`));
      missing.delete(found);
      return found && prefix + REPLACED.indexOf(found);
    },
    load: (id) => (id.startsWith(prefix) ? REPLACED[id.slice(prefix.length)][2] : undefined),
    buildEnd(error) {
      if (!error && missing.size > 0) this.error(`no longer imported, review REPLACED: ${[...missing].join('; ')}`);
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
