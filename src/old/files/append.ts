import { closeSync, constants, fsyncSync, writeSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './durable-file.ts';
import { endsWithNewline } from './look.ts';
import { isOpenToOthers, PRIVATE_FILE_MODE } from './permissions.ts';
import { openOwn, requireRegular } from './read-file.ts';
import { openRegular } from './target.ts';

/**
 * Lines are added in one call, so that lines of other processes come before or after them. Nothing is added to a line
 * that was cut short.
 */

/** The file is there, and others can read or change it. */
export class OpenToOthers extends Error {}

/**
 * Adds a line to a file of orgctl's own, and makes the file where there is none; on disk when this returns. Several processes
 * may do so at once, and the file may be moved away between two lines. Throws what the file system says, OpenToOthers, and an
 * Error in words for a link and for what is no regular file.
 */
export function appendLine(path: string, line: string): void {
  const file = openOwn(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, PRIVATE_FILE_MODE);
  try {
    const { mode, size } = requireRegular(file);
    if (isOpenToOthers(mode)) throw new OpenToOthers('others can read or change it');
    const bytes = toAddition(`${line}\n`, file, size);
    if (writeSync(file, bytes) < bytes.length) throw new Error('only a part of the line could be written');
    fsyncSync(file);
    if (size === 0) syncFolder(dirname(path));
  } finally {
    closeSync(file);
  }
}

/** Throws what the system says where nothing can be added to the file. */
export async function checkAppendable(path: string): Promise<void> {
  await (await openToAppend(path)).close();
}

/** Adds whole lines to a file of someone else. They are taken back when cut short: half an entry would spoil the file. */
export async function appendEntry(path: string, entry: string): Promise<void> {
  const file = await openToAppend(path);
  try {
    const { size } = await file.stat();
    const bytes = toAddition(entry, file.fd, size);
    try {
      const { bytesWritten } = await file.write(bytes);
      if (bytesWritten < bytes.length) throw new Error('there was room for only a part of it');
      await file.sync();
    } catch (error) {
      await file.truncate(size).catch(() => undefined);
      throw error;
    }
  } finally {
    await file.close();
  }
}

// Without O_CREAT: who reads the file has made it, and looks only at that one.
async function openToAppend(path: string): Promise<FileHandle> {
  return await openRegular(path, constants.O_RDWR | constants.O_APPEND);
}

/** Begins a new line where a killed process left half of one. */
function toAddition(lines: string, file: number, size: number): Buffer {
  return Buffer.from(`${size > 0 && endsWithNewline(file, size) !== true ? '\n' : ''}${lines}`);
}
