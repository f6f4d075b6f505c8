import type { Session } from '../../cli/session.ts';

/** The organization that is named, though the token decides whose trail is read. Throws UsageError for several. */
export function findTrailOrg({ isSandbox, settings, org }: Session): string | undefined {
  return isSandbox || settings.org.value !== undefined ? org() : undefined;
}
