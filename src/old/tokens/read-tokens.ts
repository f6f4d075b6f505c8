import { orAbsence, ServiceError } from '../errors.ts';
import { getMember } from '../json-object.ts';
import type { Directory } from '../people/directory.ts';
import { collect } from '../reading.ts';
import { toOrganization } from '../resources/organization.ts';
import { teamName } from '../resources/team.ts';
import { findEvidence } from '../service/enterprise.ts';
import { toTokenPolicy } from '../service/token-policy.ts';
import type { TokenTeam } from '../service/tokens.ts';
import { parseInstant } from '../text/time.ts';
import type { Resource } from '../wire/json-api.ts';
import { AUTHENTICATION_TOKENS, TEAMS, type Team, type Token } from '../wire/resources.ts';
import { type TokenKind, toTeamId } from './find-token.ts';
import { maySeeTokens, type NotFound } from './not-found.ts';

/** The tokens of an organization, of every kind, and when each ends. */

export const TOKEN_KINDS: readonly TokenKind[] = ['audit-trail', 'organization', 'team'];

/** The service's names for what a policy is about. */
const POLICY_TYPES: Readonly<Record<string, TokenKind>> = {
  audit_trails: 'audit-trail',
  organization: 'organization',
  team: 'team',
};

/** What orgctl says of a token beside what the service does. */
export interface TokenFacts {
  readonly kind: TokenKind;
  readonly status: 'expired' | 'expiring' | 'none-or-not-permitted' | 'not-permitted' | 'ok' | 'unknown';
  /** The first end that is known of: its own, or that of a policy which is on. Null where it never ends. */
  readonly expires?: string | null;
  readonly 'expires-by'?: 'token' | 'policy' | null;
}

export interface JudgedToken {
  readonly facts: TokenFacts;
  readonly token: Token;
}

export interface ReadTokensOptions {
  readonly kinds: readonly TokenKind[];
  /** Whether the service is known to show audit trail tokens. */
  isAuditRouteKnown(): boolean;
  /** Of this team alone. */
  readonly team?: TokenTeam | undefined;
  readonly now: number;
  /** Milliseconds: what ends within them is expiring. */
  readonly within: number;
  /** What is not wanted is counted and dropped as it comes. */
  isWanted(token: JudgedToken): boolean;
  /** What is counted as late, wanted or not. */
  isLate(token: JudgedToken): boolean;
}

export interface TokenCounts {
  readonly all: number;
  readonly expiring: number;
  readonly expired: number;
  readonly unknown: number;
  /** Never used. */
  readonly unused: number;
  readonly late: number;
}

export const NO_TOKENS: TokenCounts = { all: 0, expiring: 0, expired: 0, unknown: 0, unused: 0, late: 0 };

export function addCounts(one: TokenCounts, other: TokenCounts): TokenCounts {
  return {
    all: one.all + other.all,
    expiring: one.expiring + other.expiring,
    expired: one.expired + other.expired,
    unknown: one.unknown + other.unknown,
    unused: one.unused + other.unused,
    late: one.late + other.late,
  };
}

export type ListedToken = ReturnType<typeof toRow>;

export interface OrganizationTokens {
  readonly rows: readonly ListedToken[];
  /** Those of the rows: the tokens themselves have ids alone. */
  readonly teams: readonly Team[];
  readonly counts: TokenCounts;
  /** Kinds of which none was found. */
  readonly unseen: readonly (NotFound & { readonly kind: TokenKind })[];
  /** Kinds of which it has shown its own, which proves that the service shows such tokens. */
  readonly shownKinds: readonly TokenKind[];
  /** The first refusal, where nothing at all of the organization could be read. */
  readonly refusal: ServiceError | undefined;
}

