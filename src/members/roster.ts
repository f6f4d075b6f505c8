import { parse, stringify, YAMLError } from 'yaml';
import { UsageError } from '../lib/errors.ts';
import { isObject, type JsonObject } from '../lib/json.ts';
import type { Member } from './member.ts';
import { indexMembers, type MemberQuery } from './member-query.ts';
import { assertNoProblems, type PersonRow, parsePeopleFile, parsePerson } from './people-file.ts';

/** Who should be in an organization, or in each of several, and in which teams. */
export interface Roster {
  rows: PersonRow[];
  /** The organizations that it names. Empty if it is about whichever one is asked for. */
  orgs: string[];
}

const FORM = 'It looks like: members: [{email: ana@example.com, teams: [platform]}]';
/** Aliases could make a small file endless. */
const MAX_ALIASES = 100;

/** YAML, JSON, or CSV of the same rows. Throws UsageError that names every wrong row. */
export function parseRoster(text: string, name: string): Roster {
  if (/\.csv$/i.test(name) || isTable(text)) {
    const { rows } = parsePeopleFile(text, name);
    return { rows, orgs: [...new Set(rows.flatMap(({ org }) => org ?? []))] };
  }
  const value = parseYaml(text, name);
  const lists = listMembers(value, name);
  const problems: string[] = [];
  const rows = lists.flatMap(({ org, members }) =>
    members.flatMap((record, index) => {
      const place = `${org === undefined ? '' : `${org}, `}entry ${index + 1}`;
      try {
        if (!isObject(record)) throw new UsageError('it is no object');
        const row = parsePerson({ place, record });
        return [{ ...row, org: org ?? row.org }];
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        problems.push(`${place}: ${error.message}`);
        return [];
      }
    }),
  );
  assertNoProblems(name, problems);
  return { rows, orgs: lists.flatMap(({ org }) => org ?? []) };
}

/** Whether the first line is a header of CSV. */
function isTable(text: string): boolean {
  return /^\s*(email|user|user\.username|id|teams|organization)\s*[,;\t]/i.test(text);
}

function parseYaml(text: string, name: string): unknown {
  try {
    return parse(text, { maxAliasCount: MAX_ALIASES, logLevel: 'error' });
  } catch (error) {
    // A text that is nested too deeply ends the parser with a RangeError.
    if (!(error instanceof YAMLError) && !(error instanceof RangeError) && !(error instanceof ReferenceError))
      throw error;
    throw new UsageError(`${name} is not valid YAML: ${error.message.split('\n')[0]}`, { hint: FORM, cause: error });
  }
}

/** A misspelt `members` must not pass for an empty list. */
function listMembers(value: unknown, name: string): { org: string | undefined; members: unknown[] }[] {
  if (Array.isArray(value)) return [{ org: undefined, members: value }];
  if (!isObject(value)) throw new UsageError(`${name} is no roster`, { hint: FORM });
  if (value.organizations === undefined) return [readList(value, ['organization', 'members'], name)];
  const { organizations } = value;
  assertKeys(value, ['organizations'], name);
  if (!isObject(organizations)) throw new UsageError(`${name}: organizations has no names`, { hint: FORM });
  return Object.entries(organizations).map(([org, own]) => {
    if (!isObject(own)) throw new UsageError(`${name}: ${org} has no members`, { hint: FORM });
    return { ...readList(own, ['members'], `${name}: ${org}`), org };
  });
}

function readList(record: JsonObject, keys: string[], name: string): { org: string | undefined; members: unknown[] } {
  assertKeys(record, keys, name);
  const { organization: org, members } = record;
  if (!Array.isArray(members)) throw new UsageError(`${name}: members is no list`, { hint: FORM });
  if (org !== undefined && typeof org !== 'string') throw new UsageError(`${name}: organization is no name`);
  return { org, members };
}

function assertKeys(record: JsonObject, known: string[], name: string): void {
  const others = Object.keys(record).filter((key) => !known.includes(key));
  if (others.length > 0) throw new UsageError(`${name} has unknown keys: ${others.join(', ')}`, { hint: FORM });
}

/** A roster of everyone who is there. */
export function createRoster(people: { org: string; members: Member[] }[]): JsonObject {
  const lists = people.map(({ org, members }) => ({ org, members: createEntries(members) }));
  const [only] = lists;
  if (only && lists.length === 1) return { organization: only.org, members: only.members };
  return { organizations: Object.fromEntries(lists.map(({ org, members }) => [org, { members }])) };
}

/** Each person by what means nobody else. */
function createEntries(members: Member[]): JsonObject[] {
  const find = indexMembers(members);
  const isUnique = (query: MemberQuery): boolean => find(query).named.length === 1;
  return members.map(({ id, email, username, teams }) => {
    const isNamed = username !== undefined && isUnique({ username });
    const key = email !== undefined && isUnique({ email }) ? { email } : isNamed ? { user: username } : { id };
    return { ...key, ...(teams && { teams: teams.map((team) => team.name ?? team.id) }) };
  });
}

export function formatRoster(roster: JsonObject): string {
  return stringify(roster, { lineWidth: 0 });
}
