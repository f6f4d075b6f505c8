// Whether dist is built from the sources that are there. Plain JavaScript with Node's own modules only: `ready.mjs` runs
// before anything is installed.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = ['src', '.config', 'package.json', 'package-lock.json'];
const STAMP = join(ROOT, 'dist', '.sources');

/** A build empties dist first, so the stamp is there only when it is of the last build. */
export function isBuilt() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hashOfSources();
}

/** Notes at the end of a build from which sources it is: those from before, should one change meanwhile. */
export function stamp() {
  const hash = hashOfSources();
  return { name: 'stamp', writeBundle: () => writeFileSync(STAMP, hash) };
}

/** Before vitest runs anything. */
export function setup() {
  if (isBuilt()) return;
  throw new Error('dist is not built from these sources, and tests run what is built: node test/support/ready.mjs');
}

function hashOfSources() {
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap((source) => filesBelow(join(ROOT, source)))) {
    hash
      .update(`${relative(ROOT, path)}\0`)
      .update(readFileSync(path))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesBelow(path) {
  try {
    return readdirSync(path)
      .sort()
      .flatMap((name) => filesBelow(join(path, name)));
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path];
    throw error;
  }
}
