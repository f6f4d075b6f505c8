import { foldEmail, parseEmail } from '../email.ts';
import { type OrgctlError, toReason, UsageError } from '../errors.ts';
import { readCsv as readCsvRecords } from '../input/csv.ts';
import { isObject } from '../json-object.ts';
import { countThings, formatCount } from '../text/count.ts';
import { ORGANIZATION_MEMBERSHIPS } from '../wire/resources.ts';

/** Files of people, each with teams: CSV with a header, or a JSON array. How they begin says which. */

interface PersonRow {
  readonly email: string;
  /** Names or ids as written, each once; empty where the file names none. */
  readonly teams: readonly string[];
  /** Of CSV the line, of JSON the number of the entry; both from 1. */
  readonly line: number;
}

export interface PeopleFile {
  /** Each person once, in the file's order. */
  readonly rows: readonly PersonRow[];
  /** How many rows were dropped because their person stands in an earlier one, which got their teams. */
  readonly folded: number;
  readonly kind: 'csv' | 'json';
  readonly ignored: readonly string[];
}

interface RawRow {
  readonly line: number;
  readonly email?: string;
  readonly teams?: readonly string[];
  readonly problems: readonly string[];
}

const CSV_FORM = 'The first line names the columns: email,teams. Separate teams by semicolons.';
const JSON_FORM = 'Give an array of {"email": "ana@example.com", "teams": ["platform"]}.';
/** More than the largest file can spell out: with references a small one could name them without end. */
const MOST_TEAMS = 10_000_000;
const MOST_ROWS = 500_000;
const SPLIT = { hint: 'Split it into several files.' };
const COLUMNS: Readonly<Record<string, 'email' | 'teams'>> = {
  email: 'email',
  teams: 'teams',
  team: 'teams',
  'teams.name': 'teams',
};

/**
 * The people a text names. `name` is what messages call it. An empty list is a list; an empty text is none.
 * Throws UsageError whose reasons hold every invalid row, one a line, each with its line number.
 */
