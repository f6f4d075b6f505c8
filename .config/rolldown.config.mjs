import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'rolldown';
import { thirdParty } from './third-party.mjs';

// V8 of Node 20 and 22 optimises undici's parser after some answers: the process cannot end before that is done, and needs
// 30 MiB for it. Compiled whole and at once by the baseline compiler, it stays as it is; the flags are then as before, so
// that cached code stays valid.
const BASELINE_ONLY = `((make) => {
  if (!['11', '12'].includes(process.versions.v8.split('.')[0])) return make();
  const { setFlagsFromString } = require('node:v8');
  const flags = ['wasm-tier-up', 'wasm-dynamic-tiering', 'wasm-lazy-compilation'];
  for (const flag of flags) setFlagsFromString('--no-' + flag);
  try { return make(); } finally { for (const flag of flags) setFlagsFromString('--' + flag); }
})`;

const start = createGroup('start', ['src/main.ts']);
const command = createGroup('command', ['src/context.ts', 'src/connection.ts', 'src/output/output.ts']);

// CommonJS in chunks: Node starts it faster than ES modules, and a command loads only the chunks it needs.
export default defineConfig({
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  // The manual is what makes the pages for man, and the layers are for tests; neither is shipped.
  input: { main: 'src/main.ts', manual: 'src/manual.ts', layers: 'test/support/layers.ts' },
  platform: 'node',
  // Everything else is bundled. libsql is native code and stays an installed package.
  external: ['libsql'],
  transform: { target: 'node20' },
  plugins: [
    confWithoutSchemas(),
    confAlwaysAtomic(),
    commanderWithoutPrograms(),
    leanUndici(),
    start.plugin,
    command.plugin,
    asciiOnly(),
    thirdParty(),
    manualPages(),
  ],
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

/**
 * conf checks settings against a JSON schema with ajv, which is more than half of conf's size.
 * orgctl checks its settings itself and gives conf no schema, so ajv is replaced by a stub that throws when used.
 * A conf that no longer asks for exactly these modules fails the build.
 */
function confWithoutSchemas() {
  const stubs = new Map([
    ['ajv/dist/2020.js', `export class Ajv2020 { constructor() { throw new Error('orgctl is built without ajv'); } }`],
    ['ajv-formats', `export default { default() { throw new Error('orgctl is built without ajv-formats'); } };`],
  ]);
  const prefix = '\0without-schemas:';
  return {
    name: 'conf-without-schemas',
    resolveId(source, importer) {
      return stubs.has(source) && importer?.includes('/node_modules/conf/') ? prefix + source : undefined;
    },
    load(id) {
      return id.startsWith(prefix) ? stubs.get(id.slice(prefix.length)) : undefined;
    },
    buildEnd(error) {
      if (error !== undefined && error !== null) return;
      const ids = [...this.getModuleIds()];
      if (!ids.some((id) => id.includes('/node_modules/conf/'))) return;
      const missing = [...stubs.keys()].filter((source) => !ids.includes(prefix + source));
      const bundled = ids.filter((id) => /\/node_modules\/ajv(-formats)?\//.test(id));
      if (missing.length > 0 || bundled.length > 0) {
        this.error(`conf no longer imports ${[...stubs.keys()].join(' and ')} as expected: review ${import.meta.url}`);
      }
    },
  };
}

/**
 * Within a snap, which is also the terminal of an editor installed as one, conf writes a file in place: whoever reads it
 * then, or kills the writer, gets half of it. orgctl's folder allows renaming there as anywhere.
 */
function confAlwaysAtomic() {
  const condition = 'if (process.env.SNAP)';
  return {
    name: 'conf-always-atomic',
    transform(code, id) {
      if (!/\/node_modules\/conf\/dist\/source\/index\.js$/.test(id)) return undefined;
      if (code.split(condition).length !== 2) {
        this.error(`conf no longer asks for a snap as expected: review ${import.meta.url}`);
      }
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

/** commander can start programs of their own as commands. orgctl has none, and loading the module for it takes 2 ms. */
function commanderWithoutPrograms() {
  const stub = '\0without-programs';
  return {
    name: 'commander-without-programs',
    resolveId(source, importer) {
      return source === 'node:child_process' && importer?.includes('/node_modules/commander/') ? stub : undefined;
    },
    load(id) {
      return id === stub ? 'module.exports = {};' : undefined;
    },
    buildEnd(error) {
      if (error !== undefined && error !== null) return;
      if (![...this.getModuleIds()].includes(stub)) {
        this.error(`commander no longer imports node:child_process as expected: review ${import.meta.url}`);
      }
    },
  };
}

/**
 * orgctl uses two of undici's dispatchers over HTTP/1.1; its index loads fetch, caches, mocks and more at every request.
 * These paths are private to undici: its version is pinned exactly, and a source that no longer matches fails the build.
 */
function leanUndici() {
  const entry = '\0lean-undici';
  const none = '\0lean-undici-none';
  const unused = [/\/undici\/lib\/dispatcher\/client-h2\.js$/, /\/undici\/lib\/dispatcher\/socks5-proxy-agent\.js$/];
  const compile = "mod = new WebAssembly.Module(require('../llhttp/llhttp_simd-wasm.js'))";
  let compiled = false;
  const left = new Set();
  return {
    name: 'lean-undici',
    resolveId: {
      async handler(source, importer, options) {
        if (source === 'undici') return entry;
        if (!importer?.includes('/node_modules/undici/')) return undefined;
        const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
        const pattern = unused.find((each) => resolved !== null && each.test(resolved.id));
        if (pattern === undefined) return undefined;
        left.add(pattern);
        return none;
      },
    },
    load(id) {
      if (id === none)
        return "module.exports = function () { throw new Error('orgctl is built without this part of undici'); };";
      if (id !== entry) return undefined;
      const at = (name) =>
        JSON.stringify(fileURLToPath(new URL(`../node_modules/undici/lib/${name}.js`, import.meta.url)));
      // As undici's index does: a proxy is asked to connect by a method that is given to dispatchers there.
      return `Object.assign(require(${at('dispatcher/dispatcher')}).prototype, require(${at('api/index')}));
        module.exports = { get Pool() { return require(${at('dispatcher/pool')}); }, get ProxyAgent() { return require(${at('dispatcher/proxy-agent')}); } };`;
    },
    transform(code, id) {
      if (!id.endsWith('/undici/lib/dispatcher/client-h1.js') || !code.includes(compile)) return undefined;
      compiled = true;
      return code.replace(
        compile,
        `mod = ${BASELINE_ONLY}(() => new WebAssembly.Module(require('../llhttp/llhttp_simd-wasm.js')))`,
      );
    },
    buildEnd(error) {
      if (error !== undefined && error !== null) return;
      if (!compiled || left.size !== unused.length)
        this.error(`undici's source is not as expected: review ${import.meta.url}`);
    },
  };
}

/** V8 reads pure ASCII as one byte a character, which is quicker to load and half the memory. */
function asciiOnly() {
  return {
    name: 'ascii-only',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk') chunk.code = toAscii(chunk.code);
    },
  };
}

function toAscii(code) {
  // An odd run of backslashes already escapes the character: its last one gives way to ours.
  return code.replace(/(\\*)([^\0-\x7f])/g, (_match, slashes, character) => {
    const kept = slashes.length % 2 === 0 ? slashes : slashes.slice(1);
    return `${kept}\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** The pages for man, made by the code that was just built: dist/man. package.json names each of them. */
function manualPages() {
  return {
    name: 'manual-pages',
    async writeBundle(output) {
      const dir = resolve(fileURLToPath(new URL('..', import.meta.url)), output.dir);
      const require = createRequire(import.meta.url);
      const { createHost } = require(join(dir, 'main.cjs'));
      const { renderManual } = require(join(dir, 'manual.cjs'));
      const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
      mkdirSync(join(dir, 'man'));
      for (const [name, text] of await renderManual(createHost(process), version)) {
        writeFileSync(join(dir, 'man', name), text);
      }
    },
  };
}
