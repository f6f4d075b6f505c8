import { closeSync, constants, fstatSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { toErrorCode } from '../errors.ts';
import { NO_LINK_NO_WAIT, syncFolder } from './durable-file.ts';
import { endsWithNewline } from './look.ts';
import { isOpenToOthers, PRIVATE_FILE_MODE } from './permissions.ts';
import { isForeign, type Person } from './strangers.ts';

/** The file is there, and others can read or change it. */
export class OpenToOthers extends Error {}

/**
 * Adds a line to a file that its owner alone can read, and makes the file where there is none; on disk when this returns.
 * Several processes may do so at once, and the file may be moved away between two lines. A line that a killed process tore
 * stays alone: this one begins on its own. Throws what the file system says, OpenToOthers, and an Error in words for a
 * link, for what is no regular file, and for another user's.
 */
export function appendLine(path: string, line: string, person: Person): void {
  const file = open(path);
  try {
    const { mode, size, uid } = prepare(file);
    if (isForeign(uid, person)) throw new Error(`it belongs to another user (${uid}), who can read and change it`);
    if (isOpenToOthers(mode)) throw new OpenToOthers('others can read or change it');
    const bytes = Buffer.from(`${size > 0 && endsWithNewline(file, size) !== true ? '\n' : ''}${line}\n`);
    // In one call: lines of other processes stand before or after it.
    if (writeSync(file, bytes) < bytes.length) throw new Error('only a part of the line could be written');
    fsyncSync(file);
    if (size === 0) syncFolder(dirname(path));
  } finally {
    closeSync(file);
  }
}

function open(path: string): number {
  try {
    return openSync(
      path,
      constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | NO_LINK_NO_WAIT,
      PRIVATE_FILE_MODE,
    );
  } catch (error) {
    throw toErrorCode(error) === 'ELOOP' ? new Error('it is a link', { cause: error }) : error;
  }
}

function prepare(file: number) {
  const status = fstatSync(file);
  if (!status.isFile()) throw new Error('it is not a regular file');
  return status;
}
