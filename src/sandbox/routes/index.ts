import { ACCOUNT } from './account.ts';
import { AUDIT_TRAIL } from './audit-trail.ts';
import { GPG_KEYS } from './gpg-keys.ts';
import { MEMBERSHIPS } from './memberships.ts';
import { ORGANIZATIONS } from './organizations.ts';
import { PROVIDER_VERSIONS } from './provider-versions.ts';
import { PROVIDERS } from './providers.ts';
import { REGISTRY } from './registry.ts';
import { TEAM_MEMBERS } from './team-members.ts';
import { TEAMS } from './teams.ts';
import { TOKEN_POLICIES } from './token-policies.ts';
import { TOKENS } from './tokens.ts';

/** These are below `/api/v2`, or a base URL at the root. */
export const API_ROUTES = [
  [ORGANIZATIONS, MEMBERSHIPS, TEAMS, TEAM_MEMBERS, TOKENS, TOKEN_POLICIES],
  [PROVIDERS, PROVIDER_VERSIONS, AUDIT_TRAIL, ACCOUNT],
].flat(2);

/** These are at the origin itself. */
export const ORIGIN_ROUTES = [GPG_KEYS, REGISTRY].flat();
