import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { UsageError } from '../errors.ts';

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
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    if (isSecret && (fstatSync(file).mode & 0o077) !== 0) {
      throw new UsageError(`${path} may be read by others, so the secrets in it are not used`, {
        hint: 'Make it yours alone; if others may have seen it, replace the tokens in it too.',
        next: [['chmod', '600', path]],
      });
    }
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new UsageError(`${path} cannot be read (${code})`, {
      hint: 'Make it a file that you may read, or move it away. It was left as it is.',
      cause: error,
    });
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
