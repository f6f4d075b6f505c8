import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { readErrorCode, UsageError } from './errors.ts';
import { formatFileError } from './files.ts';
import { decodeText } from './input-text.ts';
import { quoteWord } from './text.ts';

/** Permissions that other users must not have, also for a file of root. */
const FORBIDDEN = {
  secrets: { own: 0o077, root: 0o077 },
  // Kubernetes mounts keys as root's, and its group reads them.
  key: { own: 0o077, root: 0o037 },
  settings: { own: 0o022, root: 0o022 },
};

/**
 * Undefined if the file does not exist. Throws UsageError unless the file belongs to this user or to root, and nobody else
 * may read it (settings: write it). `user` is undefined on Windows, which has no modes.
 */
export function readOwnFile(path: string, user: number | undefined, kind: keyof typeof FORBIDDEN): string | undefined {
  const file = openOptional(path, kind);
  if (file === undefined) return undefined;
  try {
    const stats = fstatSync(file);
    const isPipe = stats.isFIFO() && kind === 'key';
    if (!stats.isFile() && !isPipe) throw new UsageError(`${path} is not a regular file`);
    if (user !== undefined) assertOwn(path, stats, user, kind);
    return kind === 'key' ? readFileSync(file, 'latin1') : decodeText(readFileSync(file), path);
  } finally {
    closeSync(file);
  }
}

/** Does not wait for the writer of a named pipe, but a key may come from one. */
function openOptional(path: string, kind: keyof typeof FORBIDDEN): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | (kind === 'key' ? 0 : (constants.O_NONBLOCK ?? 0)));
  } catch (error) {
    // A user of a system service has /dev/null as home folder.
    if (['ENOENT', 'ENOTDIR'].includes(readErrorCode(error))) return undefined;
    throw new UsageError(`can't read ${path}: ${formatFileError(error)}`, { cause: error });
  }
}

function assertOwn(path: string, { uid, mode }: Stats, user: number, kind: keyof typeof FORBIDDEN): void {
  const isSettings = kind === 'settings';
  if (uid !== user && uid !== 0) {
    const reason = isSettings ? 'says where tokens are sent' : 'holds secrets';
    throw new UsageError(`${path} belongs to another user`, { hint: `It is not used, since it ${reason}.` });
  }
  if ((mode & FORBIDDEN[kind][uid === 0 ? 'root' : 'own']) === 0) return;
  throw new UsageError(`other users can ${isSettings ? 'write' : 'read'} ${path}`, {
    hint: `Run chmod ${isSettings ? 'go-w' : '600'} ${quoteWord(path)}`,
  });
}
