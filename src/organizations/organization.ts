import type { Client } from '../api/client.ts';
import { listMembers } from '../api/memberships.ts';
import { findEntitlements } from '../api/organizations.ts';
import { readTeams } from '../api/teams.ts';
import { hasAuditTokens } from '../api/tokens.ts';
import { formatInOneLine, isFailure } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json.ts';
import { readOwnerRecords } from '../members/owners.ts';
import { parseTeam } from '../members/teams.ts';
import { isPermitted, readTokens, showsAll, TOKEN_KINDS } from '../tokens/read-tokens.ts';

import { isPerson } from './evidence.ts';

/** `error` says why it could not be read. */
export type Reading<T> = { value: T; error?: undefined } | { value?: undefined; error: string };

export type Organization = ReturnType<typeof openOrganization>;

/** What rules read of an organization. Each list is read when the first rule asks for it, and once. */
export function openOrganization(client: Client, org: string, attributes: JsonObject, now: number) {
  const listTeams = once(() => readTeams(client, org));
  const members = readOnce('members', () => listMembers(client, org, {}, { own: ['user'] }).allRecords());
  const readOwners = async () => {
    const owners = await readOwnerRecords(client, org, (await listTeams())?.map(parseTeam) ?? []);
    const { value: people = [] } = await members();
    // The list of a team may show less of a person.
    return owners?.map((owner) =>
      isPerson(owner) === undefined ? (people.find(({ id }) => id === owner.id) ?? owner) : owner,
    );
  };
  const readAuditTokens = once(() => hasAuditTokens(client, org));
  const known = { organization: attributes, listTeams, hasAuditTokens: readAuditTokens };
  const seesTokens = showsAll(attributes);
  return {
    now,
    attributes,
    /** The service shows the caller all tokens, teams and owners. */
    seesTokens,
    /** The service shows the caller all people and invitations. */
    seesPeople: seesTokens || isPermitted(attributes, 'can-manage-users'),
    members,
    owners: readOnce('owners', readOwners),
    teams: readOnce('teams', listTeams),
    tokens: readOnce('tokens', () => readTokens(client, org, { kinds: TOKEN_KINDS, now, soon: now, known })),
    entitlements: readOnce('entitlements', () => findEntitlements(client, org)),
    hasAuditTokens: readOnce('kinds of tokens', readAuditTokens),
  };
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => {
    reading ??= read();
    return reading;
  };
}

function readOnce<T>(what: string, read: () => Promise<T | undefined>): () => Promise<Reading<T>> {
  return once(async () => {
    try {
      const value = await read();
      return value === undefined ? { error: `${what} not shown` } : { value };
    } catch (error) {
      if (!isFailure(error)) throw error;
      return { error: formatInOneLine(error) };
    }
  });
}
