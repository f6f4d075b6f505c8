import { pMapIterable } from 'p-map';
import type { Client } from '../api/client.ts';
import { listOwnOrganizations } from '../api/organizations.ts';
import { isFailure, OrgctlError, UsageError } from '../lib/errors.ts';
import { assertVisible } from '../lib/input-text.ts';
import { isSameName } from '../lib/text.ts';

/** Parses `a,b`, and drops repeated names. Throws UsageError. */
export function parseOrgs(text: string, source: string): string[] {
  const names = text.split(',').map((name) => {
    assertVisible(name, source);
    return name.trim();
  });
  if (names.includes('')) throw new UsageError(`${source} has an empty name`);
  for (const name of names) {
    if (!/^[\p{L}\p{N}_-]+$/u.test(name)) throw new UsageError(`${source}: '${name}' is not an organization name`);
  }
  return names.filter((name, at) => names.findIndex((other) => isSameName(other, name)) === at);
}

/** Lists the organizations that the caller is an active member of, in order of name. Throws `not-found` for an empty list. */
export async function listActiveOrgs(client: Client): Promise<string[]> {
  const own = await listOwnOrganizations(client);
  const names = own.filter(({ status }) => status === 'active').map(({ name }) => name);
  if (names.length > 0) return [...new Set(names)].sort();
  throw new OrgctlError('not-found', 'you are not an active member of any organization', {
    hint: 'Name organizations with --org: team and organization tokens are not members of any.',
  });
}

const CONCURRENCY = 8;

export type OrgResult<T> =
  | { org: string; value: T; error?: undefined }
  | { org: string; value?: undefined; error: OrgctlError };

export interface OrgFailure {
  org: string;
  error: OrgctlError;
}

/** Reads organizations concurrently, and yields the results in order. A failure of one organization does not stop the others. */
export function fanOut<T>(orgs: string[], read: (org: string) => Promise<T>): AsyncIterable<OrgResult<T>> {
  const readOne = async (org: string): Promise<OrgResult<T>> => {
    try {
      return { org, value: await read(org) };
    } catch (error) {
      if (isFailure(error)) return { org, error };
      throw error;
    }
  };
  return pMapIterable(orgs, readOne, { concurrency: CONCURRENCY, backpressure: CONCURRENCY });
}

/** Throws OrgctlError if an organization failed: with the common exit code if all failed alike, else `incomplete`. */
export function throwFailures(failures: OrgFailure[], count: number): void {
  const [first] = failures;
  if (!first) return;
  if (count === 1) throw first.error;
  const isCommon = failures.length === count && failures.every(({ error }) => error.exit === first.error.exit);
  throw new OrgctlError(
    isCommon ? first.error.exit : 'incomplete',
    `${failures.length} of ${count} organizations failed`,
    {
      items: failures.map(({ org, error }) => ({ item: org, error })),
    },
  );
}
