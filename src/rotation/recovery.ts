import { constants } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { toReason, UsageError } from '../errors.ts';

/**
 * A file that keeps a new secret until it is delivered. Made before the request that mints, so that a full disk or a
 * folder without permission is met while the old token still lives.
 */
export interface RecoveryFile {
  readonly path: string;
  /** On disk when this resolves. */
  keep(secret: string): Promise<void>;
  discard(): Promise<void>;
}

// Longer than any token, so that room for one is there when it comes.
const RESERVED_BYTES = 4_096;

/** Throws UsageError where the file cannot be made. Readable by its owner alone from the first moment. */
export async function createRecoveryFile(directory: string, unique: string): Promise<RecoveryFile> {
  const path = join(directory, `undelivered-token-${unique}`);
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await reserve(path);
  } catch (error) {
    throw new UsageError(`no place to keep a new token safe: ${path} cannot be written`, {
      reasons: [toReason(error)],
      hint: 'Make room or set ORGCTL_STATE_DIR to a folder of yours. Nothing was sent.',
      cause: error,
    });
  }
  return {
    path,
    async keep(secret) {
      const file = await open(path, 'r+');
      try {
        await file.write(secret, 0);
        await file.truncate(Buffer.byteLength(secret));
        await file.sync();
      } finally {
        await file.close();
      }
    },
    async discard() {
      await rm(path, { force: true });
    },
  };
}

/** Makes the file with room in it, or leaves nothing. A file that is there already may hold a secret: it stays. */
async function reserve(path: string): Promise<void> {
  const file = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_RDWR, 0o600);
  try {
    await file.write(Buffer.alloc(RESERVED_BYTES));
    await file.sync();
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    await file.close();
  }
}
