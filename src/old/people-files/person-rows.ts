import { foldEmail, parseEmail, parseKnownEmail } from '../email.ts';
import { UsageError } from '../errors.ts';
import { parseMemberReference } from '../input/member-reference.ts';
import { isObject } from '../json-object.ts';
import { foldName } from '../names.ts';
import { countThings, formatCount } from '../text/count.ts';
import { joinNames } from '../text/join.ts';
import {
  type Column,
  type createUnused,
  EMAIL_ALONE,
  isKey,
  type PeopleRules,
  type PersonKey,
} from './people-columns.ts';

/** Rows of a file of people, whatever they are written as. */

type PersonKeys = { readonly [Key in PersonKey]?: string };

/** A file, as messages call it. */
export interface FileName {
  readonly name: string;
  readonly kind: 'csv' | 'json' | 'ndjson' | 'yaml';
  /** What a right one is like, where that is not usual. */
  readonly form?: string;
}

/** What a row says of the membership that it means. */
export interface Claim {
  readonly file: FileName;
  readonly line: number;
  /** `ou-…` */
  readonly id?: string;
  readonly status?: string;
}

export interface PersonRow extends PersonKeys {
  /** Names or ids as written, each once; undefined where the row does not say. */
  readonly teams?: readonly string[];
  /** Where it acts, as written; undefined where the row does not say. */
  readonly organization?: string;
  /** Of all rows that are one; left out where they say nothing. */
  readonly claims?: readonly Claim[];
  /** Of JSON the number of the entry, else the line; all from 1. */
  readonly line: number;
}

/** What is wrong in a row. */
export interface Problem {
  /** Left out where it is not a row that is wrong. */
  readonly line?: number | undefined;
  readonly text: string;
  /** What to do about it, where it is not the form of the file that is wrong. */
  readonly advice?: string;
}

/** A file that was read. Its rows are for `placed-people.ts`, which says where they act. */
export interface PeopleFile extends FileName {
  /** In the file's order; those that can be used. */
  readonly rows: readonly PersonRow[];
  /** Those that can't, as far as they were read. */
  readonly unusable: readonly PersonRow[];
  /** How many rows were dropped because their person stands in an earlier one, which got their teams. */
  readonly folded: number;
  /** The column that says where rows act, as the file calls it. */
  readonly organizationColumn: string;
  readonly ignored: readonly string[];
  readonly problems: readonly Problem[];
}

/** Rows by where they act. Commands get rows from here alone, for an organization each time. */
export interface PlacedPeople {
  readonly file: FileName;
  /** The rows that act there, each person once. */
  in(organization: string): readonly PersonRow[];
  /** Rows that would act there and can't be used, for what else is wrong in them. */
  unusableIn(organization: string): readonly PersonRow[];
}

/** With its own advice, where the form of the file is right. */
type RowProblem = string | Required<Pick<Problem, 'text' | 'advice'>>;

export interface RawRow extends PersonRow {
  readonly problems: readonly RowProblem[];
}

export const CSV_FORM = 'The first line names the columns: email,teams. Separate teams by semicolons.';
export const SEMICOLON_FORM = 'The first line names the columns: email;teams. Separate teams by commas.';
export const JSON_FORM = 'Give an array of {"email": "ana@example.com", "teams": ["platform"]}.';
/** More than the largest file can spell out: with references a small one could name them without end. */
const MOST_TEAMS = 10_000_000;
const MOST_ROWS = 500_000;
const SPLIT = { hint: 'Split it into several files.' };

