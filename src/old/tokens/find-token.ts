import { OrgctlError, reword, ServiceError, UsageError } from '../errors.ts';
import { describeTokenReference, type TokenReference, toBaseDescription } from '../input/token-reference.ts';
import { getMember, toText } from '../json-object.ts';
import type { Directory } from '../people/directory.ts';
import { collect } from '../reading.ts';
import { toCaller, toTokenId, UNKNOWN_CALLER } from '../service/caller.ts';
import type { Service } from '../service/service.ts';
import type { TokenTarget, TokenTeam } from '../service/tokens.ts';
import { askMeant, findNear } from '../text/near.ts';
import type { Resource } from '../wire/json-api.ts';
import type { Token } from '../wire/resources.ts';
import { toNoun } from './which-token.ts';

/** One token of an organization, found by how it is named. */

export type TokenKind = 'audit-trail' | 'organization' | 'team';

/** Which one it is, as people read it. */
export interface TokenName {
  readonly kind: TokenKind;
  /** Of a token of a team. */
  readonly team?: TokenTeam;
  /** Null for the one of its place. */
  readonly description: string | null;
}

export interface FoundToken extends TokenName {
  /** As requests name it. */
  readonly target: TokenTarget;
  readonly token: Token;
}

/**
 * Throws ServiceError where the service shows none, `not-found` for a description that no token of the team has, and
 * UsageError for what names several, or a token of no team of the organization.
 */
export async function findToken(
  { service, organization, findTeam }: Directory,
  reference: TokenReference,
): Promise<FoundToken> {
  switch (reference.kind) {
    case 'team': {
      const team = await requireTeam(findTeam, reference.team);
      if (reference.description !== null) {
        const { description } = reference;
        const described = await listDescribed(service, organization, team);
        const [only, ...others] = described.filter((one) => isDescribed(one, description));
        if (only === undefined) throw toNotFound(description, team, described);
        if (others.length > 0) throw toSeveral(reference, [only, ...others]);
        return toDescribed(only, team);
      }
      const target = { kind: 'team', team } as const;
      return { kind: 'team', target, team, description: null, token: (await service.tokens.show(target)).data };
    }
    case 'id': {
      const token = (await service.tokens.show(reference).catch(refuseUnseen)).data;
      const id = toTeamId(token);
      if (id === undefined) {
        throw new UsageError(`${reference.id} is a token of no team`, { hint: 'Only tokens of teams go by an id.' });
      }
      return toDescribed(token, await requireTeam(findTeam, `id:${id}`));
    }
    default: {
      const target = { kind: reference.kind, organization };
      return { kind: reference.kind, target, description: null, token: (await service.tokens.show(target)).data };
    }
  }
}

export async function requireTeam(findTeam: Directory['findTeam'], asked: string): Promise<TokenTeam> {
  const team = await findTeam(asked);
  if (team === undefined) {
    throw new UsageError(`no team is called '${asked}'`, {
      hint: 'See the teams:',
      next: [['orgctl', 'teams', 'list']],
    });
  }
  return team;
}

/** The tokens of a team that have a description. */
async function listDescribed(
  { tokens }: Pick<Service, 'tokens'>,
  organization: string,
  { id }: TokenTeam,
): Promise<readonly Token[]> {
  const isDescribed = (token: Token): boolean => toTeamId(token) === id && toDescription(token) !== undefined;
  return (await collect(tokens.listOfTeams(organization), ({ items }) => items.filter(isDescribed))).flat();
}

/** Whether a description names it: its own, and, where a rotation has put something behind it, the one before one did. */
function isDescribed(token: Token, wanted: string): boolean {
  const description = toDescription(token) ?? '';
  return description === wanted || toBaseDescription(description) === wanted;
}

function toDescription({ attributes }: Token): string | undefined {
  return toText(attributes?.description);
}

export function toTeamId({ relationships }: Token): string | undefined {
  return toText(getMember(relationships, 'team', 'data', 'id'));
}

function toDescribed(token: Token, team: TokenTeam): FoundToken {
  const description = toDescription(token) ?? null;
  return { kind: 'team', target: { kind: 'id', id: token.id }, team, description, token };
}

const SEEN_ALONE = 'The list has only the tokens that your token can see.';
const SEE = 'See which there are:';

function toNotFound(description: string, { name }: TokenTeam, others: readonly Token[]): OrgctlError {
  const known = others.map((token) => toBaseDescription(toDescription(token) ?? ''));
  const meant = askMeant(findNear(description, known).map((near) => `team:${name}/${near}`));
  return new OrgctlError('not-found', `team ${name} has no token '${description}'`, {
    reasons: [SEEN_ALONE],
    hint: `${meant === undefined ? '' : `${meant} `}${SEE}`,
    next: [['orgctl', 'tokens', 'list', '--team', name]],
  });
}

function refuseUnseen(error: unknown): never {
  if (!(error instanceof ServiceError) || error.exit !== 'not-found' || error.errors.length === 0) throw error;
  throw reword(error, { reasons: [SEEN_ALONE], hint: SEE, next: [['orgctl', 'tokens', 'list']] });
}

function toSeveral(reference: TokenReference, found: readonly Token[]): UsageError {
  return new UsageError(`${found.length} tokens match '${describeTokenReference(reference)}'`, {
    reasons: found.map(({ id, attributes }) => `${toText(attributes?.description) ?? ''} (${id})`),
    hint: 'Name one by its id (at-…).',
  });
}

/** `acme's token ci of team platform` */
export function nameToken(organization: string, { kind, team, description }: TokenName): string {
  if (kind !== 'team' || team === undefined)
    return `${organization}'s ${toNoun({ kind: kind === 'team' ? 'organization' : kind })}`;
  return `${organization}'s ${toNoun({ kind, team, ...(description === null ? {} : { description }) })}`;
}

/** For one in whose place is another one by now. */
export function toReplaced(organization: string, name: TokenName): OrgctlError {
  return new OrgctlError('busy', `${nameToken(organization, name)} was just replaced elsewhere`, {
    code: 'changed-meanwhile',
    hint: 'Nothing was deleted. Find out what else changes it, then run this again.',
  });
}

/** `maybe`: it is one of several of the team that asks. `unknown`: the service says nothing of who asks. */
export type Asks = 'yes' | 'maybe' | 'unknown' | 'no';

/** The account of who asks; undefined where the service does not show it. Throws where it can't be read just now. */
export async function readAsker(service: Pick<Service, 'showCaller'>): Promise<Resource | undefined> {
  return await service.showCaller().catch((error: unknown) => {
    if (error instanceof ServiceError && [403, 404].includes(error.status)) return undefined;
    throw error;
  });
}

/** Whether the token that asks is this one. `account`: that of who asks. */
export function judgeAsker(
  account: Resource | undefined,
  { kind, team, token, description }: TokenName & { readonly token: Pick<Token, 'id'> | undefined },
): Asks {
  const id = account && toTokenId(account);
  if (id !== undefined) return token?.id === id ? 'yes' : 'no';
  if (kind === 'audit-trail') return 'no';
  const caller = account === undefined ? UNKNOWN_CALLER : toCaller(account);
  if (caller.kind === 'unknown') return 'unknown';
  if (caller.kind !== kind) return 'no';
  if (kind === 'organization') return 'yes';
  // Some services name an account after its team.
  if (caller.team === undefined) return 'unknown';
  if (caller.team !== team?.id) return 'no';
  return description === null ? 'yes' : 'maybe';
}
