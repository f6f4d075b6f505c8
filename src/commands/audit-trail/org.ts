import { assertTrailOf } from '../../api/audit-trail.ts';
import type { Session } from '../../cli/session.ts';

/** The token decides whose trail is read, so the organization is optional. Throws UsageError for several, and for another. */
export async function findTrailOrg({ client, isSandbox, settings, org }: Session): Promise<string | undefined> {
  if (!isSandbox && settings.org.value === undefined) return undefined;
  const name = org();
  await assertTrailOf(client, name);
  return name;
}
