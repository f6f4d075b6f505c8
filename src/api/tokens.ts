import { OrgctlError, ServiceError } from '../lib/errors.ts';
import { isObject, type JsonObject, parseJson } from '../lib/json.ts';
import { parseInstant } from '../lib/time.ts';
import type { Client } from './client.ts';
import { createForeignError, readResource } from './error-document.ts';
import type { HttpResponse } from './http.ts';
import { isMissing, QUIETLY } from './memberships.ts';
import { type Call, createCall } from './operations.ts';
import { fetchPages, readAll } from './pagination.ts';
import type { TeamReference } from './teams.ts';
import type { Resource } from './types.ts';

// Outside the document but for creating and deleting the audit trail token. The routes are those of go-tfe (facts).

export type TokenKind = 'audit-trail' | 'organization' | 'team';

/** A token of which there is one at a time: a new one replaces it. That of a team is the one without a description. */
export type SoleToken =
  | { kind: 'audit-trail' | 'organization'; org: string }
  | { kind: 'team'; org: string; team: TeamReference };

/** One that stands beside others of its team. */
export interface DescribedToken {
  org: string;
  team: TeamReference;
  description: string;
}

export interface NewToken {
  secret: string;
  /** An answer may lack the rest. */
  id: string | undefined;
  createdAt: string | undefined;
  /** Null for never. */
  expiredAt: string | null | undefined;
}

/** The metadata. Throws ServiceError with status 404 if there is none, or none that the caller may see. */
export async function showToken(client: Client, token: SoleToken): Promise<Resource> {
  return readResource(await client.read(createSoleCall('show', token))).data;
}

/** Undefined for a 404, whatever that means there. */
export function findToken(client: Client, token: SoleToken): Promise<Resource | undefined> {
  return catchNotFound(showToken(client, token));
}

/** Throws as `showToken` does. */
export async function showTokenById(client: Client, id: string): Promise<Resource> {
  return readResource(await client.read(createCall('show-token', { id }))).data;
}

/** Undefined if there is none with this id, or none that the caller may see. */
export function findTokenById(client: Client, id: string): Promise<Resource | undefined> {
  return catchNotFound(showTokenById(client, id));
}

/** Those of all teams, or of one, with and without a description. They name their team by its id. */
export async function listTeamTokens(client: Client, org: string, teamId?: string): Promise<Resource[]> {
  const call = createCall('list-team-tokens', { org });
  const tokens = await readAll({ what: call.what, fetch: fetchPages(client, call), warn: QUIETLY.warn });
  return teamId === undefined ? tokens : tokens.filter((token) => getTeamId(token) === teamId);
}

/**
 * The new token, and its secret. Undefined in a dry run. Throws `outcome-unknown` if one may have been created whose secret
 * did not arrive. `expiredAt`: null for never, undefined leaves it to the service.
 */
export function createToken(
  client: Client,
  token: SoleToken | DescribedToken,
  expiredAt: string | null | undefined,
): Promise<NewToken | undefined> {
  const isSole = 'kind' in token;
  const attributes = {
    ...(!isSole && { description: token.description }),
    ...(expiredAt !== undefined && { 'expired-at': expiredAt }),
  };
  // The document has the singular for what replaces; go-tfe the plural for what adds (facts).
  const type = isSole ? 'authentication-token' : 'authentication-tokens';
  const call = isSole ? createSoleCall('create', token) : createAddCall(token);
  return client.write(call, { body: JSON.stringify({ data: { type, attributes } }), read: parseNewToken });
}

/**
 * Deletes what is there, whichever it is: never sent twice. True if it is gone, undefined in a dry run. `id`: of the token
 * that was seen there. Throws `outcome-unknown` unless it is certainly another one by now.
 */
export function deleteToken(client: Client, token: SoleToken, id: string | undefined): Promise<true | undefined> {
  return client.write(createSoleCall('delete', token), {
    read: () => true as const,
    async look() {
      const found = await findToken(client, token);
      return id !== undefined && found?.id !== id ? { value: true as const } : undefined;
    },
  });
}

