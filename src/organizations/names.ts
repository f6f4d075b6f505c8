import type { Client } from '../api/client.ts';
import { listOwnOrganizations } from '../api/organizations.ts';
import { type FailedItem, OrgctlError } from '../lib/errors.ts';

/** Lists the organizations that the caller is an active member of, in order of name. Throws `not-found` for an empty list. */
export async function listActiveOrgs(client: Client): Promise<string[]> {
  const own = await listOwnOrganizations(client);
  const names = own.filter(({ status }) => status === 'active').map(({ name }) => name);
  if (names.length > 0) return [...new Set(names)].sort();
  throw new OrgctlError('not-found', 'you are not an active member of any organization', {
    hint: 'Name organizations with --org: team and organization tokens are not members of any.',
  });
}

/** Throws OrgctlError if an organization failed: its own error if it is the only one. */
export function throwFailures(failures: FailedItem[], count: number): void {
  const [first] = failures;
  if (!first) return;
  if (count === 1) throw first.error;
  throw createCommonError(`${failures.length} of ${count} organizations failed`, failures, failures.length === count);
}

/** The exit code is that of all failures if nothing else was done and it is the same, else `incomplete`. */
export function createCommonError(message: string, items: FailedItem[], isAll: boolean): OrgctlError {
  const [exit = 'incomplete', ...others] = new Set(items.map(({ error }) => error.exit));
  return new OrgctlError(isAll && others.length === 0 ? exit : 'incomplete', message, { items });
}
