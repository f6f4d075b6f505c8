import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './shipped.ts';

/** What the scripts of a release have, which are plain JavaScript. */

interface Archive {
  toArchive(files: Record<string, { content: string; mode?: number }>): Buffer;
}

const path = join(ROOT, '.github', 'release', 'archive.mjs');
export const { toArchive } = (await import(pathToFileURL(path).href)) as Archive;
