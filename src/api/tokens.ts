import { ServiceError } from '../lib/errors.ts';
import { isObject, type JsonObject, parseUncheckedJson } from '../lib/json.ts';
import { parseInstant } from '../lib/time.ts';
import type { Client, Outcome } from './client.ts';
import { createUnexpectedResponseError, readResource } from './error-document.ts';
import { listRelated } from './flatten.ts';
import type { HttpResponse } from './http.ts';
import { catchNotFound, isNotFound, isRefused } from './not-found.ts';
import { type Call, createCall, ORG, operation } from './operations.ts';
import { findOrganization } from './organizations.ts';
import { createList } from './pagination.ts';
import type { TeamReference } from './teams.ts';
import type { Query, Resource } from './types.ts';

// The document only creates and deletes the audit trail token. The other routes are those of go-tfe (facts).

const ORG_TOKEN = `${ORG}/authentication-token`;
const TEAM_TOKEN = '/teams/:id/authentication-token';
const AUDIT_QUERY: Query = [['token', 'audit-trails']];
const OF_ORG = { who: 'Owners, the owners team token and the organization token can.' };
const OF_TEAM = { who: 'Owners, people who manage teams and the organization token can.' };
const OF_AUDIT = { ...OF_ORG, query: AUDIT_QUERY };
const ORG_TOKENS = {
  'audit-trail': {
    show: operation('GET', ORG_TOKEN, 'show the audit trail token of :org', {
      ...OF_AUDIT,
      absent: ":org has no audit trail token, or the service doesn't show it",
    }),
    create: operation('POST', ORG_TOKEN, 'create an audit trail token of :org', { ...OF_AUDIT, isDocumented: true }),
    delete: operation('DELETE', ORG_TOKEN, 'delete the audit trail token of :org', {
      ...OF_AUDIT,
      isDocumented: true,
      absent: ':org has no audit trail token',
    }),
  },
  organization: {
    show: operation('GET', ORG_TOKEN, 'show the organization token of :org', OF_ORG),
    create: operation('POST', ORG_TOKEN, 'create an organization token of :org', OF_ORG),
    delete: operation('DELETE', ORG_TOKEN, 'delete the organization token of :org', OF_ORG),
  },
};
const TEAM_TOKENS = {
  show: operation('GET', TEAM_TOKEN, 'show the token of team :team', OF_TEAM),
  create: operation('POST', TEAM_TOKEN, 'create a token of team :team', OF_TEAM),
  delete: operation('DELETE', TEAM_TOKEN, 'delete the token of team :team', OF_TEAM),
};
// The plural adds a token, and replaces none.
const ADD_TEAM_TOKEN = operation('POST', `${TEAM_TOKEN}s`, "create token ':description' of team :team", OF_TEAM);
const LIST_TEAM_TOKENS = operation('GET', `${ORG}/team-tokens`, 'list the team tokens of :org', OF_TEAM);
const SHOW_TOKEN = operation('GET', '/authentication-tokens/:id', 'show token :id');
const DELETE_TOKEN = operation('DELETE', '/authentication-tokens/:id', 'delete token :id', OF_TEAM);
const LIST_POLICIES = operation('GET', `${ORG}/token-ttl-policies`, 'list the token policies of :org');
const PING = operation('GET', '/ping', 'reach the service');

const POLICY_KINDS = ['audit-trail', 'organization', 'team', 'user', 'metrics'];

export type TokenKind = 'audit-trail' | 'organization' | 'team';

/** A token that a new token replaces. A team token of this kind has no description. */
export type SoleToken =
  | { kind: 'audit-trail'; org: string }
  | { kind: 'organization'; org: string }
  | { kind: 'team'; org: string; team: TeamReference };

/** A team token that other tokens of the team don't replace. */
export interface DescribedToken {
  kind: 'described';
  org: string;
  team: TeamReference;
  description: string;
}

export type Token = SoleToken | DescribedToken;

/** The metadata. Throws ServiceError with status 404 if no token exists, or the caller may not see it. */
export async function showToken(client: Client, token: SoleToken): Promise<Resource> {
  return readResource(await client.read(createSoleCall('show', token))).data;
}

export function findToken(client: Client, token: SoleToken): Promise<Resource | undefined> {
  return catchNotFound(showToken(client, token));
}

export async function showTokenById(client: Client, id: string): Promise<Resource> {
  return readResource(await client.read(createCall(SHOW_TOKEN, { id }))).data;
}

/** Lists the tokens of all teams or of one, with and without a description. A token names its team by id. */
export async function listTeamTokens(client: Client, org: string, teamId?: string): Promise<Resource[]> {
  const tokens = await createList(client, createCall(LIST_TEAM_TOKENS, { org })).all();
  return teamId === undefined ? tokens : tokens.filter((token) => getTeamId(token) === teamId);
}

/**
 * Undefined in a dry run. Throws `outcome-unknown` if a token may have been created whose secret did not arrive.
 * `expiredAt`: null for never, undefined leaves the end to the service.
 */
