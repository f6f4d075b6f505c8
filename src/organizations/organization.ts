import type { Client } from '../api/client.ts';
import { listMembers } from '../api/memberships.ts';
import { findEntitlements } from '../api/organizations.ts';
import { findTeams } from '../api/teams.ts';
import { hasAuditTokens } from '../api/tokens.ts';
import { formatInOneLine, isFailure } from '../lib/errors.ts';
import { getField, type JsonObject } from '../lib/json.ts';
import { parseMemberRecord } from '../members/member.ts';
import { readOwnerRecords } from '../members/owners.ts';
import { parseTeam } from '../members/teams.ts';
import { isPermitted, readTokens, showsAll, TOKEN_KINDS } from '../tokens/read-tokens.ts';

/** `error` says why it could not be read. */
export type Reading<T> = { value: T; error?: undefined } | { value?: undefined; error: string };

export type Organization = ReturnType<typeof openOrganization>;

/** What rules read of an organization. Each list is read when the first rule asks for it, and once. */
export function openOrganization(client: Client, org: string, attributes: JsonObject, now: number) {
  const members = readOnce('members', async () => {
    const all = await listMembers(client, org, {}, { own: ['user'] }).allRecords();
    // Every organization has an owner.
    return all.length > 0 ? all : undefined;
  });
  const teams = readOnce('teams', () => findTeams(client, org));
  const hasAudit = readOnce('kinds of tokens', () => hasAuditTokens(client, org));
  const readOwners = async () => {
    const { value: listed = [] } = await teams();
    const owners = await readOwnerRecords(client, org, listed.map(parseTeam));
    if (!owners?.some((owner) => isPerson(owner) === undefined)) return owners;
    // The list of a team may show less of a person.
    const { value: people = [] } = await members();
    return owners.map((owner) =>
      isPerson(owner) === undefined ? (people.find(({ id }) => id === owner.id) ?? owner) : owner,
    );
  };
  const known = {
    organization: attributes,
    listTeams: async () => (await teams()).value,
    hasAuditTokens: async () => (await hasAudit()).value,
  };
  const seesTokens = showsAll(attributes);
  return {
    attributes,
    /** The service shows the caller all tokens, teams and owners. */
    seesTokens,
    /** The service shows the caller all people and invitations. */
    seesPeople: seesTokens || isPermitted(attributes, 'can-manage-users'),
    members,
    owners: readOnce('owners', readOwners),
    teams,
    tokens: readOnce('tokens', () => readTokens(client, org, { kinds: TOKEN_KINDS, now, soon: now, known })),
    entitlements: readOnce('entitlements', () => findEntitlements(client, org)),
    hasAuditTokens: hasAudit,
  };
}

/** Whether the record is of somebody who can log in, and no service account. Undefined if it doesn't say so. */
export function isPerson(record: JsonObject): boolean | undefined {
  const { status, email } = parseMemberRecord(record);
  const isServiceAccount = getField(record, 'user.is-service-account');
  if (isServiceAccount === true || status === 'invited' || status === 'inactive') return false;
  return status === 'active' && isServiceAccount === false && email !== undefined ? true : undefined;
}

function readOnce<T>(what: string, read: () => Promise<T | undefined>): () => Promise<Reading<T>> {
  let reading: Promise<Reading<T>> | undefined;
  const readNow = async (): Promise<Reading<T>> => {
    try {
      const value = await read();
      return value === undefined ? { error: `${what} not shown` } : { value };
    } catch (error) {
      if (!isFailure(error)) throw error;
      return { error: formatInOneLine(error) };
    }
  };
  return () => {
    reading ??= readNow();
    return reading;
  };
}
