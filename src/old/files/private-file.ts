import { UsageError } from '../errors.ts';
import type { Host } from '../host.ts';
import { HAS_PERMISSIONS, isOpenToOthers } from './permissions.ts';
import { createUnreadable, type ReadFile, readFileIfAny } from './read-file.ts';

type Person = Pick<Host, 'user'>;

/** The text of a file of secrets; undefined where there is none. Throws UsageError where others may read or own it. */
export function readPrivateText(path: string, person: Person, hint?: string): string | undefined {
  const file = readSecretText(path, person, hint);
  if (file?.fault !== undefined) throw file.fault;
  return file?.text;
}

/**
 * The text of a file that may hold a secret; undefined where there is none. `fault`: why its secrets may not be used.
 */
export function readSecretText(
  path: string,
  person: Person,
  hint?: string,
): { readonly text: string; readonly fault: UsageError | undefined } | undefined {
  const file = read(path, hint);
  return file === undefined
    ? undefined
    : { text: file.bytes.toString('utf8'), fault: findFault(path, file.status, person) };
}

/** Root reads what it is given. */
function findFault(path: string, { uid, mode }: ReadFile['status'], { user }: Person): UsageError | undefined {
  const so = 'so the secrets in it are not used';
  if (HAS_PERMISSIONS && user !== undefined && user !== 0 && uid !== user && uid !== 0) {
    return new UsageError(`${path} belongs to another user (${uid}), ${so}`, { hint: 'Use a file of your own.' });
  }
  if (!isOpenToOthers(mode)) return undefined;
  return new UsageError(`others can read ${path}, ${so}`, {
    hint: 'Make it readable by you alone. If others may have seen it, replace the tokens in it too.',
    next: [['chmod', '600', path]],
  });
}

/** The text of a file; undefined where there is none. Throws UsageError where it cannot be read. */
export function readPlainText(path: string, hint?: string): string | undefined {
  return read(path, hint)?.bytes.toString('utf8');
}

function read(path: string, hint = 'Make it a file that you can read, or move it away.'): ReadFile | undefined {
  try {
    return readFileIfAny(path);
  } catch (error) {
    throw createUnreadable(path, error, `${hint} It was not changed.`);
  }
}
