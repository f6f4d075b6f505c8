import { UsageError } from '../lib/errors.ts';
import { isObject } from '../lib/json.ts';
import { parseEmail } from './emails.ts';
import type { MemberQuery } from './member-query.ts';
import { assertNoProblems } from './problems.ts';
import { parseRows, type Rows } from './rows.ts';

export interface PersonRow {
  /** For messages: `line 3`. */
  location: string;
  query: MemberQuery;
  /** Names or ids. Undefined if the row has no teams. */
  teams: string[] | undefined;
  /** Undefined if the row names no organization. */
  org: string | undefined;
}

export interface PeopleFile {
  rows: PersonRow[];
  /** Columns that are not used. */
  unknown: string[];
}

const COLUMNS: Record<string, 'email' | 'username' | 'id' | 'teams' | 'org'> = {
  email: 'email',
  user: 'username',
  'user.username': 'username',
  id: 'id',
  teams: 'teams',
  'teams.name': 'teams',
  organization: 'org',
  'organization.id': 'org',
};
/** Other columns that orgctl prints. */
const OTHER_COLUMNS = /^(type|status|changed|result|error|created-at|user|organization|teams|scim-identity)(\.|$)/;

interface Rules {
  needsEmail?: boolean;
  /** Throws UsageError for a row that can't be used. */
  check?(row: PersonRow): void;
}

/** Throws UsageError that names every wrong row. */
export function parsePeopleFile(text: string, name: string, { needsEmail, check }: Rules = {}): PeopleFile {
  const file = parseRows(text, name, (column) => findColumn(column) !== undefined);
  const problems: string[] = [];
  const rows = file.rows.flatMap((given) => {
    try {
      const row = parsePerson(given, needsEmail);
      check?.(row);
      return [row];
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      problems.push(`${given.location}: ${error.message}`);
      return [];
    }
  });
  const unknown = findUnknownColumns(file.columns);
  assertNoProblems(name, problems, unknown);
  return { rows, unknown };
}

export function findUnknownColumns(columns: string[]): string[] {
  return columns.filter((column) => !findColumn(column) && !OTHER_COLUMNS.test(column));
}

function findColumn(name: string): (typeof COLUMNS)[string] | undefined {
  const column = name.trim().toLowerCase();
  return Object.hasOwn(COLUMNS, column) ? COLUMNS[column] : undefined;
}

/** Throws UsageError. */
export function parsePerson({ location, record }: Rows['rows'][number], needsEmail = false): PersonRow {
  const values: Partial<Record<(typeof COLUMNS)[string], unknown>> = {};
  for (const [name, value] of Object.entries(record)) {
    const column = findColumn(name);
    // `user` of JSON is an object, and CSV has `user.username` beside it.
    if (column && value !== '' && value !== null && value !== undefined) values[column] ??= value;
  }
  const text = (name: string, value: unknown): string | undefined => {
    if (value === undefined || value === null || typeof value === 'string') return value?.trim() || undefined;
    throw new UsageError(`${name} must be text`);
  };
  const email = text('email', values.email);
  const username = text('user', readField(values.username, 'username'));
  const id = text('id', values.id);
  if (needsEmail && email === undefined) throw new UsageError('it has no email');
  if ((email ?? username ?? id) === undefined) throw new UsageError('it names nobody: email, user and id are empty');
  if (id !== undefined && !/^(ou|user)-\w+$/.test(id)) throw new UsageError(`'${id}' is not a membership or user id`);
  return {
    location,
    query: {
      email: email === undefined ? undefined : parseEmail(email),
      username,
      ...(id?.startsWith('user-') ? { userId: id } : { id }),
    },
    teams: parseTeams(values.teams),
    org: text('organization', readField(values.org, 'id')),
  };
}

/** JSON has an object where CSV has text. */
function readField(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : value;
}

function parseTeams(value: unknown): string[] | undefined {
  if (value === undefined) return undefined;
  const items = typeof value === 'string' ? value.split(/[,;]/) : value;
  if (!Array.isArray(items)) throw new UsageError('teams must be a list');
  const names = items.map((item) => (isObject(item) ? (item.name ?? item.id) : item));
  if (names.some((team) => typeof team !== 'string')) throw new UsageError('a team must be text');
  return [...new Set(names.map((team) => String(team).trim()).filter(Boolean))];
}
