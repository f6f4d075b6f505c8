import type { Client } from '../api/client.ts';
import {
  type DescribedToken,
  findToken,
  getTeamId,
  listTeamTokens,
  type SoleToken,
  showToken,
  showTokenById,
  type Token,
} from '../api/tokens.ts';
import type { Resource } from '../api/types.ts';
import { OrgctlError, UsageError } from '../lib/errors.ts';
import { quoteWord } from '../lib/text.ts';
import { createTeamToken, type FindTeam, findNamedToken, hasBaseDescription, type TokenReference } from './token.ts';

export interface FoundToken {
  org: string;
  name: Token;
  /** Undefined for the audit trail token of a service that doesn't show it. */
  resource: Resource | undefined;
  /** Set if requests name the token by its purpose, not by its id. */
  sole?: SoleToken;
}

/** Returns each token once. Throws `not-found`, and UsageError for a name that several tokens have. */
export async function findTokens(
  client: Client,
  org: string,
  references: TokenReference[],
  findTeam: FindTeam,
): Promise<FoundToken[]> {
  const tokens = new Map<string, FoundToken>();
  for (const reference of references) {
    const { kind } = reference;
    const token = kind === 'id' ? await findById(client, org, reference.id, findTeam) : await findNamed(reference);
    tokens.set(token.resource?.id ?? kind, token);
  }
  return [...tokens.values()];

  async function findNamed(reference: Exclude<TokenReference, { kind: 'id' }>): Promise<FoundToken> {
    const name = await findNamedToken(org, reference, findTeam);
    if (name.kind === 'described') return findDescribed(client, name);
    // The service may have no route to show the audit trail token, as in the document.
    const isOptional = name.kind === 'audit-trail' && !(await client.connect()).showsTokens;
    return { org, name, resource: await (isOptional ? findToken : showToken)(client, name), sole: name };
  }
}

async function findDescribed(client: Client, name: DescribedToken): Promise<FoundToken> {
  const { org, team, description } = name;
  const found = (await listTeamTokens(client, org, team.id)).filter(
    ({ attributes }) =>
      attributes?.description === description || hasBaseDescription(attributes?.description, description),
  );
  const [resource, other] = found;
  if (!resource) {
    throw new OrgctlError('not-found', `team ${team.name} has no token "${description}" that you can see`, {
      hint: `\`orgctl tokens list --team ${quoteWord(team.name)}\` shows which there are.`,
    });
  }
  if (other) {
    throw new UsageError(`${found.length} tokens of team ${team.name} are called "${description}"`, {
      reasons: found.map(({ id, attributes }) => `${id}: ${attributes?.description}`),
      hint: 'Name one by its id (at-…).',
    });
  }
  return { org, name: { ...name, description: String(resource.attributes?.description) }, resource };
}

async function findById(client: Client, org: string, id: string, findTeam: FindTeam): Promise<FoundToken> {
  const resource = await showTokenById(client, id);
  const teamId = getTeamId(resource);
  if (teamId === undefined) throw new UsageError(`${id} is not a team's token: only those go by an id`);
  const team = await findTeam(org, `id:${teamId}`);
  return { org, name: createTeamToken(org, team, resource.attributes?.description), resource };
}
