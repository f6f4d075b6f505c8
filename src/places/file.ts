import { resolve } from 'node:path';
import { assertReplaceable, findRealPath, readOptionalFile, writeThroughLink } from '../lib/files.ts';
import { withFileLock } from '../lib/lock.ts';
import type { Place, PlaceContext } from './place.ts';

/** The file has only the secret, without a newline. */
export function open(value: string, { runtime, signal, stateFolder }: PlaceContext): Place {
  const path = resolve(runtime.cwd, value);
  const file = findRealPath(path);
  return {
    name: `file:${value}`,
    id: file,
    file,
    check: async () => assertReplaceable(path),
    // An editor may have added a newline.
    read: () => /^\s*([!-~]+)\s*$/.exec(readOptionalFile(path, 'utf8') ?? '')?.[1],
    deliver: (secret) => withFileLock(stateFolder, path, { runtime, signal }, () => writeThroughLink(path, secret)),
  };
}
