import { pMapIterable } from 'p-map';
import { isFailure, OrgctlError } from '../lib/errors.ts';

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
