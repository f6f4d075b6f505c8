import type { Route } from '../route.ts';
import { AUDIT_TRAIL_ROUTES } from './audit-trail.ts';
import { AUTHENTICATION_TOKEN_ROUTES } from './authentication-tokens.ts';
import { FEATURE_SET_ROUTES } from './feature-sets.ts';
import { GPG_KEY_ROUTES } from './gpg-keys.ts';
import { MEMBERSHIP_ROUTES } from './memberships.ts';
import { META_ROUTES } from './meta.ts';
import { ORGANIZATION_ROUTES } from './organizations.ts';
import { PLAN_ROUTES } from './plans.ts';
import { PROVIDER_VERSION_ROUTES } from './provider-versions.ts';
import { PROVIDER_ROUTES } from './providers.ts';
import { PUBLIC_REGISTRY_ROUTES } from './public-registry.ts';
import { REGISTRY_PROTOCOL_ROUTES } from './registry-protocol.ts';
import { TEAM_MEMBER_ROUTES } from './team-members.ts';
import { TEAM_ROUTES } from './teams.ts';
import { TOKEN_POLICY_ROUTES } from './token-policies.ts';

export const ROUTES: readonly Route[] = [
  ...FEATURE_SET_ROUTES,
  ...AUTHENTICATION_TOKEN_ROUTES,
  ...TOKEN_POLICY_ROUTES,
  ...ORGANIZATION_ROUTES,
  ...PLAN_ROUTES,
  ...MEMBERSHIP_ROUTES,
  ...PROVIDER_ROUTES,
  ...PROVIDER_VERSION_ROUTES,
  ...GPG_KEY_ROUTES,
  ...REGISTRY_PROTOCOL_ROUTES,
  ...PUBLIC_REGISTRY_ROUTES,
  ...TEAM_ROUTES,
  ...TEAM_MEMBER_ROUTES,
  ...AUDIT_TRAIL_ROUTES,
  ...META_ROUTES,
];
