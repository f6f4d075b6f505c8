import { readTeams, type TeamReference } from '../api/teams.ts';
import { hasAuditTokens } from '../api/tokens.ts';
import { findStateFolder } from '../config/folders.ts';
import { UsageError } from '../lib/errors.ts';
import { createTeamFinder, parseTeam } from '../members/teams.ts';
import type { StatePlace } from '../tokens/rotation-state.ts';
import { option } from './options.ts';
import type { Session } from './session.ts';

/** Where the state of this service's tokens is kept. */
export function findStatePlace({ runtime, settings, isSandbox }: Session): StatePlace {
  const service = isSandbox ? 'sandbox' : new URL(settings['base-url'].value).host;
  return { stateFolder: findStateFolder(runtime), service };
}

export const ALLOW_ENTERPRISE = option(
  '--allow-enterprise',
  "act on the organization's own token where there is no audit trail token",
);

/** Throws UsageError for an unknown team. */
export async function findTeam({ client }: Session, org: string, text: string): Promise<TeamReference> {
  return createTeamFinder(org, (await readTeams(client, org))?.map(parseTeam))(text);
}

/** Throws UsageError where the request would act on the organization's own token. */
export async function assertHasAuditTokens({ client }: Session, org: string): Promise<void> {
  if (await hasAuditTokens(client, org)) return;
  throw new UsageError(`this service has no audit trail tokens: ${org}'s organization token would be meant`, {
    code: 'enterprise',
    hint: 'If that is what you want, add --allow-enterprise.',
  });
}
