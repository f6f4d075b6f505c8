import { fileURLToPath } from 'node:url';
import { defineConfig } from 'rolldown';

// CommonJS in chunks: Node starts it faster than ES modules, and a command loads only the chunks it needs.
export default defineConfig({
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  input: { main: 'src/main.ts', host: 'src/host.ts' },
  platform: 'node',
  // Everything else is bundled. libsql is native code and stays an installed package.
  external: ['libsql'],
  transform: { target: 'node20' },
  plugins: [confWithoutSchemas(), asciiOnly()],
  output: {
    dir: 'dist',
    cleanDir: true,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    minify: true,
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
