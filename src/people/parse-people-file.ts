import { foldEmail, parseEmail } from '../email.ts';
import { toReason, UsageError } from '../errors.ts';
import { readCsv as readCsvRecords } from '../input/csv.ts';
import { isObject, parseJsonText } from '../json-object.ts';
import { countThings, formatCount } from '../text/count.ts';
import { joinNames } from '../text/join.ts';
import { ORGANIZATION_MEMBERSHIPS } from '../wire/resources.ts';
import { parseMemberReference } from './reference.ts';

/** Files of people, each with teams: CSV with a header, or a JSON array. How they begin says which. */

/** How a row can name a person: by email, by user name, or by the id of the membership (ou-…) or the user (user-…). */
export type PersonKey = 'id' | 'user' | 'email';

type PersonKeys = { readonly [Key in PersonKey]?: string };

export interface PersonRow extends PersonKeys {
  /** Names or ids as written, each once; undefined where the row does not say. */
  readonly teams?: readonly string[];
  /** Of CSV and YAML the line, of JSON the number of the entry; all from 1. */
  readonly line: number;
}

/** What is wrong in a row. */
export interface Problem {
  readonly line: number;
  readonly text: string;
}

export interface PeopleFile {
  /** In the file's order; those that can be used. */
  readonly rows: readonly PersonRow[];
  /** How many rows were dropped because their person stands in an earlier one, which got their teams. */
  readonly folded: number;
  readonly kind: 'csv' | 'json' | 'yaml';
  readonly ignored: readonly string[];
  readonly problems: readonly Problem[];
}

export interface PeopleRules {
  /** Whether each row names a team. */
  readonly teams: boolean;
  /** The keys that can name a person; the email alone when left out. */
  readonly keys?: readonly PersonKey[];
  /** Whether a person may stand in one row only. Otherwise several are one, with the teams of all. */
  readonly once?: boolean;
}

interface RawRow extends PersonKeys {
  readonly line: number;
  readonly teams?: readonly string[];
  readonly problems: readonly string[];
}

const CSV_FORM = 'The first line names the columns: email,teams. Separate teams by semicolons.';
const JSON_FORM = 'Give an array of {"email": "ana@example.com", "teams": ["platform"]}.';
/** More than the largest file can spell out: with references a small one could name them without end. */
const MOST_TEAMS = 10_000_000;
const MOST_ROWS = 500_000;
const SPLIT = { hint: 'Split it into several files.' };
type Column = PersonKey | 'teams';

const EMAIL_ALONE: readonly PersonKey[] = ['email'];
/** The most certain one first. */
export const ALL_KEYS: readonly PersonKey[] = ['id', 'user', 'email'];
const COLUMNS: Readonly<Record<string, Column>> = {
  id: 'id',
  user: 'user',
  username: 'user',
  'user.username': 'user',
  email: 'email',
  teams: 'teams',
  team: 'teams',
  'teams.name': 'teams',
};

/**
 * The people a text names, and every row that cannot be used. `name` is what messages call it. An empty list is a list; an
 * empty text is none. Throws UsageError for a text that holds no list of people.
 */
