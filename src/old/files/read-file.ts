import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { toErrorCode, toFault, UsageError } from '../errors.ts';

/** Flag for opening without waiting for the other end of a named pipe or for a device. Windows has none. */
export const NO_WAIT = constants.O_NONBLOCK ?? 0;

/** Flags for opening orgctl's own files: no link is followed, and nothing waits for the writer of a pipe. */
export const NO_LINK_NO_WAIT = (constants.O_NOFOLLOW ?? 0) | NO_WAIT;

export const MEBIBYTE = 1024 * 1024;

/** Bytes that are read at once. */
export const PIECE = 256 * 1024;

export interface Reading {
  /** Bytes. Default: more than any file of settings, certificates or variables has. */
  readonly most?: number;
  /**
   * A user's file may be reached by links, and be a device that ends. A file of orgctl's own is what it made: regular, and no
   * link. Default: a user's.
   */
  readonly whose?: 'user' | 'own';
}

export interface ReadFile {
  readonly bytes: Buffer;
  readonly status: Stats;
}

/**
 * A whole file, at once. Never waits: a pipe is refused. Throws what the file system says, and an Error in words for what may
 * not be read.
 */
export function readFile(path: string, { most = 16 * MEBIBYTE, whose = 'user' }: Reading = {}): ReadFile {
  const isOwn = whose === 'own';
  const file = isOwn ? openOwn(path, constants.O_RDONLY) : openSync(path, constants.O_RDONLY | NO_WAIT);
  try {
    const status = isOwn ? requireRegular(file) : fstatSync(file);
    if (status.isFIFO()) throw new Error('it is a pipe');
    const bytes = readAll(file, most);
    if (bytes === undefined) throw new Error(isOwn ? `it is longer than ${most} bytes` : toTooLong(most));
    return { bytes, status };
  } finally {
    closeSync(file);
  }
}

/** A whole file, as `readFile` reads it; undefined where there is no file. */
export function readFileIfAny(path: string, reading?: Reading): ReadFile | undefined {
  try {
    return readFile(path, reading);
  } catch (error) {
    if (toErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Opens a file of orgctl's own. Throws what the file system says, and an Error in words for a link. */
export function openOwn(path: string, flags: number, mode?: number): number {
  try {
    return openSync(path, flags | NO_LINK_NO_WAIT, mode);
  } catch (error) {
    throw toErrorCode(error) === 'ELOOP' ? new Error('it is a link', { cause: error }) : error;
  }
}

export function requireRegular(file: number): Stats {
  const status = fstatSync(file);
  if (!status.isFile()) throw new Error('it is not a regular file');
  return status;
}

/** Undefined where there is more than that. */
function readAll(file: number, most: number): Buffer | undefined {
  const pieces: Buffer[] = [];
  for (let size = 0; size <= most; ) {
    const piece = Buffer.allocUnsafe(PIECE);
    const length = readSync(file, piece);
    if (length === 0) return Buffer.concat(pieces);
    pieces.push(piece.subarray(0, length));
    size += length;
  }
  return undefined;
}

/** The text of these bytes without a byte order mark. Throws TypeError for bytes that are not UTF-8. */
export function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

export function toTooLong(most: number): string {
  return `it is larger than ${most < MEBIBYTE ? `${most / 1024} KiB` : `${most / MEBIBYTE} MiB`}`;
}

/** `what`: how messages call the file. */
export function createUnreadable(what: string, error: unknown, hint: string): UsageError {
  return new UsageError(`can't read ${what}: ${toFault(error)}`, { hint, cause: error });
}
