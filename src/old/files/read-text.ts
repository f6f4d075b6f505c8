import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { isatty } from 'node:tty';
import { toErrorCode, UsageError } from '../errors.ts';
import type { Host } from '../host.ts';
import { createUnreadable, decode, MEBIBYTE, NO_WAIT, PIECE, toTooLong } from './read-file.ts';

/** What a command is given to read: a file by its path, a pipe, or stdin for `-`. A signal ends it at any time. */

interface InputSource {
  readonly option: string;
  /** `-` is stdin. */
  readonly path: string;
  /** Bytes. Default: more than any list or body has. */
  readonly most?: number;
  readonly hint: string;
}

interface Input {
  readonly bytes: Buffer;
  readonly name: string;
  /** Whether it can be read again: not so stdin, nor a pipe. */
  readonly isFile: boolean;
}

type Machine = Pick<Host, 'stdin' | 'cwd' | 'sleep'>;

/** What reads files that are named on the command line. */
export interface FileReader {
  readonly host: Host;
  readonly signal: AbortSignal;
  note(text: string): void;
}

const ZIP = Buffer.from('PK\x03\x04');
const PAUSE = 20;
/** How many pauses, 10 s, to wait for a writer of a named pipe. */
const PAUSES = 500;

/** The text of it, and what messages call it. Rejects like `readInput`, and with UsageError for what is not UTF-8. */
export async function readText(
  { host, signal }: Pick<FileReader, 'host' | 'signal'>,
  path: string,
  { option = '--file', hint = 'Split it into several files.', ...limits }: Partial<Omit<InputSource, 'path'>> = {},
): Promise<{ readonly text: string } & Omit<Input, 'bytes'>> {
  const { bytes, ...input } = await readInput(host, signal, { ...limits, option, path, hint });
  if (bytes.subarray(0, ZIP.length).equals(ZIP)) {
    throw new UsageError(`${input.name} is an Excel workbook or another zip, not text`, {
      hint: 'Save a workbook as CSV UTF-8.',
    });
  }
  try {
    return { text: decode(bytes), ...input };
  } catch (error) {
    throw new UsageError(`${input.name} is not UTF-8 text`, {
      hint: 'Save it as UTF-8: spreadsheets call it CSV UTF-8.',
      cause: error,
    });
  }
}

/**
 * The whole of it. Rejects with the signal's reason, and with UsageError where it cannot be read, is too long, comes from
 * a terminal, or is a named pipe that nothing writes into.
 */
export async function readInput(host: Machine, signal: AbortSignal, source: InputSource): Promise<Input> {
  const { option, path, most = 64 * MEBIBYTE, hint } = source;
  const name = path === '-' ? 'stdin' : path;
  try {
    if (path === '-' && host.stdin.isTTY === true) throw createTerminalError(source);
    if (path === '-') return { bytes: await collect(readStdin(host, signal), most), name, isFile: false };
    const file = await open(resolve(host.cwd, path), constants.O_RDONLY | NO_WAIT);
    try {
      const status = await file.stat();
      if (status.isCharacterDevice() && isatty(file.fd)) throw createTerminalError(source);
      const pieces = readPieces(host, signal, source, file, status.isFIFO());
      return { bytes: await collect(pieces, most), name, isFile: status.isFile() };
    } finally {
      await file.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof UsageError) throw error;
    throw createUnreadable(
      name,
      error,
      error instanceof TooLong ? hint : `Check the path after ${option} (- is stdin).`,
    );
  }
}

class TooLong extends Error {}

async function collect(pieces: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const collected: Buffer[] = [];
  let size = 0;
  for await (const piece of pieces) {
    collected.push(piece);
    size += piece.length;
    if (size > most) throw new TooLong(toTooLong(most));
  }
  return Buffer.concat(collected);
}

async function* readStdin({ stdin }: Machine, signal: AbortSignal): AsyncGenerator<Buffer> {
  for await (const piece of addAbortSignal(signal, stdin)) yield Buffer.from(piece as Uint8Array | string);
}

async function* readPieces(
  { sleep }: Machine,
  signal: AbortSignal,
  source: InputSource,
  file: FileHandle,
  isPipe: boolean,
): AsyncGenerator<Buffer> {
  // A pipe without a name, as of a shell's <(…), had its writer from the start.
  let mayBegin = isPipe && !/^\/(?:dev\/fd|proc)\//.test(source.path) ? PAUSES : 0;
  for (;;) {
    signal.throwIfAborted();
    const piece = await readPiece(file);
    if (piece === undefined) mayBegin = 0;
    else if (piece.length > 0) {
      mayBegin = 0;
      yield piece;
      continue;
    } else if (mayBegin === 0) return;
    else if (--mayBegin === 0) throw createSilentError(source);
    await sleep(PAUSE, signal);
  }
}

/** Empty at the end, and for a named pipe without a writer; undefined while a writer is silent. */
async function readPiece(file: FileHandle): Promise<Buffer | undefined> {
  const piece = Buffer.allocUnsafe(PIECE);
  try {
    return piece.subarray(0, (await file.read(piece)).bytesRead);
  } catch (error) {
    if (toErrorCode(error) === 'EAGAIN') return undefined;
    throw error;
  }
}

function createTerminalError({ option, path }: InputSource): UsageError {
  return new UsageError(`${option} ${path} reads what is piped in, and nothing is`, {
    hint: `Pipe it in, or give a file with ${option}.`,
  });
}

function createSilentError({ option, path }: InputSource): UsageError {
  return new UsageError(`${path} is a named pipe, and nothing writes to it`, {
    hint: `Start what writes to it, or give a file with ${option}.`,
  });
}