/** Throws what is no answer about its tokens. */
export async function readTokens(directory: Directory, options: ReadTokensOptions): Promise<OrganizationTokens> {
  const { service, organization } = directory;
  const { kinds } = options;
  const shown = await service.permits.findOrganization(organization);
  const maySee = await maySeeTokens(service, organization);
  const isLimited = getMember(shown?.attributes, 'max-ttl-enabled') === true;
  const limits = isLimited ? await readLimits(directory) : new Map<TokenKind, number>();
  const sift = (kind: TokenKind, tokens: readonly Token[]): Sifted => {
    const judged = tokens.map((token) => ({ token, facts: judge(kind, token, limits.get(kind), options) }));
    const countOne = (one: JudgedToken): TokenCounts => toCounts(one, options.isLate(one));
    return { kept: judged.filter(options.isWanted), counts: judged.map(countOne).reduce(addCounts, NO_TOKENS) };
  };

  const singles = await readSingles(directory, kinds);
  const ofTeams = kinds.includes('team')
    ? await readTeamTokens(directory, options.team, maySee, (tokens) => sift('team', tokens))
    : EMPTY;
  const sifted = [
    ...singles.map(({ kind, found }) => (found instanceof ServiceError ? EMPTY : sift(kind, [found]))),
    ofTeams instanceof ServiceError ? EMPTY : ofTeams,
  ];
  const counts = sifted.map((one) => one.counts).reduce(addCounts);
  const isWhole =
    !(ofTeams instanceof ServiceError) && (maySee || (await seesAllTeams(directory, options.team, shown)));
  const refused = singles.flatMap(({ kind, found }) => (found instanceof ServiceError ? [{ kind, found }] : []));
  const hidden = [
    ...(await Promise.all(
      refused.map(async ({ kind, found: { status } }) => {
        const isAbsent = status === 404;
        // Every service has the route of the organization token, which proves nothing of the other one.
        const hasRoute =
          kind === 'organization' ||
          options.isAuditRouteKnown() ||
          (isAbsent && maySee && (await lacksAuditLogging(directory)));
        return { kind, maySee, hasRoute, isRefused: !isAbsent };
      }),
    )),
    ...(kinds.includes('team') && !isWhole
      ? [{ kind: 'team', maySee, hasRoute: false, isRefused: true } as const]
      : []),
  ];
  const kept = sifted.flatMap((one) => one.kept);
  const teams = await readTeams(directory, options.team, kept);
  const refusals = [...singles.map(({ found }) => found), ofTeams].filter((found) => found instanceof ServiceError);
  return {
    rows: [
      ...kept.map(({ token, facts }) => toRow(organization, facts, token)),
      ...hidden.map(({ kind, maySee, isRefused }) => {
        // Who may see it is told that there is none, or nothing.
        const status = maySee && !isRefused ? 'none-or-not-permitted' : 'not-permitted';
        return toRow(organization, { kind, status });
      }),
    ],
    teams,
    counts,
    unseen: hidden,
    shownKinds: singles.flatMap(({ kind, found }) => (found instanceof ServiceError ? [] : [kind])),
    refusal: shown === undefined && counts.all === 0 ? refusals[0] : undefined,
  };
}

interface Sifted {
  readonly kept: readonly JudgedToken[];
  readonly counts: TokenCounts;
}

const EMPTY: Sifted = { kept: [], counts: NO_TOKENS };

function toCounts({ facts: { status }, token }: JudgedToken, isLate: boolean): TokenCounts {
  return {
    all: 1,
    expiring: Number(status === 'expiring'),
    expired: Number(status === 'expired'),
    unknown: Number(status === 'unknown'),
    unused: Number(token.attributes?.['last-used-at'] === null),
    late: Number(isLate),
  };
}

/**
 * Whether a caller who may not replace the organization's tokens sees those of all teams, or of that one. Without that right a
 * list has those of the own teams alone, and doesn't say so. Assumed: who can create teams manages their tokens too.
 */
async function seesAllTeams(
  { listTeams }: Directory,
  team: TokenTeam | undefined,
  organization: Resource | undefined,
): Promise<boolean> {
  if (getMember(organization?.attributes, 'permissions', 'can-create-team') === true) return true;
  return team !== undefined && ((await listTeams()) ?? []).some((one) => one.id === team.id && mayShow(one));
}

/** On Terraform Enterprise both are the organization's token, which is then one. */
async function readSingles(
  { service, organization }: Pick<Directory, 'service' | 'organization'>,
  kinds: readonly TokenKind[],
): Promise<readonly { readonly kind: TokenKind; readonly found: Token | ServiceError }[]> {
  const isEnterprise = findEvidence(service) !== undefined;
  const asked = (['audit-trail', 'organization'] as const).filter(
    (kind) => kinds.includes(kind) && !(isEnterprise && kind === 'audit-trail'),
  );
  const all = await Promise.all(
    asked.map(async (kind) => {
      const found = await orRefusal(service.tokens.show({ kind, organization }));
      return { kind, found: found instanceof ServiceError ? found : found.data };
    }),
  );
  const [first, second] = all.map(({ found }) => (found instanceof ServiceError ? undefined : found.id));
  return first !== undefined && first === second ? all.slice(1) : all;
}

/** Without audit logging in its plan an organization has no audit trail token, whatever the service shows of others. */
async function lacksAuditLogging({
  service,
  organization,
}: Pick<Directory, 'service' | 'organization'>): Promise<boolean> {
  const shown = await service.plans.findEntitlements(organization);
  return getMember(shown?.attributes, 'audit-logging') === false;
}

/** None, or none that may be seen. */
async function orRefusal<T>(reading: Promise<T>): Promise<T | ServiceError> {
  return await orAbsence(reading).catch((error: unknown) => {
    if (error instanceof ServiceError && error.status === 403) return error;
    throw error;
  });
}

