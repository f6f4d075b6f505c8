import { constants, type Stats } from 'node:fs';
import { access, type FileHandle, open, readFile, rename, rm, stat, truncate } from 'node:fs/promises';
import { toErrorCode, toReason, UsageError } from '../errors.ts';
import { syncFolder } from './durable-file.ts';
import { HAS_PERMISSIONS, PRIVATE_FILE_MODE } from './permissions.ts';
import { openRegular, statIfAny, type Target, toKind } from './target.ts';

/** A user's file that is about to be replaced: all that can fail before there is a new content is done. */
export interface Replacement {
  /** On disk when it resolves. At most once. Throws what the system says. */
  write(content: Uint8Array): Promise<void>;
  /** Removes what was made and is still there. Safe twice, never throws. */
  discard(): Promise<void>;
}

/** Throws UsageError where the file certainly cannot be replaced. Makes and opens nothing. `name` is for messages. */
export async function checkReplaceable(name: string, target: Target): Promise<void> {
  if (await isMountPoint(target)) {
    await access(target.path, constants.W_OK).catch((error: unknown) => {
      throw toMountError(name, target, error);
    });
    return;
  }
  await access(target.folder, constants.W_OK | constants.X_OK).catch((error: unknown) => {
    throw new UsageError(`${name}: can't create a file in ${target.folder}`, {
      reasons: [toReason(error)],
      hint: 'Get write permission for the folder, or name a file in another one.',
      cause: error,
    });
  });
  if (target.stats === undefined) return;
  await access(target.path, constants.W_OK).catch((error: unknown) => {
    // A file without write permission can be renamed over. One that is immutable or on a read-only system cannot.
    if (toErrorCode(error) === 'EACCES') return;
    throw new UsageError(`${name}: can't change ${target.path}`, {
      reasons: [toReason(error)],
      hint: 'Get write permission for the file, or name another one.',
      cause: error,
    });
  });
}

/**
 * Reserves room for `size` bytes in `temporary`. Where a rename is impossible (the file is a mount) or wrong (the new file
 * would belong to another group), the file is written in place: without reserved room, and readers may see half of it.
 * Throws UsageError, and then leaves nothing behind.
 */
export async function prepareReplacement(
  name: string,
  target: Target,
  temporary: string,
  size: number,
): Promise<Replacement> {
  await checkReplaceable(name, target);
  if (await isMountPoint(target)) {
    return await prepareInPlace(target, (error) => toMountError(name, target, error));
  }
  const file = await reserve(temporary, target.folder, size).catch((error: unknown) => {
    throw new UsageError(`${name}: can't create ${temporary}, where the new token is written first`, {
      reasons: [toReason(error)],
      hint: 'Free some space and get write permission for that folder, or name a file in another one.',
      cause: error,
    });
  });
  const { stats } = target;
  const replacement = createReplacement(target, temporary, file);
  if (stats === undefined || (await takeOver(file, stats))) return replacement;
  await replacement.discard();
  return await prepareInPlace(
    target,
    (error) =>
      new UsageError(`${name}: can't keep the group of ${target.path}`, {
        reasons: [toReason(error)],
        hint: 'Run as its owner, get write permission for the file, or name another one.',
        cause: error,
      }),
  );
}

async function prepareInPlace({ path }: Target, toError: (error: unknown) => UsageError): Promise<Replacement> {
  await openRegular(path, constants.O_WRONLY).then(
    (file) => file.close(),
    (error: unknown) => {
      throw toError(error);
    },
  );
  return { write: (content) => overwrite(path, content), discard: async () => undefined };
}

function toMountError(name: string, { path }: Target, error: unknown): UsageError {
  return new UsageError(`${name}: can't write ${path}, which is a mount of its own`, {
    reasons: [toReason(error)],
    hint: 'Mount it writable, or name a file in a folder that is.',
    cause: error,
  });
}

