import {
  type DescribedToken,
  findToken,
  getTeamId,
  hasAuditTokens,
  listTeamTokens,
  type SoleToken,
  showToken,
  showTokenById,
  type Token,
} from '../../../api/tokens.ts';
import type { Resource } from '../../../api/types.ts';
import { completeTeams } from '../../../cli/completers.ts';
import { type Complete, option } from '../../../cli/options.ts';
import type { Session } from '../../../cli/session.ts';
import { OrgctlError, UsageError } from '../../../lib/errors.ts';
import { quoteWord } from '../../../lib/text.ts';
import { readTeams } from '../../../members/teams.ts';
import { createTeamToken, hasBaseDescription, type TokenReference } from '../../../tokens/token.ts';

export const ALLOW_ENTERPRISE = option(
  '--allow-enterprise',
  "act on the organization's own token if the service has no audit trail tokens",
);

/** Throws UsageError if requests would act on the organization's own token, unless `allowEnterprise` is set. */
export async function findAuditToken({ client }: Session, org: string, allowEnterprise = false): Promise<SoleToken> {
  if (await hasAuditTokens(client, org)) return { kind: 'audit-trail', org };
  if (allowEnterprise) return { kind: 'organization', org };
  throw new UsageError(`this service has no audit trail tokens: ${org}'s organization token would be affected`, {
    code: 'enterprise',
    hint: 'If that is what you want, add --allow-enterprise.',
  });
}

export async function findNamedToken(
  session: Session,
  org: string,
  reference: Exclude<TokenReference, { kind: 'id' }>,
  allowEnterprise?: boolean,
): Promise<Token> {
  if (reference.kind === 'audit-trail') return findAuditToken(session, org, allowEnterprise);
  if (reference.kind === 'organization') return { kind: 'organization', org };
  const team = (await readTeams(session.client, org)).get(reference.team);
  return createTeamToken(org, team, reference.description);
}

export interface FoundToken {
  org: string;
  name: Token;
  /** Undefined for the audit trail token of a service that doesn't show it. */
  resource: Resource | undefined;
  /** Set if requests name the token by its purpose, not by its id. */
  sole?: SoleToken;
}

/** Returns each token once. Throws `not-found`, and UsageError for a name that several tokens have. */
export async function findTokens(session: Session, org: string, references: TokenReference[], allowEnterprise = false) {
  const { client } = session;
  const tokens = new Map<string, FoundToken>();
  for (const reference of references) {
    const { kind } = reference;
    const token = kind === 'id' ? await findById(session, org, reference.id) : await findNamed(reference);
    tokens.set(token.resource?.id ?? kind, token);
  }
  return [...tokens.values()];

  async function findNamed(reference: Exclude<TokenReference, { kind: 'id' }>): Promise<FoundToken> {
    const name = await findNamedToken(session, org, reference, allowEnterprise);
    if (name.kind === 'described') return findDescribed(session, name);
    // The service may have no route to show the audit trail token, as in the document.
    const isOptional = name.kind === 'audit-trail' && !(await client.connect()).showsTokens;
    return { org, name, resource: await (isOptional ? findToken : showToken)(client, name), sole: name };
  }
}

async function findDescribed({ client }: Session, name: DescribedToken): Promise<FoundToken> {
  const { org, team, description } = name;
  const found = (await listTeamTokens(client, org, team.id)).filter(
    ({ attributes }) =>
      attributes?.description === description || hasBaseDescription(attributes?.description, description),
  );
  const [resource, other] = found;
  if (!resource) {
    throw new OrgctlError('not-found', `team ${team.name} has no token "${description}" that you can see`, {
      hint: `\`orgctl tokens list --team ${quoteWord(team.name)}\` shows them.`,
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

async function findById(session: Session, org: string, id: string): Promise<FoundToken> {
  const resource = await showTokenById(session.client, id);
  const teamId = getTeamId(resource);
  if (teamId === undefined) throw new UsageError(`${id} is not a team's token: only those go by an id`);
  const team = (await readTeams(session.client, org)).get(teamId);
  return { org, name: createTeamToken(org, team, resource.attributes?.description), resource };
}

export const completeTokens: Complete = async (request) => {
  const kinds = ['audit-trail', 'organization', 'team:'];
  if (!request.text.startsWith('team:')) return kinds;
  return (await completeTeams(request)).map((name) => `team:${name}`);
};
