import type { OrgctlError } from '../errors.ts';
import { sideBySide } from './side-by-side.ts';

/** What is known of an organization: a value, or what kept it from being found. */
export type FoundEach<T> = { readonly organization: string } & (
  | { readonly value: T; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: OrgctlError }
);

/**
 * Finds something out about each organization, before anything is changed. One that fails does not keep the others from being
 * read. Throws what meets all of them.
 */
export async function findEach<T>(
  organizations: readonly string[],
  find: (organization: string) => Promise<T>,
): Promise<readonly FoundEach<T>[]> {
  const found: FoundEach<T>[] = [];
  let last: OrgctlError | undefined;
  const steps = sideBySide(organizations, async function* (organization) {
    yield { value: await find(organization) };
  });
  for await (const step of steps) {
    const { organization } = step;
    if ('piece' in step) found.push({ organization, ...step.piece });
    else {
      const error = step.error;
      if (error === undefined) throw last;
      last = error;
      found.push({ organization, error });
    }
  }
  return found;
}
