import { closeSync, openSync, readSync, writeFileSync } from 'node:fs';
import { OrgctlError, toErrorCode, toReason } from '../errors.ts';
import { removeFile } from './durable-file.ts';
import { PRIVATE_FILE_MODE } from './permissions.ts';

export type SpillFile = ReturnType<typeof openSpillFile>;

/**
 * A file without a name for what does not fit into memory: it is gone with the process, however that ends. Its owner alone
 * may read it. `path`: where it has a name for a moment. Throws OrgctlError.
 */
export function openSpillFile(path: string) {
  const file = attempt(() => {
    const opened = openSync(path, 'wx+', PRIVATE_FILE_MODE);
    removeFile(path);
    return opened;
  });
  return {
    /** Throws OrgctlError where there is no room. */
    append: (content: Uint8Array) => attempt(() => writeFileSync(file, content)),
    /** So many bytes from this place on, which must have been written. */
    read: (start: number, length: number): Buffer =>
      attempt(() => {
        const bytes = Buffer.allocUnsafe(length);
        for (let got = 0; got < length; ) {
          const count = readSync(file, bytes, got, length - got, start + got);
          if (count === 0) throw new Error('the file is shorter than what was written');
          got += count;
        }
        return bytes;
      }),
    close: () => closeSync(file),
  };
}

function attempt<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    const isFull = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(toErrorCode(error));
    const what = 'events that wait to be printed';
    throw new OrgctlError('failure', isFull ? `no space is left for ${what}` : `can't keep ${what} in a file`, {
      code: 'no-room',
      reasons: [toReason(error)],
      hint: 'Free some space there and run the command again: nothing is lost.',
      cause: error,
    });
  }
}
