import type { TeamReference } from '../../../api/teams.ts';
import { hasAuditTokens, type SoleToken } from '../../../api/tokens.ts';
import { completeTeams } from '../../../cli/completers.ts';
import type { Complete } from '../../../cli/options.ts';
import { option } from '../../../cli/options.ts';
import type { Session } from '../../../cli/session.ts';
import { UsageError } from '../../../lib/errors.ts';
import { createTeamFinder, readKnownTeams } from '../../../members/teams.ts';

export const ALLOW_ENTERPRISE = option(
  '--allow-enterprise',
  "act on the organization's own token if the service has no audit trail tokens",
);

/** Throws UsageError for an unknown team. */
export async function findTeam({ client }: Session, org: string, text: string): Promise<TeamReference> {
  return createTeamFinder(org, await readKnownTeams(client, org))(text);
}

/** Throws UsageError if requests would act on the organization's own token, unless `allowEnterprise` is set. */
export async function findAuditToken(
  { client }: Session,
  org: string,
  allowEnterprise = false,
): Promise<Exclude<SoleToken, { kind: 'team' }>> {
  if (await hasAuditTokens(client, org)) return { kind: 'audit-trail', org };
  if (allowEnterprise) return { kind: 'organization', org };
  throw new UsageError(`this service has no audit trail tokens: ${org}'s organization token would be affected`, {
    code: 'enterprise',
    hint: 'If that is what you want, add --allow-enterprise.',
  });
}

export const completeTokens: Complete = async (request) => {
  const kinds = ['audit-trail', 'organization', 'team:'];
  if (!request.text.startsWith('team:')) return kinds;
  return (await completeTeams(request)).map((name) => `team:${name}`);
};
