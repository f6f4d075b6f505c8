import { closeSync, fstatSync, fsyncSync, openSync, readSync } from 'node:fs';

/** Whether a regular file does not end with a newline. Only Linux can read a file that is open only for writing. */
export function hasPartialLine(descriptor: number): boolean {
  if (!isRegularFile(descriptor)) return false;
  try {
    const file = openSync(`/proc/self/fd/${descriptor}`, 'r');
    const last = Buffer.alloc(1);
    const length = readSync(file, last, 0, 1, Math.max(0, fstatSync(file).size - 1));
    closeSync(file);
    return length > 0 && last.toString() !== '\n';
  } catch {
    return false;
  }
}

export function hasText(descriptor: number): boolean {
  return isRegularFile(descriptor) && fstatSync(descriptor).size > 0;
}

/** Does nothing for a terminal or pipe. Throws the system's error. */
export function syncFile(descriptor: number): void {
  if (isRegularFile(descriptor)) fsyncSync(descriptor);
}

export function isRegularFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false;
  }
}
