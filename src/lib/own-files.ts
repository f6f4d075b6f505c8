import {
  appendFileSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { hasPartialLine } from './descriptors.ts';
import { UsageError } from './errors.ts';
import { formatFileError, readOptionalFile } from './files.ts';
import { assertNoRepeatedKey, isObject, type JsonObject, parseJson } from './json.ts';
import { quoteWord } from './text.ts';

/** `user` is undefined on Windows, which has no modes. */
type User = number | undefined;

const OTHERS = { read: 0o077, write: 0o022 };

/** Reads as `readOptionalFile` does. Throws UsageError unless the file is this user's or root's, and others lack the `forbidden` right. */
export function readOwnFile(path: string, user: User, forbidden: keyof typeof OTHERS): string | undefined {
  return readOptionalFile(path, undefined, (stats) => assertOwn(path, stats, user, OTHERS[forbidden]));
}

/** Others may not read a key, but the group may read root's: Kubernetes mounts keys so. */
export function assertPrivateKey(path: string, user: User): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats) assertOwn(path, stats, user, stats.uid === 0 ? 0o037 : 0o077);
}

function assertOwn(path: string, { uid, mode }: Stats, user: User, forbidden: number): void {
  if (user === undefined) return;
  if (uid !== user && uid !== 0) {
    throw new UsageError(`${path} belongs to another user`, { hint: 'It is not used, since it decides about tokens.' });
  }
  if ((mode & forbidden) === 0) return;
  const act = forbidden === OTHERS.write ? 'write' : 'read';
  throw new UsageError(`other users can ${act} ${path}`, { hint: `Run chmod 600 ${quoteWord(path)}` });
}

/** Throws UsageError for a text of `path` that is not one JSON object, or has a key twice in an object. */
export function parseOwnFile(text: string, path: string, hint: string): JsonObject {
  const value = parseJson(text);
  if (!isObject(value)) throw new UsageError(`${path} is damaged: it is not a JSON object`, { hint });
  assertNoRepeatedKey(text, path, hint);
  return value;
}

/** Creates a file that only this user may read. Ends a line that a full disk cut off first. Throws UsageError. */
export function appendPrivateLine(path: string, line: string): void {
  try {
    const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK = 0 } = constants;
    // A named pipe that nobody reads would block the process for ever.
    const file = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o600);
    try {
      appendFileSync(file, `${hasPartialLine(file) ? '\n' : ''}${line}\n`);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new UsageError(`can't write ${path}: ${formatFileError(error)}`, { cause: error });
  }
}

/** Empty if the folder does not exist or can't be read. */
export function listSubfolders(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []));
  } catch {
    return [];
  }
}

export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

/** Creates a folder that only this user may enter, and its parents. Throws UsageError; `variable` names another folder. */
export function makePrivateFolder(path: string, variable = 'ORGCTL_STATE_DIR'): void {
  try {
    mkdirSync(path, { mode: 0o700, recursive: true });
  } catch (error) {
    throw new UsageError(`can't create ${path}: ${formatFileError(error)}`, {
      hint: `Set ${variable} to a folder that you can write to.`,
      cause: error,
    });
  }
}
