import type { Client } from '../api/client.ts';
import { flatten } from '../api/flatten.ts';
import { isRefused, readDecoration } from '../api/not-found.ts';
import { findOrganization } from '../api/organizations.ts';
import { findTeams, type TeamReference } from '../api/teams.ts';
import {
  getTeamId,
  hasAuditTokens,
  listTeamTokens,
  readTokenLimits,
  showToken,
  type TokenKind,
} from '../api/tokens.ts';
import type { Resource } from '../api/types.ts';
import { isFailure, type OrgctlError, ServiceError } from '../lib/errors.ts';
import { createOrgRecord, isObject, type JsonObject } from '../lib/json.ts';
import { findExpiryStatus, readExpiry } from './expiry.ts';
import { createNameColumns } from './token.ts';

export const TOKEN_KINDS: TokenKind[] = ['audit-trail', 'organization', 'team'];

export interface ReadTokensOptions {
  kinds: TokenKind[];
  /** The only team whose tokens are read. Its attributes are undefined if the service lists no teams. */
  team?: TeamReference & { attributes: JsonObject | undefined };
  now: number;
  /** A token that expires before this instant is `expiring`. */
  soon: number;
  /** What a check has read before. A kind of tokens that fails is then a row with its error, and stops no other. */
  known?: {
    organization: JsonObject;
    listTeams(): Promise<Resource[] | undefined>;
    hasAuditTokens(): Promise<boolean | undefined>;
  };
}

interface KindResult {
  kind: TokenKind;
  tokens: Resource[];
  /** The caller may not see all tokens of this kind. */
  isPartial: boolean;
  refusal?: OrgctlError;
}

/**
 * Returns a row for each token, soonest expiry first, and a row `not-permitted` for each kind that can't be read. Throws
 * ServiceError if nothing of the organization can be read.
 */
export async function readTokens(client: Client, org: string, options: ReadTokensOptions): Promise<JsonObject[]> {
  const { kinds, team, now, soon, known } = options;
  const reading = known ? Promise.resolve(known.organization) : findOrganization(client, org);
  const [limits, organization, hasAudit] = await Promise.all([
    // A policy that can't be read leaves every expiry unknown.
    readDecoration(readTokenLimits(client, org, reading)),
    reading,
    kinds.includes('audit-trail') ? readDecoration(known?.hasAuditTokens() ?? hasAuditTokens(client, org)) : undefined,
  ]);
  const seesAll = showsAll(organization);
  const seesTeam = seesAll || isPermitted(team?.attributes, 'can-view-api-token');
  const read = (kind: TokenKind): Promise<KindResult> =>
    readKind(client, org, kind, { team, seesAll: kind === 'team' ? seesTeam : seesAll, isCheck: known !== undefined });
  const found = await Promise.all(kinds.filter((kind) => kind !== 'audit-trail' || hasAudit !== false).map(read));
  const [first] = found;
  if (!organization && first?.refusal && found.every(({ refusal }) => refusal)) throw first.refusal;
  const names = team
    ? new Map([[team.id, team.name]])
    : await readTeamNames(known?.listTeams ?? (() => findTeams(client, org)), found);
  const rows = found.flatMap((result) => [
    ...result.tokens.map((token) => ({
      ...createRow(org, result.kind, token, limits),
      ...nameRow(result.kind, token, names),
    })),
    ...(result.isPartial ? [createHiddenRow(org, result, team)] : []),
  ]);
  return rows
    .map((row) => ({ ...row, status: row.status ?? findExpiryStatus(row.expires, now, soon) }))
    .sort((one, other) => rank(one) - rank(other));
}

/** Undefined if that can't be known. `attributes` are the team's. */
export async function countTeamTokens(client: Client, org: string, team: TeamReference, attributes: JsonObject) {
  const reading = async () => {
    const seesAll = isPermitted(attributes, 'can-view-api-token') || showsAll(await findOrganization(client, org));
    return seesAll ? (await listTeamTokens(client, org, team.id)).length : undefined;
  };
  return readDecoration(reading());
}

async function readKind(
  client: Client,
  org: string,
  kind: TokenKind,
  { team, seesAll, isCheck }: { team?: TeamReference; seesAll: boolean; isCheck: boolean },
): Promise<KindResult> {
  const reading =
    kind === 'team' ? listTeamTokens(client, org, team?.id) : showToken(client, { kind, org }).then((token) => [token]);
  try {
    // Without the permission to see all, the service silently lists the tokens of the caller's own teams (facts).
    return { kind, tokens: await reading, isPartial: kind === 'team' && !seesAll };
  } catch (refusal) {
    if (!isFailure(refusal) || !(isCheck || isRefused(refusal))) throw refusal;
    const is404 = refusal instanceof ServiceError && refusal.status === 404;
    const isNone = kind !== 'team' && seesAll && is404;
    return { kind, tokens: [], isPartial: !isNone, refusal };
  }
}

/** Whether a 404 for a token means that there is none. */
export async function maySeeTokens(client: Client, org: string): Promise<boolean> {
  return (await client.connect()).showsTokens || showsAll(await findOrganization(client, org));
}

/** The permission to replace tokens includes seeing them (facts). */
export function showsAll(organization: JsonObject | undefined): boolean {
  const permissions = ['can-update-authentication-token', 'can-update-api-token'];
  return permissions.some((name) => isPermitted(organization, name));
}

export function isPermitted(attributes: JsonObject | undefined, name: string): boolean {
  const permissions = attributes?.permissions;
  return isObject(permissions) && permissions[name] === true;
}

/** Maps ids to names, since tokens have only the id. */
async function readTeamNames(listTeams: () => Promise<Resource[] | undefined>, found: KindResult[]) {
  const hasTokens = found.some(({ kind, tokens }) => kind === 'team' && tokens.length > 0);
  const teams = hasTokens ? await readDecoration(listTeams()) : undefined;
  return new Map(teams?.map(({ id, attributes }) => [id, String(attributes?.name ?? id)]));
}

/** Returns the token's metadata, and when it ends. */
export function createRow(org: string, kind: TokenKind, token: Resource, limits?: Map<string, number>): JsonObject {
  const expires = limits && readExpiry(token.attributes ?? {}, limits.get(kind));
  return { ...flatten(token), organization: createOrgRecord(org), expires };
}

function nameRow(kind: TokenKind, token: Resource, names: Map<string, string>): JsonObject {
  const id = getTeamId(token);
  const team = id === undefined ? undefined : { id, name: names.get(id) ?? id };
  const { description } = token.attributes ?? {};
  return createNameColumns(kind, team, typeof description === 'string' ? description : null);
}

function createHiddenRow(org: string, { kind, refusal }: KindResult, team: TeamReference | undefined): JsonObject {
  return {
    id: null,
    type: 'authentication-tokens',
    status: 'not-permitted',
    ...(refusal && !isRefused(refusal) && { error: { code: refusal.code, message: refusal.message } }),
    ...createNameColumns(kind, team),
    organization: createOrgRecord(org),
  };
}

/** Tokens that never expire come after all dates, then unknown expiries, then kinds that can't be read. */
function rank({ expires, status }: JsonObject): number {
  if (typeof expires === 'string') return Date.parse(expires);
  if (status === 'ok') return 1e16;
  return status === 'unknown' ? 2e16 : 3e16;
}
