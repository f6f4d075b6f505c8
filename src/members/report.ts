import type { Client } from '../api/client.ts';
import { listMembers, USER_AND_TEAMS } from '../api/memberships.ts';
import { UsageError } from '../lib/errors.ts';
import { assertVisible } from '../lib/input-text.ts';
import { getField, isObject, type JsonObject } from '../lib/json.ts';
import { mapAll } from '../lib/problems.ts';
import { listSome } from '../lib/text.ts';
import { OWNERS, parseMemberRecord } from './member.ts';
import { readOwners } from './owners.ts';
import { findColumn } from './people-file.ts';
import { parseRows, type Row } from './rows.ts';

/** Sorts people by email and id, so that two reports compare line by line. `owner` is null if owners can't be read. */
export async function readReport(client: Client, org: string): Promise<JsonObject[]> {
  const owners = await readOwners(client, org);
  const ownerIds = owners && new Set(owners.map(({ id }) => id));
  const records = await listMembers(client, org, {}, USER_AND_TEAMS).allRecords();
  return records
    .map((record) => ({ ...hideTwoFactor(record), owner: ownerIds ? ownerIds.has(String(record.id)) : null }))
    .sort((one, other) => (formatOrder(one) < formatOrder(other) ? -1 : 1));
}

/** An invitation shows no second factor, even if the service sends that of the account. */
function hideTwoFactor(record: JsonObject): JsonObject {
  if (record.status !== 'invited' || !isObject(record.user)) return record;
  return { ...record, user: { ...record.user, 'two-factor': { enabled: null } } };
}

function formatOrder(record: JsonObject): string {
  const { email = '', id } = parseMemberRecord(record);
  return `${email.toLowerCase()}\n${id}`;
}

type PersonFacts = ReturnType<typeof readFacts>;

/** Returns rows by organization in lower case. Throws UsageError that names every wrong row. */
export function parseReport(text: string, name: string): Map<string, JsonObject[]> {
  const { columns, rows } = parseRows(text, name, (column) => findColumn(column) ?? column);
  if (!columns.includes('email') || !columns.includes('owner')) {
    throw new UsageError(`${name} is not a report`, { hint: 'Print one with `orgctl members report -o csv`.' });
  }
  const byOrg = new Map<string, JsonObject[]>();
  const people = new Map<string, PersonFacts>();
  const add = ({ record: cells }: Row): void => {
    if (Object.entries(cells).some(([column, cell]) => column !== '' && cell === undefined)) {
      throw new UsageError('it has fewer cells than the header');
    }
    const record = Object.fromEntries(Object.entries(cells).map(([column, cell]) => [column, readCell(column, cell)]));
    const facts = readFacts(record);
    const { org, email, id } = facts;
    if (org === '') throw new UsageError('it names no organization');
    if ((email ?? id) === undefined) throw new UsageError('it names nobody: email and id are empty');
    for (const text of [org, email ?? '', id ?? '']) assertVisible(text);
    const person = `${org.toLowerCase()} ${id ?? email}`;
    const twin = people.get(person);
    if (JSON.stringify(twin) === JSON.stringify(facts)) return;
    if (twin) throw new UsageError(`it differs from an earlier row of ${email ?? id} in ${org}`);
    people.set(person, facts);
    const rows = byOrg.get(org.toLowerCase()) ?? [];
    rows.push(record);
    byOrg.set(org.toLowerCase(), rows);
  };
  mapAll(rows, add, name);
  return byOrg;
}

const FLAGS = ['owner', 'user.two-factor.enabled', 'user.is-service-account'];

/** CSV has only text, and blanks around it if a person wrote it. Throws UsageError. */
function readCell(column: string, cell: unknown): unknown {
  if (FLAGS.includes(column)) return parseFlag(column, cell) ?? null;
  if (typeof cell !== 'string') return cell;
  if (column !== 'teams.name') return cell.trim();
  return cell
    .split(',')
    .map((team) => team.trim())
    .filter(Boolean);
}

/** Spreadsheets write true and false in the user's language. */
const TRUE = ['true', '1', 'yes', 'wahr', 'vrai', 'verdadero'];
const FALSE = ['false', '0', 'no', 'falsch', 'faux', 'falso'];

