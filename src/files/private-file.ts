import { UsageError } from '../errors.ts';
import { isOpenToOthers } from './permissions.ts';
import { createUnreadable, type ReadFile, readFileIfAny } from './read-file.ts';
import { findPlanted, findStranger, type Person, type Words } from './strangers.ts';

/**
 * The text of a file of secrets; undefined where there is none. Throws UsageError where others may read it, or another user
 * may have put it there.
 */
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
  if (file === undefined) return undefined;
  const text = file.bytes.toString('utf8');
  const so = 'the secrets in it are not used';
  const planted = findPlanted(
    path,
    person,
    { so, hint: 'Keep it in a folder where only you and root can write.' },
    file.status.uid,
  );
  if (planted !== undefined || !isOpenToOthers(file.status.mode)) return { text, fault: planted };
  const fault = new UsageError(`others can read ${path}, so the secrets in it are not used`, {
    hint: 'Make it readable by you alone. If others may have seen it, replace the tokens in it too.',
    next: [['chmod', '600', path]],
  });
  return { text, fault };
}

/**
 * The text of a file; undefined where there is none. `findFault` finds the error that another user could have changed it.
 * Throws UsageError where it cannot be read.
 */
export function readPlainText(path: string, person: Person, hint?: string) {
  const file = read(path, hint);
  if (file === undefined) return undefined;
  return {
    text: file.bytes.toString('utf8'),
    findFault: (words: Words): UsageError | undefined => findStranger(path, person, words, file.status),
  };
}

function read(path: string, hint = 'Make it a file that you can read, or move it away.'): ReadFile | undefined {
  try {
    return readFileIfAny(path);
  } catch (error) {
    throw createUnreadable(path, error, `${hint} It was not changed.`);
  }
}