export function createToken(client: Client, token: Token, expiredAt: string | null | undefined) {
  const isDescribed = token.kind === 'described';
  const attributes = { description: isDescribed ? token.description : undefined, 'expired-at': expiredAt };
  // The document has the singular; go-tfe has the plural in the request that adds a token (facts).
  const type = isDescribed ? 'authentication-tokens' : 'authentication-token';
  const call = isDescribed
    ? createCall(ADD_TEAM_TOKEN, { ...token, id: token.team.id, team: token.team.name })
    : createSoleCall('create', token);
  return client.write(call, { body: JSON.stringify({ data: { type, attributes } }), read: parseNewToken });
}

/**
 * Deletes whichever token is current, so the request is never sent twice. `id` is the id of the token that was read before.
 * True if the token is gone, undefined in a dry run. Without a clear answer, throws `outcome-unknown` unless another token is
 * current by now.
 */
export function deleteToken(client: Client, token: SoleToken, id: string | undefined): Promise<true | undefined> {
  return client.write(createSoleCall('delete', token), {
    read: () => true as const,
    async findOutcome() {
      const found = await findToken(client, token);
      return id !== undefined && found?.id !== id ? { value: true as const } : undefined;
    },
  });
}

/**
 * True if the token is gone, undefined in a dry run. A 404 is no proof, neither to this request nor to a reading, so `isGone`
 * looks elsewhere.
 */
export async function deleteTokenById(client: Client, id: string, isGone: () => Promise<boolean>) {
  const findOutcome = async (): Promise<Outcome<true>> => ((await isGone()) ? { value: true } : undefined);
  try {
    return await client.write(createCall(DELETE_TOKEN, { id }), { read: () => true as const, findOutcome });
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404 && (await isGone())) return true;
    throw error;
  }
}

export function getTeamId({ relationships }: Resource): string | undefined {
  return listRelated(relationships?.team)[0]?.id;
}

/**
 * The longest validity that the organization's policy allows, in milliseconds; empty if there is no policy, undefined if it
 * is not shown.
 */
export async function readTokenLimits(
  client: Client,
  org: string,
  organization: Promise<JsonObject | undefined> = findOrganization(client, org),
): Promise<Map<string, number> | undefined> {
  const limits = new Map<string, number>();
  const isEnabled = (await organization)?.['max-ttl-enabled'];
  if (isEnabled === false) return limits;
  const list = createList(client, createCall(LIST_POLICIES, { org }), { isPaginated: false });
  const policies = await list.all().catch((error: unknown) => {
    if (!isRefused(error)) throw error;
    // A service that shows neither has no policies.
    return isEnabled === undefined && isNotFound(error) ? [] : undefined;
  });
  if (!policies) return undefined;
  for (const { attributes: policy = {} } of policies) {
    const { 'token-type': kind, 'max-ttl-ms': limit } = policy;
    if (typeof kind !== 'string' || typeof limit !== 'number' || limit < 0) return undefined;
    const name = kind.replace('audit_trails', 'audit-trail');
    limits.set(name, Math.min(limit, limits.get(name) ?? limit));
  }
  // A kind of another name may be one of ours.
  const hasOthers = [...limits.keys()].some((kind) => !POLICY_KINDS.includes(kind));
  return hasOthers && POLICY_KINDS.some((kind) => !limits.has(kind)) ? undefined : limits;
}

/** The headers of the answer name the service. */
export function ping(client: Client): Promise<HttpResponse> {
  return client.read(createCall(PING, {}));
}

/**
 * Terraform Enterprise and some other services ignore the query that names the audit trail token, so a request would act on
 * the organization's own token (facts). If the service does not name itself, the ids of both tokens are compared.
 */
export async function hasAuditTokens(client: Client, org: string): Promise<boolean> {
  const headers = (await catchNotFound(ping(client), isRefused))?.headers ?? {};
  const name = headers['tfp-appname'];
  if (headers['x-tfe-version'] ?? headers['x-tfe-current-version']) return false;
  if (name !== undefined) return name !== 'Terraform Enterprise';
  const audit = await catchNotFound(showToken(client, { kind: 'audit-trail', org }), isRefused);
  if (!audit) return true;
  const own = await catchNotFound(showToken(client, { kind: 'organization', org }), isRefused);
  return audit.id !== own?.id;
}

function createSoleCall(verb: 'show' | 'create' | 'delete', token: SoleToken): Call {
  const { kind, org } = token;
  if (kind === 'team') return createCall(TEAM_TOKENS[verb], { id: token.team.id, team: token.team.name, org });
  return createCall(ORG_TOKENS[kind][verb], { org });
}

/** Accepts an answer with nothing but the secret, since the service never shows the secret again. */
function parseNewToken(response: HttpResponse) {
  const document = parseUncheckedJson(response.text);
  const data = isObject(document) && isObject(document.data) ? document.data : {};
  const { token, ...times } = isObject(data.attributes) ? data.attributes : {};
  // A header can carry no other characters.
  if (typeof token !== 'string' || !/^[!-~]+$/.test(token)) throw createUnexpectedResponseError(response);
  return { secret: token, id: typeof data.id === 'string' ? data.id : undefined, ...parseTimes(times) };
}

/** Leaves out text that is not an instant. The end is null for never. */
export function parseTimes({ 'created-at': createdAt, 'expired-at': expiredAt }: JsonObject) {
  const parse = (value: unknown): string | undefined =>
    typeof value === 'string' && parseInstant(value) !== undefined ? value : undefined;
  return { createdAt: parse(createdAt), expiredAt: expiredAt === null ? null : parse(expiredAt) };
}
