import type { Route } from '../route.ts';
import { AUDIT_TOKEN_ROUTES } from './audit-token.ts';
import { AUDIT_TRAIL_ROUTES } from './audit-trail.ts';
import { FEATURE_SET_ROUTES } from './feature-sets.ts';
import { MEMBERSHIP_ROUTES } from './memberships.ts';
import { META_ROUTES } from './meta.ts';
import { PROVIDER_ROUTES } from './providers.ts';
import { PUBLIC_REGISTRY_ROUTES } from './public-registry.ts';
import { TEAM_ROUTES } from './teams.ts';

export const ROUTES: readonly Route[] = [
  ...FEATURE_SET_ROUTES,
  ...AUDIT_TOKEN_ROUTES,
  ...MEMBERSHIP_ROUTES,
  ...PROVIDER_ROUTES,
  ...TEAM_ROUTES,
  ...AUDIT_TRAIL_ROUTES,
  ...PUBLIC_REGISTRY_ROUTES,
  ...META_ROUTES,
];
