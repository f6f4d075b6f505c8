import { OrgctlError } from '../errors.ts';
import { type FileReader, readText } from '../files/read-text.ts';
import { isSignal } from '../interrupts.ts';
import { countThings } from '../text/count.ts';
import type { PeopleRules } from './people-columns.ts';
import { describeUnread, type PeopleFile, type PlacedPeople, type Problem, refuseProblems } from './person-rows.ts';
import { placePeople } from './placed-people.ts';

export interface Placing {
  /** Those that the command is about. */
  organizations(): Promise<readonly string[]>;
  /** Whether every row has to name one of them. */
  readonly isNamed?: boolean;
  /** Looks for more that is wrong, such as teams that don't exist. Called where something is. */
  readonly findMore:
    | ((people: PlacedPeople, organizations: readonly string[]) => Promise<readonly Problem[]>)
    | undefined;
}

export interface PeopleFileOptions extends PeopleRules, Placing {
  /** Columns that need no note when nothing reads them. */
  readonly known: readonly string[];
}

/**
 * The people of the file. Throws UsageError for a file that cannot be read, and one that names everything wrong where any row
 * cannot be used.
 */
export async function readPeopleFile(
  reader: FileReader,
  path: string,
  { known, organizations, isNamed = false, findMore, ...rules }: PeopleFileOptions,
): Promise<PlacedPeople> {
  const { text, name } = await readText(reader, path);
  // Loaded for files only, with the parser of CSV.
  const { parsePeople } = await import('./parse-people-file.ts');
  // What is piped in may be what a list without rows printed, of which tsv has nothing.
  const file = parsePeople(path === '-' && text.trim() === '' ? '[]' : text, name, rules);
  return await settlePeople(reader, file, { known, organizations, isNamed, findMore });
}

/** Says where the rows of a file act, and everything that is wrong with them. `form`: what a right file is like. */
export async function settlePeople(
  { note }: Pick<FileReader, 'note'>,
  file: PeopleFile,
  { known, organizations, isNamed, findMore }: Placing & Pick<PeopleFileOptions, 'known'>,
  form?: string,
): Promise<PlacedPeople> {
  const isWrong = file.problems.length > 0;
  const names = isWrong ? await orNothing(organizations()) : await organizations();
  // Where they can't be asked for, only what the rows themselves say is known to be wrong.
  const unread = file.ignored.filter((column) => !known.includes(column) || MEANT.has(column));
  if (names.length === 0) refuseProblems(file, file.problems, form, unread);
  const { people, problems } = placePeople(file, names, isNamed);
  const found = [...file.problems, ...problems];
  const more = found.length === 0 || findMore === undefined ? [] : await orNothing(findMore(people, names));
  refuseProblems(file, [...found, ...more], form, unread);
  noteUnread({ ...file, ignored: unread }, note);
  return people;
}

/** Columns that orgctl prints, and that people write for a purpose. */
const MEANT: ReadonlySet<string> = new Set(['teams', 'status']);

/** What is wrong anyway is said also where the service can't be asked for more. */
async function orNothing<Found>(looking: Promise<readonly Found[]>): Promise<readonly Found[]> {
  return await looking.catch((error: unknown) => {
    if (error instanceof OrgctlError && !isSignal(error)) return [];
    throw error;
  });
}

function noteUnread({ name, folded, ignored }: PeopleFile, note: FileReader['note']): void {
  if (folded > 0) note(`${name}: ${countThings(folded, 'row repeats', 'rows repeat')} a person.`);
  if (ignored.length > 0) note(`${name}: ${describeUnread(ignored)}.`);
}
