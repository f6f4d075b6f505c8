import type { Session } from '../../cli/session.ts';

/** The token decides whose trail is read, so the organization is optional. Throws UsageError for several. */
export function findTrailOrg({ isSandbox, settings, org }: Session): string | undefined {
  return isSandbox || settings.org.value !== undefined ? org() : undefined;
}
