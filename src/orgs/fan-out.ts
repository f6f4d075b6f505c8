import pLimit from 'p-limit';
import { isSignal, OrgctlError } from '../lib/errors.ts';

const CONCURRENCY = 8;

/** The result of an organization. */
export type OrgResult<T> =
  | { org: string; value: T; error?: undefined }
  | { org: string; value?: undefined; error: OrgctlError };

/** Reads organizations side by side, and gives them in order. A failure of one leaves the others; a signal ends all. */
export async function* fanOut<T>(orgs: string[], read: (org: string) => Promise<T>): AsyncGenerator<OrgResult<T>> {
  const limit = pLimit(CONCURRENCY);
  const readings = orgs.map((org) =>
    limit(async (): Promise<OrgResult<T>> => {
      try {
        return { org, value: await read(org) };
      } catch (error) {
        if (error instanceof OrgctlError && !isSignal(error)) return { org, error };
        throw error;
      }
    }),
  );
  // A reading may fail while an earlier one is printed: the loop below handles it in its turn.
  for (const reading of readings) reading.catch(() => undefined);
  try {
    for (const reading of readings) yield await reading;
  } finally {
    limit.clearQueue();
  }
}

/** Ends a command of which some organizations failed: with their common exit code if all of them did, else `incomplete`. */
export function throwFailures(failures: { org: string; error: OrgctlError }[], count: number): void {
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
