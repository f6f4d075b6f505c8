import { closeSync, fstatSync, fsyncSync, openSync, readSync } from 'node:fs';

/** A regular file that someone else opened for what is printed. */
export interface OutputFile {
  /** In bytes. */
  readonly size: number;
  /** Undefined where the file is empty or cannot be read. */
  readonly endsWithNewline: boolean | undefined;
  /** Puts on disk what was written. Throws what the system says. */
  sync(): void;
}

/** Undefined where it is no regular file, or not open. */
export function inspectOutputFile(descriptor: number): OutputFile | undefined {
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) return undefined;
    const { size } = status;
    const endsWithNewline = size === 0 ? undefined : readsNewline(descriptor, size - 1);
    return { size, endsWithNewline, sync: () => fsyncSync(descriptor) };
  } catch {
    return undefined;
  }
}

/** What a shell opened for writing cannot be read, but on Linux it can be opened again. */
function readsNewline(descriptor: number, at: number): boolean | undefined {
  let file: number | undefined;
  try {
    file = openSync(`/proc/self/fd/${descriptor}`, 'r');
    const byte = new Uint8Array(1);
    return readSync(file, byte, 0, 1, at) === 1 ? byte[0] === 0x0a : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
