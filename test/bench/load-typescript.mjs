import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import { markdownText } from '../../.config/markdown-text.mjs';

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** A module of ours with what it imports of ours, as one that Node 20 can read. Packages stay where they are. */
export async function loadTypeScript(path) {
  // Within node_modules, so that packages are found from there.
  const folder = mkdtempSync(join(MODULES, '.typescript-'));
  const file = join(folder, 'module.mjs');
  try {
    await build({
      input: path,
      platform: 'node',
      external: /^(?![./]|[a-z]:)/i,
      plugins: [markdownText(), { name: 'own-addresses', transform: toOwnAddress }],
      output: { file, format: 'esm', codeSplitting: false },
      logLevel: 'silent',
    });
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Each module goes on finding the files beside it. */
function toOwnAddress(code, id) {
  return code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href));
}
