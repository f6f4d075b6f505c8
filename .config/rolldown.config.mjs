import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { defineConfig } from 'rolldown';
import { markdownText } from './markdown-text.mjs';
import { thirdParty } from './third-party.mjs';

const ROOT = join(import.meta.dirname, '..');
const JMESPATH = (name) => `@aws-lambda-powertools/jmespath/lib/esm/${name}.js`;

const PARSER = `new WebAssembly.Module(require('../llhttp/llhttp_simd-wasm.js'))`;

/**
 * V8 of Node 20 and 22 begins to optimise undici's parser after some answers, and the process can't end before that is
 * done. Compiled whole by the baseline compiler, the parser stays as it is. Then the flags are as before: compiled code
 * that was kept is only taken by a process with the same flags.
 */
const BASELINE_PARSER = `((make) => {
  if (!['11', '12'].includes(process.versions.v8.split('.')[0])) return make();
  const { setFlagsFromString } = require('node:v8');
  const flags = ['wasm-tier-up', 'wasm-dynamic-tiering', 'wasm-lazy-compilation'];
  for (const flag of flags) setFlagsFromString('--no-' + flag);
  try { return make(); } finally { for (const flag of flags) setFlagsFromString('--' + flag); }
})(() => ${PARSER})`;

/** What is changed in the files of packages, as it stands there and as it is bundled; src/README.md says what it gains. */
const CHANGES = [
  ['commander/lib/command.js', `require('node:child_process')`, '{}'],
  ['conf/dist/source/index.js', `import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';`, ''],
  ['conf/dist/source/index.js', `import ajvFormatsModule from 'ajv-formats';`, ''],
  // It looks for a home folder as soon as it is loaded, and fails where the user has none. orgctl names the folder itself.
  ['conf/dist/source/index.js', `import envPaths from 'env-paths';`, ''],
  // Within a snap, which is also the terminal of an editor installed as one, conf writes a file in place: a reader may
  // get half of it. orgctl's folder allows renaming there as anywhere.
  ['conf/dist/source/index.js', 'if (process.env.SNAP)', 'if (false)'],
  // JMESPath sorts by code point on every machine, and changes nothing of what it looks at.
  [JMESPATH('Functions'), 'return arg.sort(', 'return [...arg].sort('],
  [JMESPATH('Functions'), 'return a.localeCompare(b);', 'return a < b ? -1 : a > b ? 1 : 0;'],
  [JMESPATH('Functions'), '? arg.reverse()', '? [...arg].reverse()'],
  // 0, false and an empty text are values, and of many numbers too there is a largest.
  [JMESPATH('Functions'), 'return expression.visit(arg) || null;', 'return expression.visit(arg) ?? null;'],
  [JMESPATH('Functions'), '!Object.is(arg, null)) || null;', '!Object.is(arg, null)) ?? null;'],
  [JMESPATH('Functions'), 'return Math.max(...arg);', 'return arg.reduce((a, b) => Math.max(a, b));'],
  [JMESPATH('Functions'), 'return Math.min(...arg);', 'return arg.reduce((a, b) => Math.min(a, b));'],
  [JMESPATH('TreeInterpreter'), 'mergedList.push(...item);', 'for (const each of item) mergedList.push(each);'],
  // What a query does is counted (src/stdout/query-work.ts), and no error within it is lost.
  [
    JMESPATH('TreeInterpreter'),
    'if (options?.customFunctions) {',
    'this.work = options?.work; if (options?.customFunctions) {',
  ],
  [
    JMESPATH('TreeInterpreter'),
    'return visitMethod.call(this, node, value);',
    'const found = visitMethod.call(this, node, value); this.work?.found(nodeType, found); return found;',
  ],
  [
    JMESPATH('TreeInterpreter'),
    'const right = this.visit(node.children[1], value);',
    'const right = this.visit(node.children[1], value); this.work?.read(left); this.work?.compare(node, value);',
  ],
  [
    JMESPATH('TreeInterpreter'),
    'return this.#functions[funcName](args);',
    "if (funcName === 'funcToString') this.work?.read(args[0]); return this.#functions[funcName](args);",
  ],
  [
    JMESPATH('TreeInterpreter'),
    /(error\.setEvaluatedFunctionName\(node\.value\);\s+throw error;\s+\})/,
    '$1 throw error;',
  ],
  ['undici/lib/dispatcher/client.js', `require('./client-h2.js')`, '{}'],
  ['undici/lib/dispatcher/client-h1.js', PARSER, BASELINE_PARSER],
  ['undici/lib/dispatcher/proxy-agent.js', `require('./socks5-proxy-agent')`, '{}'],
];

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
  // The manual is what makes the pages for man, and the layers are for tests; neither is shipped.
  input: { main: 'src/main.ts', manual: 'src/man-pages.ts', layers: 'test/support/layers.ts' },
  platform: 'node',
  // All else is bundled but libsql: native code, which is loaded where Node has no SQLite of its own.
  external: ['openpgp'],
  resolve: { alias: { undici$: join(ROOT, '.config', 'undici.cjs') } },
  transform: { target: 'node20' },
  // What is not found would be left to Node, which does not find it either.
  onLog: (level, log, report) => report(log.code === 'UNRESOLVED_IMPORT' ? 'error' : level, log),
  plugins: [changePackages(), markdownText(), thirdParty(), manualPages()],
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

function changePackages() {
  const missing = new Set(CHANGES);
  return {
    name: 'change-packages',
    transform(code, id) {
      let changed = code;
      for (const change of CHANGES) {
        const [file, text, replacement] = change;
        if (!id.endsWith(`/node_modules/${file}`)) continue;
        const before = changed;
        changed = before.replace(text, replacement);
        if (changed !== before) missing.delete(change);
      }
      return changed === code ? undefined : { code: changed, map: null };
    },
    buildEnd(error) {
      if (!error && missing.size > 0) this.error(`no longer there, review CHANGES: ${[...missing].join('; ')}`);
    },
  };
}

/**
 * What users read, made by the code that was just built: the pages for man in dist/man, of which package.json names each,
 * the topics in dist/manual, and the one for agents as a skill.
 */
function manualPages() {
  return {
    name: 'manual-pages',
    async writeBundle({ dir }) {
      const require = createRequire(import.meta.url);
      const built = (...names) => join(ROOT, dir, ...names);
      const { createHost } = require(built('main.cjs'));
      const { renderManual, renderSkill, renderTopics } = require(built('manual.cjs'));
      mkdirSync(built('man'));
      mkdirSync(built('manual'));
      for (const [name, text] of await renderManual(createHost(process), require('../package.json').version)) {
        writeFileSync(built('man', name), text);
      }
      for (const [name, text] of renderTopics()) writeFileSync(built('manual', name), text);
      mkdirSync(built('skill', 'orgctl'), { recursive: true });
      writeFileSync(built('skill', 'orgctl', 'SKILL.md'), renderSkill());
    },
  };
}