/** Throws UsageError that names everything wrong in a file, a line each. `form`: what a right one is like. */
export function refuseProblems(
  { kind, name, form: own = kind === 'csv' ? CSV_FORM : JSON_FORM }: FileName,
  problems: readonly Problem[],
  form = own,
  unread: readonly string[] = [],
): void {
  if (problems.length === 0) return;
  const word = toRowWord(kind);
  const lines = new Set(problems.flatMap(({ line }) => line ?? []));
  const advice = new Set(problems.map((problem) => problem.advice ?? form));
  throw new UsageError(
    `${name}: ${countThings(lines.size, word, word === 'entry' ? 'entries' : 'lines')} can't be used`,
    {
      code: 'invalid-rows',
      reasons: [...describeProblems(problems, word), ...(unread.length === 0 ? [] : [describeUnread(unread)])],
      hint: ['Nothing was sent.', ...advice].join(' '),
    },
  );
}

/** What is the same of rows that follow each other is said once: `line 2: acme has no team 'x' (also lines 3 to 41)` */
function describeProblems(problems: readonly Problem[], word: 'entry' | 'line'): readonly string[] {
  const sorted = [...problems].sort((one, other) => (one.line ?? 0) - (other.line ?? 0));
  const ends = new Map<string, number>();
  const runs: { readonly text: string; readonly first: number | undefined; last: number | undefined }[] = [];
  for (const { line, text } of sorted) {
    const before = ends.get(text);
    const run = before === undefined ? undefined : runs[before];
    if (run?.last !== undefined && line === run.last + 1) run.last = line;
    else {
      ends.set(text, runs.length);
      runs.push({ text, first: line, last: line });
    }
  }
  return runs.map(({ text, first, last }) => {
    if (first === undefined || last === undefined) return text;
    const words = `${word === 'entry' ? 'entries' : 'lines'} ${first + 1} to ${last}`;
    const also = last === first ? '' : ` (also ${last === first + 1 ? `${word} ${last}` : words})`;
    return `${word} ${first}: ${text}${also}`;
  });
}

export function describeUnread(columns: readonly string[]): string {
  return `not used: ${columns.join(', ')}`;
}

/** What messages call a row. */
export function toRowWord(kind: FileName['kind']): 'entry' | 'line' {
  return kind === 'json' ? 'entry' : 'line';
}

/** Rows are folded as they come, so that many of one person take no room. */
export function collectPeople(file: FileName, { teams: needsTeams, once = false }: PeopleRules) {
  const people = new Map<string, PersonRow>();
  const unusable: PersonRow[] = [];
  const problems: Problem[] = [];
  let count = 0;
  let folded = 0;
  let named = 0;
  const { name } = file;
  const word = toRowWord(file.kind);
  return {
    add({ problems: own, ...row }: RawRow): void {
      const { line, teams } = row;
      count += 1;
      if (count > MOST_ROWS) throw new UsageError(`${name} has more than ${formatCount(MOST_ROWS)} rows`, SPLIT);
      named += teams?.length ?? 0;
      if (named > MOST_TEAMS) {
        throw new UsageError(`${name} names more than ${formatCount(MOST_TEAMS)} teams in all`, SPLIT);
      }
      for (const problem of own)
        problems.push({ line, ...(typeof problem === 'string' ? { text: problem } : problem) });
      if (own.length > 0) {
        unusable.push(row);
        return;
      }
      const person = toKey(row);
      const key = row.organization === undefined ? person : `${person}\n${foldName(row.organization)}`;
      const before = people.get(key);
      if (before === undefined) people.set(key, row);
      else if (once) problems.push({ line, text: `${nameRow(row)} is in ${word} ${before.line} already` });
      else {
        folded += 1;
        people.set(key, foldRows(before, row));
      }
    },
    finish(ignored: readonly string[], organizationColumn = 'organization'): PeopleFile {
      const rows = [...people.values()];
      for (const row of rows) {
        if (needsTeams && (row.teams ?? []).length === 0) {
          const advice = 'Give each row a team in the column teams, or all of them one with --team.';
          problems.push({ line: row.line, text: `${nameRow(row)} has no team`, advice });
        }
      }
      return { ...file, rows, unusable, folded, organizationColumn, ignored, problems };
    },
  };
}