export function parsePeople(text: string, name: string, needs: { readonly teams: boolean }): PeopleFile {
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (plain.trim() === '') throw new UsageError(`${name} is empty`, { hint: CSV_FORM });
  if (!/^\s*[[{]/.test(plain)) return readCsv(plain, name, needs);
  const list = readJson(plain, name, JSON_FORM);
  if (Array.isArray(list)) return readList(list, name, needs);
  throw new UsageError(`${name} is a JSON object, where an array is expected`, { hint: JSON_FORM });
}

/** The people of a list as JSON holds it, which may come from another notation. Throws like `parsePeople`. */
export function toPeople(list: readonly unknown[], name: string): PeopleFile {
  return readList(list, name, { teams: false });
}

/** Rows are folded as they come, so that many of one person take no room. */
function collectPeople(kind: PeopleFile['kind'], name: string, needs: { readonly teams: boolean }) {
  const people = new Map<string, PersonRow>();
  const problems: { readonly line: number; readonly text: string }[] = [];
  let count = 0;
  let named = 0;
  return {
    add({ line, email, teams = [], problems: own }: RawRow): void {
      count += 1;
      if (count > MOST_ROWS) throw new UsageError(`${name} has more than ${formatCount(MOST_ROWS)} rows`, SPLIT);
      named += teams.length;
      if (named > MOST_TEAMS) {
        throw new UsageError(`${name} names more than ${formatCount(MOST_TEAMS)} teams in all`, SPLIT);
      }
      for (const problem of own) problems.push({ line, text: problem });
      if (own.length > 0 || email === undefined) return;
      const key = foldEmail(email);
      const before = people.get(key);
      people.set(key, {
        email: before?.email ?? email,
        teams: before === undefined ? teams : [...new Set([...before.teams, ...teams])],
        line: before?.line ?? line,
      });
    },
    finish(ignored: ReadonlySet<string>): PeopleFile {
      for (const { email, teams, line } of people.values()) {
        if (needs.teams && teams.length === 0) problems.push({ line, text: `${email} has no team` });
      }
      if (problems.length > 0) throw toInvalid(name, problems, kind);
      return { rows: [...people.values()], folded: count - people.size, kind, ignored: [...ignored] };
    },
  };
}

function toInvalid(
  name: string,
  problems: readonly { readonly line: number; readonly text: string }[],
  kind: PeopleFile['kind'],
): UsageError {
  const [place, places] = kind === 'csv' ? ['line', 'lines'] : ['entry', 'entries'];
  const lines = new Set(problems.map(({ line }) => line)).size;
  return new UsageError(`${name}: ${countThings(lines, place, places)} can't be used`, {
    code: 'invalid-rows',
    reasons: [...problems].sort((a, b) => a.line - b.line).map(({ line, text }) => `${place} ${line}: ${text}`),
    hint: `Nothing was sent. ${kind === 'csv' ? CSV_FORM : JSON_FORM}`,
  });
}

function readCsv(text: string, name: string, needs: { readonly teams: boolean }): PeopleFile {
  const people = collectPeople('csv', name, needs);
  let header: { readonly names: readonly string[]; readonly columns: Columns } | undefined;
  const broken = readCsvRecords(text, (record, line) => {
    if (header === undefined) header = { names: record, columns: findColumns(record, name) };
    else if (record.some((value) => value !== '')) {
      people.add(toCsvRow(record, line, header.names.length, header.columns));
    }
  });
  if (header === undefined) throw new UsageError(`${name} has no header`, { hint: CSV_FORM });
  if (broken !== undefined) {
    people.add({ line: broken.line, problems: [`${broken.problem}; the rest was not read`] });
  }
  return people.finish(new Set(header.names.filter((column) => column !== '' && toColumn(column) === undefined)));
}

interface Columns {
  readonly email: number;
  /** Below zero where there is none. */
  readonly teams: number;
}

function findColumns(header: readonly string[], name: string): Columns {
  const columns = header.map(toColumn);
  const twice = (['email', 'teams'] as const).find((column) => columns.indexOf(column) !== columns.lastIndexOf(column));
  if (twice !== undefined) throw new UsageError(`${name} has two columns for ${twice}`, { hint: CSV_FORM });
  const email = columns.indexOf('email');
  if (email < 0) {
    const found = header.length === 1 ? `'${header[0]}'` : header.map((column) => `'${column}'`).join(', ');
    throw new UsageError(`${name} has no column email`, {
      reasons: [`The first line names the columns. It has: ${found}.`],
      hint: CSV_FORM,
    });
  }
  return { email, teams: columns.indexOf('teams') };
}

function toColumn(name: string): 'email' | 'teams' | undefined {
  const plain = name.toLowerCase().replace(/[\s_-]/g, '');
  return Object.hasOwn(COLUMNS, plain) ? COLUMNS[plain] : undefined;
}

/** Values are counted, since teams separated by commas would be dropped unseen. */
function toCsvRow(record: readonly string[], line: number, width: number, columns: Columns): RawRow {
  const beyond = record.slice(width).some((value) => value !== '');
  const { email, problems } = readEmail(record[columns.email] ?? '');
  return {
    line,
    ...(email === undefined ? {} : { email }),
    // The csv that orgctl prints joins them by comma.
    teams: columns.teams < 0 ? [] : toTeams((record[columns.teams] ?? '').split(/[;,]/)),
    problems: beyond
      ? [...problems, `${record.length} values where the header names ${width}: separate teams by semicolons`]
      : problems,
  };
}

export function readJson(text: string, name: string, hint: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${name} is not JSON: ${toReason(error)}`, { hint, cause: error });
  }
}

/** Each list of teams is read once: entries may share a long one. */
function readList(list: readonly unknown[], name: string, needs: { readonly teams: boolean }): PeopleFile {
  const people = collectPeople('json', name, needs);
  const ignored = new Set<string>();
  const read = new Map<unknown, readonly string[] | undefined>();
  const readTeamsOnce = (value: unknown): readonly string[] | undefined => {
    if (!read.has(value)) read.set(value, readTeams(value));
    return read.get(value);
  };
  for (const [index, entry] of list.entries()) people.add(toJsonRow(entry, index + 1, ignored, readTeamsOnce));
  return people.finish(ignored);
}

function toJsonRow(
  entry: unknown,
  line: number,
  ignored: Set<string>,
  readTeams: (value: unknown) => readonly string[] | undefined,
): RawRow {
  if (typeof entry === 'string') return { line, ...readEmail(entry) };
  if (!isObject(entry)) return { line, problems: ['is neither an object nor an address'] };
  const members = new Map<'email' | 'teams', unknown>();
  // What orgctl prints of a person holds more than a list of people needs.
  const isOwn = entry['type'] === ORGANIZATION_MEMBERSHIPS;
  for (const [key, value] of Object.entries(entry)) {
    const column = toColumn(key);
    if (column === undefined && !isOwn) ignored.add(key);
    if (column === undefined) continue;
    members.set(column, value);
  }
  const { email, problems } = readEmail(members.get('email'));
  const teams = readTeams(members.get('teams'));
  return {
    line,
    ...(email === undefined ? {} : { email }),
    ...(teams === undefined ? {} : { teams }),
    problems: teams === undefined ? [...problems, 'teams is not a list of names or ids'] : problems,
  };
}

function readEmail(value: unknown): { readonly email?: string; readonly problems: readonly string[] } {
  if (value === undefined || value === null || value === '') return { problems: ['has no email'] };
  if (typeof value !== 'string') return { problems: ['email is not a text'] };
  try {
    return { email: parseEmail(value), problems: [] };
  } catch (error) {
    return { problems: [(error as OrgctlError).message] };
  }
}

/** Undefined when it is no list of teams. A team may be an object with its id, as a printed membership has it. */
function readTeams(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return undefined;
  const texts = value.map((team: unknown) => (isObject(team) ? team['id'] : team));
  return texts.every((text) => typeof text === 'string') ? toTeams(texts) : undefined;
}

function toTeams(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))];
}
