import { type FileReader, readText } from '../input/read-text.ts';
import { countThings } from '../text/count.ts';
import type { PeopleFile } from './parse-people-file.ts';

export interface PeopleFileOptions {
  readonly teams: boolean;
  /** Columns that need no note when nothing reads them. */
  readonly known: readonly string[];
}

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
