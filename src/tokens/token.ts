import type { TeamReference } from '../api/teams.ts';
import type { DescribedToken, SoleToken } from '../api/tokens.ts';
import { UsageError } from '../lib/errors.ts';

/** A token, known by its purpose. */
export type NamedToken = SoleToken | DescribedToken;

/** A token as the command line names it. */
export type TokenReference =
  | { kind: 'audit-trail' | 'organization' }
  /** `team` is a name or an id. */
  | { kind: 'team'; team: string; description?: string }
  | { kind: 'id'; id: string };

/** Takes `audit-trail`, `organization`, `team:platform`, `team:platform/ci` and `at-…`. Throws UsageError. */
export function parseTokenReference(text: string): TokenReference {
  if (text === 'audit-trail' || text === 'organization') return { kind: text };
  if (/^at-\w+$/.test(text)) return { kind: 'id', id: text };
  // A team name has no slash.
  const [, team, , description] = /^team:([^/]+)(\/(.*))?$/.exec(text) ?? [];
  if (team !== undefined) return { kind: 'team', team, description };
  throw new UsageError(`'${text}' is not a token`, {
    hint: 'Use audit-trail, organization, team:<team>, team:<team>/<description>, or an id (at-…).',
  });
}

/** The name that `rotate` and `delete` take. */
export function formatTokenName(kind: string, team?: string, description?: string | null): string {
  if (kind !== 'team') return kind;
  return `team:${team ?? '?'}${typeof description === 'string' ? `/${description}` : ''}`;
}

export function nameToken(token: NamedToken): string {
  if (isDescribed(token)) return formatTokenName('team', token.team.name, token.description);
  return formatTokenName(token.kind, token.kind === 'team' ? token.team.name : undefined);
}

export function isDescribed(token: NamedToken): token is DescribedToken {
  return 'description' in token;
}

/** `acme's audit trail token`, `acme's new token of team platform`, `token "ci" of team platform` */
export function describeToken(token: NamedToken, adjective?: string): string {
  const noun = adjective === undefined ? 'token' : `${adjective} token`;
  if (isDescribed(token)) return `${noun} "${token.description}" of team ${token.team.name}`;
  if (token.kind === 'team') return `${token.org}'s ${noun} of team ${token.team.name}`;
  const kind = token.kind === 'audit-trail' ? 'audit trail' : token.kind;
  return `${token.org}'s ${adjective === undefined ? '' : `${adjective} `}${kind} token`;
}

/** Throws UsageError for an unknown team. */
export async function findNamedToken(
  org: string,
  reference: Exclude<TokenReference, { kind: 'id' }>,
  findTeam: (org: string, text: string) => Promise<TeamReference>,
): Promise<NamedToken> {
  if (reference.kind !== 'team') return { kind: reference.kind, org };
  const team = await findTeam(org, reference.team);
  const { description } = reference;
  return description === undefined ? { kind: 'team', org, team } : { org, team, description };
}

/** The date and nonce of a rotation. */
const SUFFIX = / \d{4}-\d{2}-\d{2}-[0-9a-f]{16}$/;

/** Removes the date and nonce of a rotation. */
export function parseBaseDescription(description: string): string {
  return description.replace(SUFFIX, '');
}

/** Whether the description is `base`, with or without a date and nonce. */
export function hasBaseDescription(description: unknown, base: string): boolean {
  return typeof description === 'string' && parseBaseDescription(description) === base;
}