// The file stays open until it is written, so that it cannot be exchanged for another one, and its mode does not matter.
function createReplacement(target: Target, temporary: string, file: FileHandle): Replacement {
  return {
    async write(content) {
      await writeAll(file, content);
      const present = await statIfAny(target.path);
      const keeps =
        present === undefined || (await takeOver(file, refuseOther(target.path, present, await file.stat())));
      await file.sync();
      await file.close();
      if (!keeps || !(await moveInto(temporary, target.path))) {
        await overwrite(target.path, content);
        await rm(temporary, { force: true });
      }
      syncFolder(target.folder);
    },
    async discard() {
      await file.close().catch(() => undefined);
      // Where the folder may no longer be changed the file stays, and no secret is to stay in it.
      await rm(temporary, { force: true }).catch(() => truncate(temporary).catch(() => undefined));
    },
  };
}

/** Makes the file with room in it, both on disk, or leaves nothing. One that is there already stays as it is. */
async function reserve(path: string, folder: string, size: number): Promise<FileHandle> {
  const file = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_RDWR, PRIVATE_FILE_MODE);
  try {
    await writeAll(file, Buffer.alloc(size));
    await file.sync();
    syncFolder(folder);
    return file;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** The file that is there now. Throws where it is no file, or another user's. */
function refuseOther(path: string, present: Stats, own: Stats): Stats {
  if (!present.isFile()) throw new Error(`${path} is ${toKind(present)} now, not a file`);
  if (present.uid !== own.uid) throw new Error(`${path} belongs to another user now`);
  return present;
}

/** Gives the file the group and mode of another. False where they cannot be kept. */
async function takeOver(file: FileHandle, { uid, gid, mode }: Stats): Promise<boolean> {
  try {
    const own = await file.stat();
    if (own.gid !== gid) await file.chown(uid, gid);
    if (((own.mode ^ mode) & 0o7777) !== 0) await file.chmod(mode & 0o7777);
    return true;
  } catch {
    return false;
  }
}

/** False where only what is in the target can be changed. */
async function moveInto(temporary: string, path: string): Promise<boolean> {
  try {
    await rename(temporary, path);
    return true;
  } catch (error) {
    if (isForContentOnly(toErrorCode(error), HAS_PERMISSIONS)) return false;
    throw error;
  }
}

/**
 * Whether such an error of a rename is about the file and not about its content: it turns out to be a mount, or another
 * program has it open, which Windows says like this.
 */
export function isForContentOnly(code: string, hasPermissions: boolean): boolean {
  return code === 'EBUSY' || (!hasPermissions && (code === 'EPERM' || code === 'EACCES'));
}

async function overwrite(path: string, content: Uint8Array): Promise<void> {
  const file = await openRegular(path, constants.O_WRONLY);
  try {
    await writeAll(file, content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** From the start of the file to its new end. A write may take less than it was given. */
async function writeAll(file: FileHandle, content: Uint8Array): Promise<void> {
  for (let at = 0; at < content.length; ) {
    at += (await file.write(content, at, content.length - at, at)).bytesWritten;
  }
  await file.truncate(content.length);
}

/** Whether something is mounted on the file itself, as containers do with single files: it cannot be renamed over. */
async function isMountPoint({ path, folder, stats }: Target): Promise<boolean> {
  if (stats === undefined) return false;
  if (stats.dev !== (await stat(folder)).dev) return true;
  // A mount from the same file system has the same device number. Only Linux has this list, and such mounts.
  const list = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
  return toMountPoints(list).includes(path);
}

function toMountPoints(list: string): readonly string[] {
  return list.split('\n').flatMap((line) => {
    const written = line.split(' ')[4];
    return written === undefined ? [] : [toPathText(written)];
  });
}

/** Space, tab, newline and backslash are written there as three octal digits; the rest is bytes as they are. */
function toPathText(written: string): string {
  return written.replace(/\\([0-7]{3})/g, (_all, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
