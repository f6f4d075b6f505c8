import { resolve } from 'node:path';
import { assertReplaceable, readOptionalFile, writeThroughLink } from '../../lib/files.ts';
import type { Place, PlaceOptions } from './index.ts';

/** The file has only the secret, without a newline. */
export function openFile(value: string, { runtime, fill }: PlaceOptions): Place {
  const filled = fill(value);
  const path = resolve(runtime.cwd, filled);
  return {
    name: `file:${filled}`,
    check: async () => assertReplaceable(path),
    // An editor may have added a newline.
    read: () => /^\s*([!-~]+)\s*$/.exec(readOptionalFile(path, 'utf8') ?? '')?.[1],
    deliver: async (secret) => writeThroughLink(path, secret),
  };
}
