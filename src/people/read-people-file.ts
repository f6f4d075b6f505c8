import { SIGNALS } from '../act-on-each.ts';
import { OrgctlError } from '../errors.ts';
import { type FileReader, readText } from '../input/read-text.ts';
import { countThings } from '../text/count.ts';
import type { PeopleFile, PeopleRules, PersonRow, Problem } from './parse-people-file.ts';

export interface PeopleFileOptions extends PeopleRules {
  /** Columns that need no note when nothing reads them. */
  readonly known: readonly string[];
  /** Looks for more that is wrong in rows that can be used so far, such as teams that don't exist. */
  readonly findMore?: (rows: readonly PersonRow[]) => Promise<readonly Problem[]>;
}

/**
 * The people of the file. Throws UsageError for a file that cannot be read, and one that names everything wrong where any row
 * cannot be used.
 */
export async function readPeopleFile(
  reader: FileReader,
  path: string,
  { known, findMore, ...rules }: PeopleFileOptions,
): Promise<PeopleFile> {
  const { text, name } = await readText(reader, path);
  // Loaded for files only, with the parser of CSV.
  const { parsePeople, refuseProblems } = await import('./parse-people-file.ts');
  const people = parsePeople(text, name, rules);
  const more = people.problems.length === 0 ? [] : await orNothing(findMore?.(people.rows) ?? Promise.resolve([]));
  refuseProblems({ ...people, problems: [...people.problems, ...more] }, name);
  noteUnread({ ...people, ignored: people.ignored.filter((column) => !known.includes(column)) }, name, reader.note);
  return people;
}

/** What is wrong anyway is said also where the service can't be asked for more. */
export async function orNothing<Found>(looking: Promise<readonly Found[]>): Promise<readonly Found[]> {
  return await looking.catch((error: unknown) => {
    if (error instanceof OrgctlError && !SIGNALS.has(error.exit)) return [];
    throw error;
  });
}

export function noteUnread(
  { folded, ignored }: Pick<PeopleFile, 'folded' | 'ignored'>,
  name: string,
  note: FileReader['note'],
): void {
  if (folded > 0) note(`${name}: ${countThings(folded, 'row repeats', 'rows repeat')} a person.`);
  if (ignored.length > 0) note(`${name}: not used: ${ignored.join(', ')}.`);
}
