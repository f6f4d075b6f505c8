import { constants } from 'node:fs';

/** Whether files have permissions and owners here. Windows has neither, nor this flag. */
export const HAS_PERMISSIONS = constants.O_NOFOLLOW !== undefined;

/** For the owner alone. */
export const PRIVATE_FILE_MODE = 0o600;
export const PRIVATE_FOLDER_MODE = 0o700;

export function isOpenToOthers(mode: number): boolean {
  return HAS_PERMISSIONS && (mode & 0o077) !== 0;
}

export function isWritableByOthers(mode: number): boolean {
  return HAS_PERMISSIONS && (mode & 0o022) !== 0;
}

export function isReadableByOthers(mode: number): boolean {
  return HAS_PERMISSIONS && (mode & 0o044) !== 0;
}
