import { UsageError } from '../errors.ts';
import { MEBIBYTE, type ReadFile, readWholeFile, toReadFault } from '../input/read-file.ts';

const MOST_BYTES = 16 * MEBIBYTE;

/** The text of a file of secrets; undefined where there is none. Throws UsageError where others may read it. */
export function readPrivateText(path: string, platform: NodeJS.Platform): string | undefined {
  // Windows has no such permissions: there the folder's owner decides.
  return readText(path, platform !== 'win32');
}

/** The text of a file; undefined where there is none. Throws UsageError where it cannot be read. */
export function readPlainText(path: string): string | undefined {
  return readText(path, false);
}

function readText(path: string, isSecret: boolean): string | undefined {
  let file: ReadFile;
  try {
    file = readWholeFile(path, MOST_BYTES);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new UsageError(`${path} cannot be read: ${toReadFault(error)}`, {
      hint: 'Make it a file that you may read, or move it away. It was left as it is.',
      cause: error,
    });
  }
  if (isSecret && (file.mode & 0o077) !== 0) {
    throw new UsageError(`${path} may be read by others, so the secrets in it are not used`, {
      hint: 'Make it yours alone; if others may have seen it, replace the tokens in it too.',
      next: [['chmod', '600', path]],
    });
  }
  return file.bytes.toString('utf8');
}
