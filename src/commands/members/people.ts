import type { Command } from 'commander';
import type { Context } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { MEBIBYTE } from '../../input/read-file.ts';
import { type Input, readInput } from '../../input/read-input.ts';
import type { PeopleFile } from '../../roster/people-file.ts';
import { INVITATION_COLUMNS } from './columns.ts';

/** Files that name many people, given by `--file`. */

export interface FileFlags {
  readonly file?: string;
}

/** Bytes; some hundred thousand people. */
const LARGEST_FILE = 64 * MEBIBYTE;

export function addFileOption(command: Command): Command {
  return command.option('--file <path>', 'many people: CSV with the columns email,teams, or JSON; - is stdin');
}

/** Throws UsageError unless people are named in exactly one way. */
export function checkWhere(what: string, named: readonly string[], flags: FileFlags): void {
  if (named.length > 0 && flags.file !== undefined) {
    throw new UsageError(`${what} and --file exclude each other`, { hint: 'Put everybody into the file.' });
  }
  if (named.length === 0 && flags.file === undefined) {
    throw new UsageError('nobody is named', { hint: `Give ${what}, or a file of people with --file.` });
  }
}

/** The people of the file. Throws UsageError for a file that cannot be read, and for one with any row that cannot be used. */
export async function readPeople(
  context: Pick<Context, 'screen' | 'places'>,
  path: string,
  needs: { readonly teams: boolean },
): Promise<PeopleFile> {
  const { screen } = context;
  const { text, name } = await readText(context, path);
  // Its parser is loaded for files only.
  const { parsePeople } = await import('../../roster/people-file.ts');
  const people = parsePeople(text, name, needs);
  if (people.folded > 0) {
    screen.note(`${name}: ${people.folded === 1 ? 'one row names' : `${people.folded} rows name`} somebody again`);
  }
  const ignored = people.ignored.filter((column) => !INVITATION_COLUMNS.fields.includes(column));
  if (ignored.length > 0) screen.note(`${name}: not used: ${ignored.join(', ')}`);
  return people;
}

/** A whole file, or stdin for `-`, and what messages call it. Throws UsageError for what cannot be read as text. */
export async function readText(
  { places }: Pick<Context, 'places'>,
  path: string,
  option = '--file',
): Promise<{ readonly text: string } & Pick<Input, 'name' | 'isFile'>> {
  const source = { option, path, most: LARGEST_FILE, hint: 'Split it into several files.' };
  const { bytes, ...input } = await readInput(places.host, places.stop.signal, source);
  return { text: decode(bytes, input.name), ...input };
}

function decode(bytes: Buffer, name: string): string {
  try {
    // A mark in front is left to the reader of the text.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new UsageError(`${name} is not UTF-8 text`, {
      hint: 'Save it as UTF-8: spreadsheets call it CSV UTF-8.',
      cause: error,
    });
  }
}