/** Undefined for an empty cell. Throws UsageError. */
function parseFlag(name: string, value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const word = String(value ?? '').trim();
  if (word === '') return undefined;
  if (TRUE.includes(word.toLowerCase())) return true;
  if (FALSE.includes(word.toLowerCase())) return false;
  throw new UsageError(`${name} is '${word.slice(0, 50)}', neither true nor false`);
}

/** Returns the record of a person for each change, with `change`, `before` and `after`. */
export function compareReports(earlier: JsonObject[], now: JsonObject[]): JsonObject[] {
  const index = new Map<unknown, JsonObject>();
  for (const record of earlier) for (const key of listIdentities(readFacts(record))) index.set(key, record);
  const seen = new Set<JsonObject>();
  const changes = now.flatMap((record) => {
    const facts = readFacts(record);
    const before = index.get(listIdentities(facts).find((key) => index.has(key)));
    if (!before) return [{ change: 'joined', before: null, after: null, ...record }];
    seen.add(before);
    return comparePeople(readFacts(before), facts).map((change) => ({ ...change, ...record }));
  });
  const left = earlier.filter((record) => !seen.has(record));
  return [...left.map((record) => ({ change: 'left', before: null, after: null, ...record })), ...changes];
}

/** A person who was invited again has another id. */
function listIdentities({ id, email }: PersonFacts): string[] {
  return [id ?? [], email ?? []].flat();
}

/** What the records don't show: `owner of ada@example.com`. Invitations and service accounts have no second factor. */
export function findUnknown(now: JsonObject[], earlier: JsonObject[] = []): string[] {
  const current = now.map(readFacts);
  const people = [...earlier.map(readFacts), ...current];
  const unknown = {
    // An earlier report may have been printed with other --fields.
    status: current.filter(({ status }) => !status),
    teams: current.filter(({ teams }) => teams === undefined),
    owner: people.filter(({ owner }) => owner === undefined),
    '2FA': people.filter((one) => one.twoFactor === undefined && one.status !== 'invited' && !one.isServiceAccount),
  };
  return Object.entries(unknown).flatMap(([fact, some]) => {
    const names = [...new Set(some.map(({ email, id }) => email ?? id ?? ''))];
    return names.length > 0 ? [`${fact} of ${listSome(names)}`] : [];
  });
}

/** A field that the earlier report does not have counts as unchanged. */
function comparePeople(was: PersonFacts, is: PersonFacts): JsonObject[] {
  const changes: JsonObject[] = [];
  const add = (change: string, before: unknown, after: unknown): void => void changes.push({ change, before, after });
  const isChanged = (name: 'status' | 'owner' | 'twoFactor'): boolean =>
    was[name] !== undefined && is[name] !== undefined && was[name] !== is[name];
  if (isChanged('status')) add('status', was.status, is.status);
  if (isChanged('owner')) add(is.owner ? 'owner-gained' : 'owner-lost', was.owner, is.owner);
  if (was.teams && is.teams) {
    // A change of ownership has its own row.
    const isOwnerRow = (team: string): boolean => team === OWNERS && isChanged('owner');
    for (const team of is.teams) if (!was.teams.includes(team) && !isOwnerRow(team)) add('team-added', null, team);
    for (const team of was.teams) if (!is.teams.includes(team) && !isOwnerRow(team)) add('team-removed', team, null);
  }
  if (isChanged('twoFactor')) add(is.twoFactor ? '2fa-gained' : '2fa-lost', was.twoFactor, is.twoFactor);
  return changes;
}

/** A field is undefined if the report does not have it. Throws UsageError for a flag that is neither true nor false. */
function readFacts(record: JsonObject) {
  const { org = '', email, status } = parseMemberRecord(record);
  const flag = (field: string): boolean | undefined => parseFlag(field, getField(record, field));
  const teams = getField(record, 'teams.name');
  return {
    org,
    email: email?.toLowerCase(),
    id: typeof record.id === 'string' && record.id !== '' ? record.id : undefined,
    status,
    teams: Array.isArray(teams) ? teams.map(String) : undefined,
    owner: flag('owner'),
    twoFactor: flag('user.two-factor.enabled'),
    isServiceAccount: flag('user.is-service-account') === true,
  };
}
