import { UsageError } from '../errors.ts';
import type { Host } from '../host.ts';
import { MEBIBYTE } from '../input/read-file.ts';
import { type Input, readInput } from '../input/read-input.ts';
import { countThings } from '../text/count.ts';
import type { PeopleFile } from './parse-people-file.ts';

export interface FileReader {
  readonly host: Host;
  readonly signal: AbortSignal;
  note(text: string): void;
}

export interface PeopleFileOptions {
  readonly teams: boolean;
  /** Columns that need no note when nothing reads them. */
  readonly known: readonly string[];
}

const LARGEST_FILE = 64 * MEBIBYTE;

/** The people of the file. Throws UsageError for a file that cannot be read, and for one with any row that cannot be used. */
export async function readPeopleFile(
  reader: FileReader,
  path: string,
  { teams, known }: PeopleFileOptions,
): Promise<PeopleFile> {
  const { text, name } = await readText(reader, path);
  // Loaded for files only, with the parser of CSV.
  const { parsePeople } = await import('./parse-people-file.ts');
  const people = parsePeople(text, name, { teams });
  noteUnread({ ...people, ignored: people.ignored.filter((column) => !known.includes(column)) }, name, reader.note);
  return people;
}

export function noteUnread(
  { folded, ignored }: Pick<PeopleFile, 'folded' | 'ignored'>,
  name: string,
  note: FileReader['note'],
): void {
  if (folded > 0) note(`${name}: ${countThings(folded, 'row repeats', 'rows repeat')} a person.`);
  if (ignored.length > 0) note(`${name}: not used: ${ignored.join(', ')}.`);
}

/** A whole file, or stdin for `-`, and what messages call it. Throws UsageError for what cannot be read as text. */
export async function readText(
  { host, signal }: Pick<FileReader, 'host' | 'signal'>,
  path: string,
  option = '--file',
): Promise<{ readonly text: string } & Pick<Input, 'name' | 'isFile'>> {
  const source = { option, path, most: LARGEST_FILE, hint: 'Split it into several files.' };
  const { bytes, ...input } = await readInput(host, signal, source);
  return { text: decode(bytes, input.name), ...input };
}

function decode(bytes: Buffer, name: string): string {
  try {
    // A byte order mark is left to the reader of the text.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new UsageError(`${name} is not UTF-8 text`, {
      hint: 'Save it as UTF-8: spreadsheets call it CSV UTF-8.',
      cause: error,
    });
  }
}
