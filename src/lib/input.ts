import { constants, createReadStream, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from './errors.ts';
import { formatFileError } from './files.ts';
import { decodeText, UTF16 } from './input-text.ts';
import { type Runtime, readStream } from './runtime.ts';

/** Reads what the user named. Throws UsageError. */
function attempt<T>(path: string, read: () => T, hint?: string): T {
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

/** Reads the file that an option names; `-` is stdin. Throws what `readInputBytes` throws, and UsageError for a file that is not text. */
export async function readInput({ runtime, signals: { signal } }: InputContext, path: string) {
  if (path !== '-' && path !== '/dev/stdin') {
    return { name: path, text: decodeText(await readInputBytes(path, runtime.cwd, signal), path) };
  }
  if (runtime.stdin.readableEnded) throw new UsageError('only one file can be stdin');
  return { name: 'stdin', text: decodeText(await readStream(runtime.stdin, signal), 'stdin') };
}

/** A signal also ends the wait for the other end of a named pipe, and its reason is thrown. Throws UsageError. */
export async function readInputBytes(path: string, cwd: string, signal: AbortSignal, hint?: string) {
  const file = resolve(cwd, path);
  // Opening or reading a pipe in the usual way could block the process for ever.
  const isPipe = attempt(path, () => statSync(file).isFIFO(), hint);
  if (!isPipe) return attempt(path, () => readFileSync(file), hint);
  const { Socket } = await import('node:net');
  const fd = attempt(path, () => openSync(file, constants.O_RDONLY | constants.O_NONBLOCK), hint);
  return readStream(new Socket({ fd, readable: true, writable: false }), signal);
}

/** Lists a folder that the user named, relative to `cwd`. Throws UsageError. */
export function listFolder(path: string, cwd: string): string[] {
  return attempt(path, () => readdirSync(resolve(cwd, path)));
}

/** A longer line is not one that orgctl wrote. */
const MAX_LINE = 1_000_000;

/** Reads a file of any length; `-` is stdin. Yields many lines at once. Throws UsageError. */
export async function* readLines({ runtime, signals }: InputContext, path: string): AsyncGenerator<string[]> {
  const chunks = path === '-' ? runtime.stdin : readChunks(resolve(runtime.cwd, path));
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let rest = '';
  try {
    for await (const chunk of chunks) {
      signals.signal.throwIfAborted();
      const bytes = Buffer.from(chunk);
      decoder ??= new TextDecoder(UTF16[bytes.toString('latin1', 0, 2)] ?? 'utf-8');
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > MAX_LINE) rest = '';
      yield lines;
    }
  } catch (error) {
    signals.signal.throwIfAborted();
    throw new UsageError(`can't read ${path}: ${formatFileError(error)}`, { cause: error });
  }
  yield [rest];
}

export function readChunks(path: string): AsyncIterable<Uint8Array> {
  return createReadStream(path, { highWaterMark: 256 * 1024 });
}