export function parsePeople(text: string, name: string, rules: PeopleRules): PeopleFile {
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (plain.trim() === '') throw new UsageError(`${name} is empty`, { hint: CSV_FORM });
  if (!/^\s*[[{]/.test(plain)) return readCsv(plain, name, rules);
  const list = readJson(plain, name, JSON_FORM);
  if (Array.isArray(list)) return toPeople(list, name, rules);
  throw new UsageError(`${name} is a JSON object, where an array is expected`, { hint: JSON_FORM });
}

/** Throws UsageError that names everything wrong in a file, a line each. `form`: what a right one is like. */
export function refuseProblems(
  { kind, problems }: Pick<PeopleFile, 'kind' | 'problems'>,
  name: string,
  form = kind === 'csv' ? CSV_FORM : JSON_FORM,
): void {
  if (problems.length === 0) return;
  const place = kind === 'json' ? 'entry' : 'line';
  const count = new Set(problems.map(({ line }) => line)).size;
  throw new UsageError(`${name}: ${countThings(count, place, kind === 'json' ? 'entries' : 'lines')} can't be used`, {
    code: 'invalid-rows',
    reasons: [...problems].sort((a, b) => a.line - b.line).map(({ line, text }) => `${place} ${line}: ${text}`),
    hint: `Nothing was sent. ${form}`,
  });
}

/** Rows are folded as they come, so that many of one person take no room. */
function collectPeople(kind: PeopleFile['kind'], name: string, { teams: needsTeams, once = false }: PeopleRules) {
  const people = new Map<string, PersonRow>();
  const problems: Problem[] = [];
  let count = 0;
  let folded = 0;
  let named = 0;
  const place = kind === 'json' ? 'entry' : 'line';
  return {
    add({ problems: own, ...row }: RawRow): void {
      const { line, teams } = row;
      count += 1;
      if (count > MOST_ROWS) throw new UsageError(`${name} has more than ${formatCount(MOST_ROWS)} rows`, SPLIT);
      named += teams?.length ?? 0;
      if (named > MOST_TEAMS) {
        throw new UsageError(`${name} names more than ${formatCount(MOST_TEAMS)} teams in all`, SPLIT);
      }
      for (const problem of own) problems.push({ line, text: problem });
      if (own.length > 0) return;
      const key = toKey(row);
      const before = people.get(key);
      if (before === undefined) people.set(key, row);
      else if (once) problems.push({ line, text: `${nameRow(row)} is in ${place} ${before.line} already` });
      else {
        folded += 1;
        const all = [...new Set([...(before.teams ?? []), ...(teams ?? [])])];
        people.set(key, { ...before, ...(all.length === 0 ? {} : { teams: all }) });
      }
    },
    finish(ignored: ReadonlySet<string>): PeopleFile {
      const rows = [...people.values()];
      for (const row of rows) {
        if (needsTeams && (row.teams ?? []).length === 0) {
          problems.push({ line: row.line, text: `${nameRow(row)} has no team` });
        }
      }
      return { rows, folded, kind, ignored: [...ignored], problems };
    },
  };
}

/** Of the most certain key that a row has. */
function toKey({ id, user, email }: PersonKeys): string {
  if (id !== undefined) return `id ${id}`;
  return user === undefined ? `email ${foldEmail(email ?? '')}` : `user ${user.toLowerCase()}`;
}

/** `ana@example.com`, as the row names the person. */
export function nameRow({ id, user, email }: PersonKeys): string {
  return email ?? user ?? id ?? '';
}

function readCsv(text: string, name: string, rules: PeopleRules): PeopleFile {
  const people = collectPeople('csv', name, rules);
  let header: { readonly names: readonly string[]; readonly columns: Columns } | undefined;
  const broken = readCsvRecords(text, (record, line) => {
    if (header === undefined) header = { names: record, columns: findColumns(record, name, rules) };
    else if (record.some((value) => value !== '')) {
      people.add(toCsvRow(record, line, header.names.length, header.columns));
    }
  });
  if (header === undefined) throw new UsageError(`${name} has no header`, { hint: CSV_FORM });
  if (broken !== undefined) {
    people.add({ line: broken.line, problems: [`${broken.problem}; the rest was not read`] });
  }
  return people.finish(
    new Set(header.names.filter((column) => column !== '' && toColumn(column, rules) === undefined)),
  );
}

type Columns = ReadonlyMap<Column, number>;

function findColumns(header: readonly string[], name: string, rules: PeopleRules): Columns {
  const columns = new Map<Column, number>();
  for (const [index, text] of header.entries()) {
    const column = toColumn(text, rules);
    if (column === undefined) continue;
    if (columns.has(column)) throw new UsageError(`${name} has two columns for ${column}`, { hint: CSV_FORM });
    columns.set(column, index);
  }
  const { keys = EMAIL_ALONE } = rules;
  if (!keys.some((key) => columns.has(key))) {
    const found = header.length === 1 ? `'${header[0]}'` : header.map((column) => `'${column}'`).join(', ');
    throw new UsageError(`${name} has no column ${joinNames(toNames(keys), 'or')}`, {
      reasons: [`The first line names the columns. It has: ${found}.`],
      hint: CSV_FORM,
    });
  }
  return columns;
}

function toColumn(name: string, { keys = EMAIL_ALONE }: PeopleRules): Column | undefined {
  const plain = name.toLowerCase().replace(/[\s_-]/g, '');
  const column = Object.hasOwn(COLUMNS, plain) ? COLUMNS[plain] : undefined;
  return column === undefined || column === 'teams' || keys.includes(column) ? column : undefined;
}

/** Values are counted, since teams separated by commas would be dropped unseen. */
function toCsvRow(record: readonly string[], line: number, width: number, columns: Columns): RawRow {
  const beyond = record.slice(width).some((value) => value !== '');
  const toValue = (column: Column): string => record[columns.get(column) ?? -1] ?? '';
  const { keys, problems } = readKeys(
    toValue,
    ALL_KEYS.filter((key) => columns.has(key)),
  );
  // The csv that orgctl prints joins them by comma.
  const teams = toTeams(toValue('teams').split(/[;,]/));
  return {
    line,
    ...keys,
    ...(teams.length === 0 ? {} : { teams }),
    problems: beyond
      ? [...problems, `${record.length} values where the header names ${width}: separate teams by semicolons`]
      : problems,
  };
}

export function readJson(text: string, name: string, hint: string): unknown {
  try {
    return parseJsonText(text);
  } catch (error) {
    throw new UsageError(`${name} is not JSON: ${toReason(error)}`, { hint, cause: error });
  }
}

/**
 * The people of a list as JSON holds it, or YAML where `lineOf` gives the line of an entry, from 1. Each list of teams is read
 * once: entries may share a long one.
 */
export function toPeople(
  list: readonly unknown[],
  name: string,
  rules: PeopleRules,
  lineOf?: (entry: number) => number,
): PeopleFile {
  const people = collectPeople(lineOf === undefined ? 'json' : 'yaml', name, rules);
  const ignored = new Set<string>();
  const read = new Map<unknown, readonly string[] | undefined>();
  const readTeamsOnce = (value: unknown): readonly string[] | undefined => {
    if (!read.has(value)) read.set(value, readTeams(value));
    return read.get(value);
  };
  for (const [index, entry] of list.entries()) {
    const line = lineOf?.(index + 1) ?? index + 1;
    people.add(toJsonRow(entry, line, { rules, ignored, readTeams: readTeamsOnce }));
  }
  return people.finish(ignored);
}

function toJsonRow(
  entry: unknown,
  line: number,
  {
    rules,
    ignored,
    readTeams,
  }: {
    readonly rules: PeopleRules;
    readonly ignored: Set<string>;
    readonly readTeams: (value: unknown) => readonly string[] | undefined;
  },
): RawRow {
  if (typeof entry === 'string') {
    const { keys, problems } = readKeys(() => entry, EMAIL_ALONE);
    return { line, ...keys, problems };
  }
  if (!isObject(entry)) return { line, problems: ['is neither an object nor an address'] };
  const values = new Map<Column, unknown>();
  // What orgctl prints of a person holds more than a list of people needs.
  const isOwn = entry['type'] === ORGANIZATION_MEMBERSHIPS;
  for (const [key, value] of Object.entries(entry)) {
    const column = toColumn(key, rules);
    if (column === undefined && !isOwn) ignored.add(key);
    if (column === undefined) continue;
    values.set(column, column === 'user' && isObject(value) ? value['username'] : value);
  }
  const { keys, problems } = readKeys((name) => values.get(name), rules.keys ?? EMAIL_ALONE);
  const asked = values.get('teams') ?? undefined;
  const teams = asked === undefined ? undefined : readTeams(asked);
  return {
    line,
    ...keys,
    ...(teams === undefined ? {} : { teams }),
    problems:
      asked !== undefined && teams === undefined ? [...problems, 'teams is not a list of names or ids'] : problems,
  };
}

interface ReadKeys {
  readonly keys: PersonKeys;
  readonly problems: readonly string[];
}

function readKeys(toValue: (name: PersonKey) => unknown, names: readonly PersonKey[]): ReadKeys {
  const keys: { -readonly [Key in PersonKey]?: string } = {};
  const problems: string[] = [];
  let isNamed = false;
  for (const name of names) {
    const value = toValue(name) ?? '';
    if (value === '') continue;
    isNamed = true;
    try {
      if (typeof value === 'string') keys[name] = KEY_PARSERS[name](value);
      else problems.push(`${name} is not a text`);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      problems.push(error.message);
    }
  }
  return { keys, problems: isNamed ? problems : [`has no ${joinNames(toNames(names), 'or')}`] };
}

/** Each throws UsageError naming the text when it is none. */
const KEY_PARSERS: Readonly<Record<PersonKey, (text: string) => string>> = {
  email: parseEmail,
  user: (text) => {
    const name = text.trim();
    if (name === '' || /\p{Cc}/u.test(name))
      throw new UsageError(`'${text}' is not a user name`, { hint: 'Give it as the service shows it.' });
    return name;
  },
  id: (text) => {
    const reference = parseMemberReference(`id:${text}`);
    return reference.kind === 'membership' || reference.kind === 'user' ? reference.id : text;
  },
};

/** The commonest one first. */
function toNames(keys: readonly PersonKey[]): readonly string[] {
  return [...keys].reverse();
}

/** Undefined when it is no list of teams. A team may be an object with its id, as a printed membership has it. */
function readTeams(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts = value.map((team: unknown) => (isObject(team) ? team['id'] : team));
  return texts.every((text) => typeof text === 'string') ? toTeams(texts) : undefined;
}

function toTeams(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))];
}
