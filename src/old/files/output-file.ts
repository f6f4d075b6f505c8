import { closeSync, fstatSync, fsyncSync, openSync } from 'node:fs';
import { endsWithNewline } from './look.ts';

/** Where a file ended. */
export interface OutputEnd {
  /** The same for all its names, and as long as it is there. */
  readonly file: string;
  /** In bytes. */
  readonly size: number;
}

/** A regular file that someone else opened for what is printed. */
export interface OutputFile extends OutputEnd {
  /** Undefined where the file is empty or cannot be read. */
  readonly endsWithNewline: boolean | undefined;
  /** Puts on disk what was written. Throws what the system says. */
  sync(): void;
}

/** Undefined where it is no regular file, or not open. */
export function inspectOutputFile(descriptor: number, platform: NodeJS.Platform): OutputFile | undefined {
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) return undefined;
    const { dev, ino, size } = status;
    const endsWithNewline = size === 0 || platform !== 'linux' ? undefined : readsNewline(descriptor, size);
    return { file: `${dev}:${ino}`, size, endsWithNewline, sync: () => fsyncSync(descriptor) };
  } catch {
    return undefined;
  }
}

/** A file that a shell opened for writing cannot be read, but on Linux it can be opened again. */
function readsNewline(descriptor: number, size: number): boolean | undefined {
  let file: number | undefined;
  try {
    file = openSync(`/proc/self/fd/${descriptor}`, 'r');
    return endsWithNewline(file, size);
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
