import { constants } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';

/** Programs on disk. */

/** Whether a file may be run. False also where that can't be found out. */
export async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** Systems read no more bytes of a first line than these. */
const LONGEST_FIRST_LINE = 256;

/** How a script begins, a character for each byte. Empty for a file that may be run and not be read. */
export async function readStart(path: string): Promise<string> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return '';
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST_FIRST_LINE), 0, LONGEST_FIRST_LINE, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}
