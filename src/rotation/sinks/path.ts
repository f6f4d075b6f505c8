import { resolve } from 'node:path';
import { UsageError } from '../../errors.ts';

/** The absolute path meant by what stands in a `--to`. `name` is the whole of it, for messages. Throws UsageError. */
export function parsePath(text: string, name: string, cwd: string): string {
  if (text === '') throw new UsageError(`'${name}' names no file`, { hint: 'Write a path after the colon.' });
  if (text.includes('\0'))
    throw new UsageError(`'${name}' holds a NUL character, which no path can`, { hint: 'Write the path without it.' });
  // A folder called ~ would be made of it, or looked for.
  if (/^~[^/\\]*(?:[/\\]|$)/.test(text)) {
    throw new UsageError(`'${name}': the shell did not replace ~ by a home folder, since it does not begin the word`, {
      hint: `Write "$HOME" in its place, or ./${text} for a file of that name here.`,
    });
  }
  if (/[/\\]$/.test(text)) {
    throw new UsageError(`'${name}' names a folder`, { hint: 'Name the file in it that is to hold the token.' });
  }
  return resolve(cwd, text);
}
