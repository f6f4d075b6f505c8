import { toErrorCode, UsageError } from '../errors.ts';
import { MEBIBYTE, type ReadFile, readWholeFile, toReadFault } from '../input/read-file.ts';
import { isOpenToOthers } from './permissions.ts';

const MOST_BYTES = 16 * MEBIBYTE;

/** The text of a file of secrets; undefined where there is none. Throws UsageError where others may read it. */
export function readPrivateText(path: string): string | undefined {
  const file = readSecretText(path);
  if (file?.fault !== undefined) throw file.fault;
  return file?.text;
}

/** The same, for a file that may hold no secret: `fault` is the error that others may read it. */
export function readSecretText(
  path: string,
): { readonly text: string; readonly fault: UsageError | undefined } | undefined {
  const file = read(path);
  if (file === undefined) return undefined;
  const text = file.bytes.toString('utf8');
  if (!isOpenToOthers(file.mode)) return { text, fault: undefined };
  const fault = new UsageError(`others can read ${path}, so the secrets in it are not used`, {
    hint: 'Make it readable by you alone. If others may have seen it, replace the tokens in it too.',
    next: [['chmod', '600', path]],
  });
  return { text, fault };
}

/** The text of a file; undefined where there is none. Throws UsageError where it cannot be read. */
export function readPlainText(path: string): string | undefined {
  return read(path)?.bytes.toString('utf8');
}

function read(path: string): ReadFile | undefined {
  try {
    return readWholeFile(path, MOST_BYTES);
  } catch (error) {
    if (toErrorCode(error) === 'ENOENT') return undefined;
    throw new UsageError(`can't read ${path}: ${toReadFault(error)}`, {
      hint: 'Make it a file that you can read, or move it away. It was not changed.',
      cause: error,
    });
  }
}
