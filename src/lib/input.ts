import { constants, createReadStream, openSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from './errors.ts';
import { formatFileError } from './files.ts';
import { decodeText } from './input-text.ts';
import { type Runtime, readStream } from './runtime.ts';

/** Reads what the user named. Throws UsageError. */
export function attempt<T>(path: string, read: () => T, hint?: string): T {
  try {
    return read();
  } catch (error) {
    throw new UsageError(`can't read ${path}: ${formatFileError(error)}`, { hint, cause: error });
  }
}

export interface InputContext {
  runtime: Pick<Runtime, 'cwd' | 'stdin'>;
  signals: { signal: AbortSignal };
}

/** Reads the file that an option names; `-` is stdin. Throws as `readInputBytes` does, and UsageError for what is no text. */
export async function readInput({ runtime, signals: { signal } }: InputContext, path: string) {
  if (path !== '-' && path !== '/dev/stdin') {
    return { name: path, text: decodeText(await readInputBytes(path, runtime.cwd, signal), path) };
  }
  if (runtime.stdin.readableEnded) throw new UsageError('only one file can be stdin');
  return { name: 'stdin', text: decodeText(await readStream(runtime.stdin, signal), 'stdin') };
}

/** A signal also ends the wait for the other end of a named pipe, and its reason is thrown. Throws UsageError. */
export async function readInputBytes(
  path: string,
  cwd: string,
  signal: AbortSignal,
  hint?: string,
): Promise<Uint8Array> {
  const file = resolve(cwd, path);
  // Opening or reading a pipe in the usual way could block the process for ever.
  const isPipe = attempt(path, () => statSync(file).isFIFO(), hint);
  if (!isPipe) return attempt(path, () => readFileSync(file), hint);
  const { Socket } = await import('node:net');
  const fd = attempt(path, () => openSync(file, constants.O_RDONLY | constants.O_NONBLOCK), hint);
  return readStream(new Socket({ fd, readable: true, writable: false }), signal);
}

/** Throws the system's errors. */
export function readChunks(path: string): AsyncIterable<Uint8Array> {
  return createReadStream(path, { highWaterMark: 256 * 1024 });
}
