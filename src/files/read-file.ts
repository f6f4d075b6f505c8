import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { toErrorCode, toReason } from '../errors.ts';

/** Flag for opening without waiting for the other end of a named pipe or for a device. Windows has none. */
export const NO_WAIT = constants.O_NONBLOCK ?? 0;

const PIECE = 256 * 1024;

export interface ReadFile {
  readonly bytes: Buffer;
  readonly status: Stats;
}

/**
 * A whole file of settings, certificates or the like, at once. Never waits: a pipe is refused. Throws what the file system
 * says, and an Error in words where it is a pipe or longer than `most` bytes.
 */
export function readWholeFile(path: string, most: number): ReadFile {
  const file = openSync(path, constants.O_RDONLY | NO_WAIT);
  try {
    const status = fstatSync(file);
    if (status.isFIFO()) throw new Error('it is a pipe');
    return { bytes: readAll(file, most), status };
  } finally {
    closeSync(file);
  }
}

function readAll(file: number, most: number): Buffer {
  const pieces: Buffer[] = [];
  for (let size = 0; ; ) {
    const piece = Buffer.allocUnsafe(PIECE);
    const length = readSync(file, piece);
    if (length === 0) return Buffer.concat(pieces);
    pieces.push(piece.subarray(0, length));
    size += length;
    if (size > most) throw new Error(toTooLong(most));
  }
}

export function toTooLong(most: number): string {
  return `it is larger than ${most < MEBIBYTE ? `${most / 1024} KiB` : `${most / MEBIBYTE} MiB`}`;
}

export const MEBIBYTE = 1024 * 1024;

const IN_WORDS: Readonly<Record<string, string>> = {
  ENOENT: "it doesn't exist",
  EACCES: "you don't have permission",
  EISDIR: 'it is a folder',
};

export function toReadFault(error: unknown): string {
  return IN_WORDS[toErrorCode(error)] ?? toReason(error);
}
