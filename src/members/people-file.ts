import { UsageError } from '../lib/errors.ts';
import { assertVisible, removeInvisible } from '../lib/input-text.ts';
import { isObject } from '../lib/json.ts';
import { tryAll } from '../lib/problems.ts';
import { isSameName } from '../lib/text.ts';
import { type MemberQuery, parseEmail, parseMemberQuery } from './member-query.ts';
import { assertNoTwins, parseRows, type Row } from './rows.ts';

export interface PersonRow {
  /** For messages: `line 3`. */
  location: string;
  query: MemberQuery;
  /** Names or ids. Undefined if the row has no teams. */
  teams: string[] | undefined;
  org: string | undefined;
}

const COLUMNS: Record<string, string> = {
  email: 'email',
  'e-mail': 'email',
  user: 'user',
  'user.username': 'user',
  'user.id': 'userId',
  id: 'id',
  teams: 'teams',
  'teams.name': 'teams',
  organization: 'org',
  'organization.id': 'org',
  'organization.name': 'org',
};
/** orgctl prints these columns too, so they are no mistake. */
const OTHER_COLUMNS = /^(type|status|changed|result|error|created-at|user|organization|teams|scim-identity)(\.|$)/;

export function parsePeopleFile(text: string, name: string) {
  const file = parseRows(text, name, findColumn);
  const { results: rows, problems } = tryAll(file.rows, parsePerson);
  return { rows, problems, unknown: findUnknownColumns(file.columns) };
}

export function findUnknownColumns(columns: string[]): string[] {
  return columns.filter((column) => column !== '' && !findColumn(column) && !OTHER_COLUMNS.test(column));
}

export function findColumn(name: string): string | undefined {
  const column = removeInvisible(name).trim().toLowerCase();
  return Object.hasOwn(COLUMNS, column) ? COLUMNS[column] : undefined;
}

export function parsePerson({ location, record }: Row): PersonRow {
  assertNoTwins(Object.keys(record), findColumn);
  const values = Object.fromEntries(Object.entries(record).map(([name, value]) => [findColumn(name) ?? '', value]));
  // `user` of JSON is an object, and CSV has `user.username` beside it.
  const user = isObject(values.user) ? values.user : { username: values.user };
  const email = parseCell('email', values.email);
  const username = parseCell('user', user.username);
  const id = parseCell('id', values.id);
  const userId = parseCell('user.id', values.userId ?? user.id);
  if ((email ?? username ?? id) === undefined) throw new UsageError('it names nobody: email, user and id are empty');
  // The column `id` may have either id.
  const named = id === undefined ? {} : parseMemberQuery(`id:${id}`);
  const other = named.userId ?? userId;
  if (userId !== undefined && other !== userId) throw new UsageError(`${id} and ${userId} are two people`);
  return {
    location,
    query: { email: email === undefined ? undefined : parseEmail(email), username, id: named.id, userId: other },
    teams: parseTeams(values.teams),
    org: parseOrg(values.org),
  };
}

/** Undefined for an empty cell. Throws UsageError. */
function parseCell(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new UsageError(`${name} must be text`);
  assertVisible(value);
  return value.trim() || undefined;
}

/** JSON may have an object. Throws UsageError for one without a name, since its row would act in another organization. */
function parseOrg(value: unknown): string | undefined {
  if (!isObject(value)) return parseCell('organization', value);
  const [id, name] = [value.id, value.name].map((text) => parseCell('organization', text));
  const org = id ?? name;
  if (org === undefined) throw new UsageError('organization has no name');
  if (name !== undefined && !isSameName(name, org)) throw new UsageError(`it names two organizations: ${org}, ${name}`);
  return org;
}

function parseTeams(value: unknown): string[] | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const items = typeof value === 'string' ? value.split(/[,;]/) : value;
  if (!Array.isArray(items)) throw new UsageError('teams must be a list');
  const names = items.map((item: unknown) => {
    const text: unknown = isObject(item) ? (item.name ?? item.id) : item;
    if (typeof text !== 'string') throw new UsageError('a team must be text');
    return parseCell('a team', text);
  });
  return [...new Set(names.flatMap((team) => team ?? []))];
}
