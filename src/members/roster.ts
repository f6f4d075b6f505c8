import { stringify } from 'yaml';
import type { TeamReference } from '../api/teams.ts';
import { UsageError } from '../lib/errors.ts';
import { assertVisible } from '../lib/input-text.ts';
import { isObject, type JsonObject } from '../lib/json.ts';
import { tryAll } from '../lib/problems.ts';
import { isSameName, sanitizeJson } from '../lib/text.ts';
import { parseYaml } from '../lib/yaml.ts';
import type { Member } from './member.ts';
import { findColumn, findUnknownColumns, type PersonRow, parsePeopleFile, parsePerson } from './people-file.ts';
import { findHeader } from './rows.ts';
import { indexNames, type Team } from './teams.ts';

const FORM = 'It must look like: members: [{email: ana@example.com, teams: [platform]}]';

/** Takes YAML, JSON and CSV. `orgs` is empty if no organization is named. */
export function parseRoster(text: string, name: string) {
  if (/\.csv$/i.test(name) || isCsv(text)) {
    const file = parsePeopleFile(text, name);
    return { ...file, orgs: listOrgs(file.rows) };
  }
  const lists = parseLists(parseYaml(text, name, FORM), name);
  const entries = lists.flatMap(({ org, members }) => {
    const where = org === undefined ? '' : `${org}, `;
    return members.map((record, index) => ({ location: `${where}entry ${index + 1}`, record, org }));
  });
  const { results: rows, problems } = tryAll(entries, parseEntry);
  const keys = lists.flatMap(({ members }) => members.filter(isObject).flatMap(Object.keys));
  return { rows, problems, orgs: listOrgs([...lists, ...rows]), unknown: findUnknownColumns([...new Set(keys)]) };
}

/** `org`: the organization that the entry stands under. Throws UsageError. */
function parseEntry({ location, record, org }: { location: string; record: unknown; org?: string }): PersonRow {
  if (!isObject(record)) throw new UsageError('it is not an object');
  const row = parsePerson({ location, record });
  if (org !== undefined && row.org !== undefined && !isSameName(row.org, org)) {
    throw new UsageError(`it names ${row.org}, but is under ${org}`);
  }
  return { ...row, org: org ?? row.org };
}

function listOrgs(named: { org: string | undefined }[]): string[] {
  const orgs = new Map(named.map(({ org }) => [org?.toLowerCase(), org]));
  return [...orgs.values()].flatMap((org) => org ?? []).sort();
}

/** Whether the first line with text is a header, or says how columns are separated. */
function isCsv(text: string): boolean {
  const first = findHeader(text) ?? '';
  return /^"?sep=/i.test(first) || first.split(/[,;\t]/).some((cell) => findColumn(cell.replaceAll('"', '')));
}

/** A misspelt `members` must not count as empty. */
function parseLists(value: unknown, name: string) {
  if (Array.isArray(value)) return [{ org: undefined, members: value }];
  if (!isObject(value) || value.organizations === undefined) {
    return [parseList(parseObject(value, name, ['organization', 'members']), name)];
  }
  const { organizations } = parseObject(value, name, ['organizations']);
  return Object.entries(parseObject(organizations, `${name}: organizations`)).map(([org, own]) => {
    const list = `${name}: ${org}`;
    return parseList({ ...parseObject(own, list, ['members']), organization: org }, list);
  });
}

function parseObject(value: unknown, name: string, known?: string[]): JsonObject {
  if (!isObject(value)) throw new UsageError(`${name} is not a roster`, { hint: FORM });
  const others = Object.keys(value).filter((key) => known?.includes(key) === false);
  if (others.length > 0) throw new UsageError(`${name} has unknown keys: ${others.join(', ')}`, { hint: FORM });
  return value;
}

function parseList(record: JsonObject, name: string) {
  const { organization: org, members } = record;
  if (!Array.isArray(members)) throw new UsageError(`${name}: members must be a list`, { hint: FORM });
  if (org !== undefined && typeof org !== 'string') throw new UsageError(`${name}: organization must be a name`);
  if (org !== undefined) assertVisible(org);
  return { org, members };
}

export interface OrgMembers {
  org: string;
  members: Member[];
  /** Undefined if the service lists no teams. */
  teams: Team[] | undefined;
}

export function createRoster(people: OrgMembers[]): JsonObject {
  const [only, ...others] = people;
  if (only && others.length === 0) return { organization: only.org, members: listEntries(only) };
  return { organizations: Object.fromEntries(people.map((one) => [one.org, { members: listEntries(one) }])) };
}

/** A team whose name another team has too is named by its id. */
function listEntries({ members, teams = [] }: OrgMembers): JsonObject[] {
  const names = indexNames(teams);
  const nameTeam = ({ id, name }: TeamReference): string => (names.get(name.toLowerCase())?.length === 1 ? name : id);
  return members.map(({ id, email, username, teams: own }) => {
    const named = username === undefined ? { id } : { user: username };
    return { ...(email === undefined ? named : { email }), ...(own && { teams: own.map(nameTeam) }) };
  });
}

/** Only quoted text can have escapes, so one character that controls a terminal has all texts quoted. */
export function formatRoster(roster: JsonObject): string {
  const isPlain = !sanitizeJson(JSON.stringify(roster)).includes('\\');
  return sanitizeJson(stringify(roster, { lineWidth: 0, defaultStringType: isPlain ? 'PLAIN' : 'QUOTE_DOUBLE' }));
}