/** Two rows of one person as one. */
export function foldRows(row: PersonRow, other: PersonRow): PersonRow {
  const teams = [...new Set([...(row.teams ?? []), ...(other.teams ?? [])])];
  const claims = [...(row.claims ?? []), ...(other.claims ?? [])];
  return { ...row, ...(teams.length === 0 ? {} : { teams }), ...(claims.length === 0 ? {} : { claims }) };
}

/** Of the most certain key that a row has. */
export function toKey({ id, user, email }: PersonKeys): string {
  if (id !== undefined) return `id ${id}`;
  return user === undefined ? `email ${foldEmail(email ?? '')}` : `user ${foldName(user)}`;
}

/** `ana@example.com`, as the row names the person. */
export function nameRow({ id, user, email }: PersonKeys): string {
  return email ?? user ?? id ?? '';
}

/** What reading a row needs. */
export interface Reading {
  readonly file: FileName;
  readonly rules: PeopleRules;
  readonly unused: ReturnType<typeof createUnused>;
}

/** A row but for its teams. */
export function toRow(toValue: (column: Column) => unknown, line: number, { file, rules, unused }: Reading): RawRow {
  const { keys, problems } = readKeys(toValue, rules);
  const place = toValue('organization') ?? '';
  const organization = isObject(place) ? place['id'] : place;
  const read = (column: 'id' | 'status', isMeant: (text: string) => boolean): string | undefined => {
    const value = toValue(column) ?? '';
    if (value === '') return undefined;
    const text = typeof value === 'string' ? value.trim() : undefined;
    if (text !== undefined && isMeant(text)) return text;
    if (text !== '' && !isKey(column, rules)) unused.value(column, value);
    return undefined;
  };
  const id = read('id', (text) => text.startsWith('ou-'));
  const status = read('status', isStatus)?.toLowerCase();
  return {
    line,
    ...keys,
    ...(typeof organization === 'string' && organization.trim() !== '' ? { organization: organization.trim() } : {}),
    ...(id === undefined && status === undefined ? {} : { claims: [toClaim(file, line, id, status)] }),
    problems: typeof organization === 'string' ? problems : [...problems, 'organization is not a name'],
  };
}

function toClaim(file: FileName, line: number, id: string | undefined, status: string | undefined): Claim {
  return { file, line, ...(id === undefined ? {} : { id }), ...(status === undefined ? {} : { status }) };
}

const STATUSES: ReadonlySet<string> = new Set(['active', 'invited', 'inactive']);

/** Of a membership. */
export function isStatus(text: string): boolean {
  return STATUSES.has(text.toLowerCase());
}

interface ReadKeys {
  readonly keys: PersonKeys;
  readonly problems: readonly RowProblem[];
}

function readKeys(
  toValue: (name: PersonKey) => unknown,
  { keys: names = EMAIL_ALONE, invites = false }: PeopleRules,
): ReadKeys {
  const keys: { -readonly [Key in PersonKey]?: string } = {};
  const problems: RowProblem[] = [];
  let isNamed = false;
  for (const name of names) {
    const value = toValue(name) ?? '';
    if (value === '') continue;
    isNamed = true;
    try {
      if (typeof value === 'string') keys[name] = KEY_PARSERS[name](value, invites);
      else problems.push(`${name} is not a text`);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      const { message, hint } = error;
      problems.push(hint === undefined ? message : { text: message, advice: hint });
    }
  }
  return { keys, problems: isNamed ? problems : [`has no ${joinNames(toNames(names), 'or')}`] };
}

/** Each throws UsageError naming the text when it is none. */
const KEY_PARSERS: Readonly<Record<PersonKey, (text: string, invites: boolean) => string>> = {
  email: (text, invites) => (invites ? parseEmail : parseKnownEmail)(text),
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
export function toNames(keys: readonly PersonKey[]): readonly string[] {
  return [...keys].reverse();
}

export function toTeams(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))];
}
