import type { JournalToken } from '../rotation/journal.ts';
import { AUDIT_TRAIL_TOKEN, toName } from '../rotation/names.ts';
import type { RotationResult } from '../rotation/types.ts';
import type { PolicyType } from '../service/audit-token.ts';
import type { TokenPlace, TokenTeam } from '../service/tokens.ts';

/**
 * One token of an organization. `description`: without what orgctl adds to it; a team's only one has none. `id`: of the one
 * that was named, where several have this description.
 */
export type WhichToken =
  | { readonly kind: 'audit-trail' | 'organization' }
  | { readonly kind: 'team'; readonly team: TokenTeam; readonly description?: string; readonly id?: string };

export const AUDIT_TRAIL: WhichToken = { kind: 'audit-trail' };
/** The organization's main one, on which Terraform Enterprise acts in its place. */
export const MAIN: WhichToken = { kind: 'organization' };

/** As sentences have it: `token ci of team platform`. */
export function toNoun(which: WhichToken): string {
  switch (which.kind) {
    case 'audit-trail':
      return AUDIT_TRAIL_TOKEN;
    case 'organization':
      return 'organization token';
    case 'team': {
      const { team, description } = which;
      const name = description === undefined ? '' : description === '' ? " ''" : ` ${description}`;
      return `token${name} of team ${team.name}`;
    }
  }
}

/** `acme's token ci of team team-1`: what a journal is of, which has no name of a team. */
export function nameKept(organization: string, { kind, team, description }: JournalToken): string {
  const noun =
    kind === 'team' && team !== undefined
      ? toNoun({ kind, team: { id: team, name: team }, ...(description === undefined ? {} : { description }) })
      : `${kind} token`;
  return toName({ organization, noun });
}

/** What a result says of it. */
export function toAbout(which: WhichToken): Pick<RotationResult, 'kind' | 'team'> {
  const { kind } = which;
  return kind === 'team' ? { kind, team: { id: which.team.id, name: which.team.name } } : { kind };
}

export function toTokenName(which: WhichToken) {
  const { kind } = which;
  return kind === 'team'
    ? { kind, team: which.team, description: which.description ?? null }
    : { kind, description: null };
}

export function toTokenPlace(which: WhichToken, organization: string): TokenPlace {
  return which.kind === 'team' ? { kind: 'team', team: which.team } : { kind: which.kind, organization };
}

export function toPolicyType({ kind }: WhichToken): PolicyType {
  return kind === 'audit-trail' ? 'audit_trails' : kind;
}