/** True if it is gone, undefined in a dry run. */
export function deleteTokenById(client: Client, id: string): Promise<true | undefined> {
  return client.write(createCall('delete-token', { id }), {
    read: () => true as const,
    look: async () => ((await findTokenById(client, id)) ? false : { value: true as const }),
  });
}

export function getTeamId({ relationships }: Resource): string | undefined {
  const team = relationships?.team?.data;
  return team && !Array.isArray(team) ? team.id : undefined;
}

/** The attributes. Undefined if the service does not show it. */
export async function readOrganization(client: Client, org: string): Promise<JsonObject | undefined> {
  const response = await catchNotShown(client.read(createCall('show-organization', { org })));
  return response && readResource(response).data.attributes;
}

/** The longest that tokens may be valid by the organization's policy, in milliseconds; empty if it is off or not shown. */
export async function readTokenLimits(
  client: Client,
  org: string,
  organization: Promise<JsonObject | undefined> = readOrganization(client, org),
): Promise<Map<TokenKind, number>> {
  const limits = new Map<TokenKind, number>();
  if ((await organization)?.['max-ttl-enabled'] !== true) return limits;
  const call = createCall('list-token-policies', { org });
  const policies = await catchNotShown(
    readAll({ what: call.what, isPaginated: false, fetch: fetchPages(client, call), warn: QUIETLY.warn }),
  );
  for (const { attributes: policy = {} } of policies ?? []) {
    const kind = String(policy['token-type']).replace('audit_trails', 'audit-trail') as TokenKind;
    if (typeof policy['max-ttl-ms'] === 'number') limits.set(kind, policy['max-ttl-ms']);
  }
  return limits;
}

/**
 * Terraform Enterprise and some other services ignore what names the audit trail token: there the request would act on the
 * organization's own token (facts). A service that does not say what it is is asked for both.
 */
export async function hasAuditTokens(client: Client, org: string): Promise<boolean> {
  const headers = (await catchNotShown(client.read(createCall('ping'))))?.headers ?? {};
  const name = headers['tfp-appname'];
  if (headers['x-tfe-version'] ?? headers['x-tfe-current-version']) return false;
  if (name !== undefined) return name !== 'Terraform Enterprise';
  const audit = await catchNotShown(showToken(client, { kind: 'audit-trail', org }));
  return (
    audit?.id === undefined || audit.id !== (await catchNotShown(showToken(client, { kind: 'organization', org })))?.id
  );
}

function createSoleCall(act: 'show' | 'create' | 'delete', token: SoleToken): Call {
  const { org } = token;
  if (token.kind !== 'team')
    return createCall(`${act}-${token.kind === 'organization' ? token.kind : 'audit'}-token`, { org });
  return createCall(`${act}-team-token`, { id: token.team.id, team: token.team.name, org });
}

function createAddCall({ org, team, description }: DescribedToken): Call {
  return createCall('add-team-token', { id: team.id, team: team.name, description, org });
}

/** A secret counts whatever else the answer lacks: it can't be had again. */
function parseNewToken(response: HttpResponse): NewToken {
  const document = parseJson(response.text);
  const data = isObject(document) && isObject(document.data) ? document.data : {};
  const { token, ...times } = isObject(data.attributes) ? data.attributes : {};
  // No header can carry another text.
  if (typeof token !== 'string' || !/^[!-~]+$/.test(token)) throw createForeignError(response);
  return { secret: token, id: typeof data.id === 'string' ? data.id : undefined, ...parseTimes(times) };
}

/** Text that is no instant is left out. */
export function parseTimes({ 'created-at': createdAt, 'expired-at': expiredAt }: JsonObject) {
  const parse = (value: unknown): string | undefined =>
    typeof value === 'string' && parseInstant(value) !== undefined ? value : undefined;
  return { createdAt: parse(createdAt), expiredAt: expiredAt === null ? null : parse(expiredAt) };
}

function catchNotFound<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (error instanceof ServiceError && error.status === 404) return undefined;
    throw error;
  });
}

/** Undefined also for what the caller may not see, and for a service without that route. */
function catchNotShown<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (isMissing(error) || (error instanceof OrgctlError && error.exit === 'forbidden')) return undefined;
    throw error;
  });
}
