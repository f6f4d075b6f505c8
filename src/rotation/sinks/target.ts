import type { Stats } from 'node:fs';
import { lstat, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { toReason, UsageError } from '../../errors.ts';

/** The file a path leads to in the end. */
export interface Target {
  /** Absolute and without symlinks. */
  readonly path: string;
  readonly folder: string;
  /** Undefined where there is no file yet. */
  readonly stats: Stats | undefined;
}

const MOST_LINKS = 40;

/** Follows symlinks, also one to a file that does not exist yet. Throws UsageError; `name` is for messages. */
export async function findTarget(name: string, path: string): Promise<Target> {
  try {
    const found = await statIfAny(path);
    if (found !== undefined && !found.isFile()) throw toKindError(name, path, found);
    const final = await followLinks(path);
    return { path: final, folder: dirname(final), stats: await statIfAny(final) };
  } catch (error) {
    throw error instanceof UsageError ? error : toLookError(name, path, error);
  }
}

export async function statIfAny(path: string): Promise<Stats | undefined> {
  return await stat(path).catch((error: unknown) => {
    if (toErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
}

export function toErrorCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

// realpath alone does not do: it refuses a link whose target is still to be made.
async function followLinks(path: string): Promise<string> {
  let at = path;
  for (let count = 0; count <= MOST_LINKS; count += 1) {
    const folder = await realpath(dirname(at));
    at = join(folder, basename(at));
    const entry = await lstat(at).catch((error: unknown) => {
      if (toErrorCode(error) === 'ENOENT') return undefined;
      throw error;
    });
    if (entry?.isSymbolicLink() !== true) return at;
    at = resolve(folder, await readlink(at));
  }
  throw Object.assign(new Error('too many symlinks'), { code: 'ELOOP' });
}

function toKindError(name: string, path: string, found: Stats): UsageError {
  const kind = found.isDirectory()
    ? 'a folder'
    : found.isFIFO()
      ? 'a named pipe'
      : found.isSocket()
        ? 'a socket'
        : 'a device';
  return new UsageError(`${name}: ${path} is ${kind}, not a file`, {
    hint: found.isDirectory()
      ? 'Name the file in it that is to hold the token.'
      : 'Name a file, or give the token to a program with exec:COMMAND.',
  });
}

function toLookError(name: string, path: string, error: unknown): UsageError {
  switch (toErrorCode(error)) {
    case 'ENOENT':
      return new UsageError(`${name}: the folder that ${path} is to stand in does not exist`, {
        hint: 'Make the folder first: none is made for a secret.',
        cause: error,
      });
    case 'ELOOP':
      return new UsageError(`${name}: ${path} leads through symlinks that go in a circle`, {
        hint: 'Mend the links or name another file.',
        cause: error,
      });
    case 'ENOTDIR':
      return new UsageError(`${name}: ${path} leads through a file as if it were a folder`, {
        hint: 'Name a file in a folder that exists.',
        cause: error,
      });
    default:
      return new UsageError(`${name}: ${path} cannot be looked at`, {
        reasons: [toReason(error)],
        hint: 'Run as a user that may read the folders on the way, or name another file.',
        cause: error,
      });
  }
}
