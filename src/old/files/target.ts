import type { Stats } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { toErrorCode, toReason, UsageError } from '../errors.ts';
import { findId, MOST_LINKS } from './look.ts';
import { isReadableByOthers } from './permissions.ts';
import { NO_WAIT } from './read-file.ts';

export interface Target {
  readonly path: string;
  readonly folder: string;
  /** Undefined where there is no file yet. */
  readonly stats: Stats | undefined;
}

/**
 * Follows symlinks, also one to a file that does not exist yet. `name` is for messages. Throws UsageError, also for a file
 * that belongs to another user than `user`; undefined lets it belong to anyone.
 */
export async function findTarget(name: string, path: string, user: number | undefined): Promise<Target> {
  try {
    const found = await statIfAny(path);
    if (found !== undefined && !found.isFile()) {
      throw new UsageError(`${name}: ${path} is ${toKind(found)}, not a file`, {
        hint: found.isDirectory()
          ? 'Name a file in it.'
          : 'Name a file, or pass the token to a program with exec:COMMAND.',
      });
    }
    const final = await followLinks(path);
    const stats = await statIfAny(final);
    if (stats !== undefined && user !== undefined && stats.uid !== user) {
      const hint = 'Run as that user, or name a file of your own.';
      const why = `belongs to another user (${stats.uid}), who can read the new token`;
      throw new UsageError(`${name}: ${final} ${why}`, { hint });
    }
    return { path: final, folder: dirname(final), stats };
  } catch (error) {
    throw error instanceof UsageError ? error : toLookError(name, path, error);
  }
}

/**
 * An id, which two paths share that are one file, also by links or mounts. The path itself where it can't be looked at.
 */
export async function findFileId(path: string): Promise<string> {
  try {
    const target = await findTarget('', path, undefined);
    if (target.stats !== undefined) return findId(target.path);
    return `${findId(target.folder)}/${basename(target.path)}`;
  } catch {
    return path;
  }
}

export async function statIfAny(path: string): Promise<Stats | undefined> {
  return await ifAny(stat(path));
}

async function ifAny(looked: Promise<Stats>): Promise<Stats | undefined> {
  return await looked.catch((error: unknown) => {
    if (toErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
}

/**
 * Opens a file, without waiting where a pipe was put in its place since it was looked at. Throws what the system says, or
 * that it is no file.
 */
export async function openRegular(path: string, flags: number): Promise<FileHandle> {
  // The system says this of a pipe without a reader.
  const file = await open(path, flags | NO_WAIT).catch((error: unknown) => {
    throw toErrorCode(error) === 'ENXIO' ? new Error(`${path} is not a file now`) : error;
  });
  const stats = await file.stat();
  if (stats.isFile()) return file;
  await file.close();
  throw new Error(`${path} is ${toKind(stats)} now, not a file`);
}

// This does what realpath does, which refuses a link whose target is still to be made.
async function followLinks(path: string): Promise<string> {
  let at = path;
  for (let count = 0; count <= MOST_LINKS; count += 1) {
    const folder = await realpath(dirname(at));
    at = join(folder, basename(at));
    const entry = await ifAny(lstat(at));
    if (entry?.isSymbolicLink() !== true) return at;
    at = resolve(folder, await readlink(at));
  }
  throw Object.assign(new Error('too many symlinks'), { code: 'ELOOP' });
}

export function toKind(found: Stats): string {
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a named pipe';
  return found.isSocket() ? 'a socket' : 'a device';
}

/** Warns where others can read a file that is to hold the token: its mode is kept. */
export function warnOfReaders(name: string, { path, stats }: Target, warn: (text: string) => void): void {
  if (stats === undefined || !isReadableByOthers(stats.mode)) return;
  const mode = (stats.mode & 0o777).toString(8);
  warn(`${name}: others can read ${path} (mode ${mode}), and with it the new token. Use chmod 600.`);
}

function toLookError(name: string, path: string, error: unknown): UsageError {
  switch (toErrorCode(error)) {
    case 'ENOENT':
      return new UsageError(`${name}: ${dirname(path)} doesn't exist`, {
        hint: 'Create the folder first.',
        cause: error,
      });
    case 'ELOOP':
      return new UsageError(`${name}: the symlinks of ${path} form a circle`, {
        hint: 'Fix the links, or name another file.',
        cause: error,
      });
    case 'ENOTDIR':
      return new UsageError(`${name}: a part of ${path} is a file, not a folder`, {
        hint: 'Name a file in a folder that exists.',
        cause: error,
      });
    default:
      return new UsageError(`${name}: can't read ${path}`, {
        reasons: [toReason(error)],
        hint: 'Run as a user with permission to read its folders, or name another file.',
        cause: error,
      });
  }
}
