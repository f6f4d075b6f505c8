import type { Route } from '../call.ts';
import { ACCOUNT } from './account.ts';
import { AUDIT_TRAIL } from './audit-trail.ts';
import { FEATURE_SETS } from './feature-sets.ts';
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

export const ROUTES: readonly Route[] = [
  ...FEATURE_SETS,
  ...TOKENS,
  ...TOKEN_POLICIES,
  ...ORGANIZATIONS,
  ...MEMBERSHIPS,
  ...PROVIDERS,
  ...PROVIDER_VERSIONS,
  ...GPG_KEYS,
  ...REGISTRY,
  ...TEAMS,
  ...TEAM_MEMBERS,
  ...AUDIT_TRAIL,
  ...ACCOUNT,
];
