import type { TeamReference } from '../api/teams.ts';
import type { Token, TokenKind } from '../api/tokens.ts';
import { UsageError } from '../lib/errors.ts';
import { assertVisible } from '../lib/input-text.ts';

/** A token as the command line names it. */
export type TokenReference =
  | { kind: 'audit-trail' }
  | { kind: 'organization' }
  /** `team` is a name or an id. */
  | { kind: 'team'; team: string; description?: string }
  | { kind: 'id'; id: string };

/** Takes `audit-trail`, `organization`, `team:platform`, `team:platform/ci` and `at-…`. Throws UsageError. */
export function parseTokenReference(text: string): TokenReference {
  assertVisible(text);
  if (text === 'audit-trail' || text === 'organization') return { kind: text };
  if (/^at-\w+$/.test(text)) return { kind: 'id', id: text };
  // A team name has no slash.
  const [, team, , description] = /^team:([^/]+)(\/(.*))?$/.exec(text) ?? [];
  if (team !== undefined) return { kind: 'team', team, description };
  throw new UsageError(`'${text}' is not a token`, {
    hint:
      text === 'audit-token'
        ? 'Did you mean audit-trail?'
        : 'Use audit-trail, organization, team:<team>, team:<team>/<description>, or an id (at-…).',
  });
}

/** The columns that say which token it is. `token` is the name that `rotate` and `delete` take. */
export function nameColumns(token: Token) {
  const description = token.kind === 'described' ? token.description : null;
  return { ...createNameColumns(getKind(token), getTeam(token), description), description };
}

export function createNameColumns(kind: TokenKind, team?: TeamReference, description: string | null = null) {
  const end = description === null ? '' : `/${description}`;
  return {
    token: kind === 'team' ? `team:${team?.name ?? '?'}${end}` : kind,
    kind,
    ...(team && { team: { id: team.id, type: 'teams', name: team.name } }),
  };
}

export function getKind({ kind }: Token): TokenKind {
  return kind === 'described' ? 'team' : kind;
}

export function getTeam(token: Token): TeamReference | undefined {
  return token.kind === 'audit-trail' || token.kind === 'organization' ? undefined : token.team;
}

/** The parts of `acme's new audit trail token`. */
export function nameParts(token: Token, adjective = ''): { owner: string; noun: string } {
  const { kind, org: owner } = token;
  const start = adjective && `${adjective} `;
  if (kind === 'described') return { owner, noun: `${start}token "${token.description}" of team ${token.team.name}` };
  if (kind === 'team') return { owner, noun: `${start}token of team ${token.team.name}` };
  return { owner, noun: `${start}${kind === 'audit-trail' ? 'audit trail' : kind} token` };
}

/** `acme's new token of team platform`, `token "ci" of team platform` */
export function describeToken(token: Token, adjective?: string): string {
  const { owner, noun } = nameParts(token, adjective);
  return token.kind === 'described' ? noun : `${owner}'s ${noun}`;
}

/** As `describeToken`, with the organization, which a description alone does not name. `details` come in between. */
export function describeInOrg(token: Token, details = ''): string {
  return `${describeToken(token)}${details}${token.kind === 'described' ? ` in ${token.org}` : ''}`;
}

/** `current` is the id of the current token: null for none, undefined if it is not known. */
export function createQuestion(token: Token, current?: string | null): string {
  const { owner, noun } = nameParts(token, 'new');
  const isBeside = token.kind === 'described';
  const create = isBeside ? `Create a ${noun} in ${owner}` : `Create ${owner}'s ${noun}`;
  if (current === null) return `${create}?`;
  if (isBeside) return `${create}, and delete the current one when it works?`;
  return `${describeToken(token, 'current')} stops working at once. Replace it?`;
}

export function createTeamToken(org: string, team: TeamReference, description: unknown): Token {
  return typeof description === 'string' ? { kind: 'described', org, team, description } : { kind: 'team', org, team };
}

/** Removes the date and nonce of a rotation. */
export function parseBaseDescription(description: string): string {
  return description.replace(/(?:^| )\d{4}-\d{2}-\d{2}-[0-9a-f]{16}$/, '');
}

/** Whether the description is `base`, with or without a date and nonce. */
export function hasBaseDescription(description: unknown, base: string): boolean {
  return typeof description === 'string' && parseBaseDescription(description) === base;
}
