import { constants } from 'node:fs';

/** Whether files have permissions and owners here. Windows has neither, nor this flag. */
export const HAS_PERMISSIONS = constants.O_NOFOLLOW !== undefined;

/** For the owner alone. */
export const PRIVATE_FILE_MODE = 0o600;
export const PRIVATE_FOLDER_MODE = 0o700;

/** Whether somebody besides the owner may do anything with a file of this mode. */
export function isOpenToOthers(mode: number): boolean {
  return HAS_PERMISSIONS && (mode & 0o077) !== 0;
}

/** Whether somebody besides the owner may change it. */
export function isWritableByOthers(mode: number): boolean {
  return HAS_PERMISSIONS && (mode & 0o022) !== 0;
}

/** Whether somebody besides the owner may read it. */
export function isReadableByOthers(mode: number): boolean {
  return HAS_PERMISSIONS && (mode & 0o044) !== 0;
}