/** A service that can't list them is asked for the one of each team that has no description. The refusal, where no team shows one. */
async function readTeamTokens(
  directory: Directory,
  team: TokenTeam | undefined,
  maySee: boolean,
  sift: (tokens: readonly Token[]) => Sifted,
): Promise<Sifted | ServiceError> {
  const { service, organization } = directory;
  const isOfTeam = (token: Token): boolean => team === undefined || toTeamId(token) === team.id;
  const listed = await orRefusal(
    collect(service.tokens.listOfTeams(organization), ({ items }) => sift(items.filter(isOfTeam))),
  );
  if (!(listed instanceof ServiceError)) return join(listed);
  const teams = team === undefined ? ((await directory.listTeams()) ?? []).filter((one) => maySee || mayShow(one)) : [];
  const asked = team === undefined ? teams.map((one) => ({ id: one.id, name: teamName(one) })) : [team];
  const found: Sifted[] = [];
  for (const one of asked) {
    const shown = await orRefusal(service.tokens.show({ kind: 'team', team: one }));
    if (!(shown instanceof ServiceError)) found.push(sift([withTeam(shown.data, one.id)]));
  }
  return found.length === 0 && !maySee ? listed : join(found);
}

function join(parts: readonly Sifted[]): Sifted {
  return {
    kept: parts.flatMap(({ kept }) => kept),
    counts: parts.map(({ counts }) => counts).reduce(addCounts, NO_TOKENS),
  };
}

function mayShow(team: Team): boolean {
  return getMember(team.attributes, 'permissions', 'can-view-api-token') === true;
}

function withTeam(token: Token, id: string): Token {
  return { ...token, relationships: { ...token.relationships, team: { data: { type: TEAMS, id } } } };
}

async function readTeams(
  directory: Directory,
  team: TokenTeam | undefined,
  kept: readonly JudgedToken[],
): Promise<readonly Team[]> {
  const ids = new Set(kept.flatMap(({ token, facts: { kind } }) => (kind === 'team' ? (toTeamId(token) ?? []) : [])));
  if (ids.size === 0) return [];
  if (team !== undefined) return [toNamed(team)];
  const all = (await directory.listTeams()) ?? [];
  return all.filter(({ id }) => ids.has(id)).map((one) => toNamed({ id: one.id, name: teamName(one) }));
}

function toNamed({ id, name }: TokenTeam): Team {
  return { type: TEAMS, id, attributes: { name } };
}

/** Milliseconds, of the policies that an owner has set. The default of every organization limits nothing. */
async function readLimits({
  service,
  organization,
}: Pick<Directory, 'service' | 'organization'>): Promise<ReadonlyMap<TokenKind, number>> {
  const policies = await orRefusal(service.tokens.listPolicies(organization));
  const limits = new Map<TokenKind, number>();
  for (const { attributes = {} } of policies instanceof ServiceError ? [] : policies) {
    const { 'token-type': type, 'max-ttl-ms': most } = attributes;
    const kind = typeof type === 'string' ? POLICY_TYPES[type] : undefined;
    if (kind === undefined || typeof most !== 'number' || !(most > 0) || toTokenPolicy(most).isDefault) continue;
    limits.set(kind, most);
  }
  return limits;
}

/** `limit`: the milliseconds that a policy allows. */
function judge(
  kind: TokenKind,
  { attributes = {} }: Token,
  limit: number | undefined,
  { now, within }: Pick<ReadTokensOptions, 'now' | 'within'>,
): TokenFacts {
  const { 'created-at': created, 'expired-at': own } = attributes;
  const ofToken = own === null ? Number.POSITIVE_INFINITY : toInstant(own);
  const ofPolicy = limit === undefined ? Number.POSITIVE_INFINITY : (toInstant(created) ?? Number.NaN) + limit;
  const end = Math.min(ofToken ?? Number.POSITIVE_INFINITY, ofPolicy);
  // A token that a policy has rejected has no date that says so.
  if (attributes['is-ttl-rejected'] === true) return { kind, status: 'expired', expires: null, 'expires-by': 'policy' };
  if (!Number.isFinite(end)) {
    return ofToken === undefined || Number.isNaN(end)
      ? { kind, status: 'unknown' }
      : { kind, status: 'ok', expires: null, 'expires-by': null };
  }
  const isOwn = end === ofToken;
  return {
    kind,
    status: end <= now ? 'expired' : end <= now + within ? 'expiring' : 'ok',
    expires: isOwn ? String(own) : new Date(end).toISOString(),
    'expires-by': isOwn ? 'token' : 'policy',
  };
}

function toInstant(value: unknown): number | undefined {
  return typeof value === 'string' ? parseInstant(value) : undefined;
}

/** `token`: undefined where there is none, or none that may be seen. */
function toRow(organization: string, facts: TokenFacts, token?: Token) {
  const { attributes: { token: _secret, ...attributes } = {}, relationships } = token ?? {};
  return {
    id: token?.id ?? null,
    type: AUTHENTICATION_TOKENS,
    attributes: { ...attributes, ...facts },
    relationships: { ...relationships, organization: { data: toOrganization(organization) } },
  };
}
