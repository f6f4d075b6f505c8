import { describeItem, type FailedItem, listMeanings, type OrgctlError, reword } from '../errors.ts';
import { listNotAttempted, toOneError } from '../failures.ts';
import { nameOrganization } from '../input/next-command.ts';
import { formatCount } from '../text/count.ts';
import type { FoundEach } from './side-by-side.ts';

export type Failures = ReturnType<typeof createFailures>;

/** The organizations that failed, of so many. */
export function createFailures(total: number) {
  const failed: FailedItem[] = [];
  const notAttempted: string[] = [];
  return {
    /** `error`: undefined where it was not attempted. */
    add(organization: string, error: OrgctlError | undefined): void {
      if (error === undefined) notAttempted.push(organization);
      else failed.push({ item: organization, error: toErrorOf(organization, error) });
    },
    isAll: () => failed.length + notAttempted.length === total,
    /**
     * Throws where one failed: the error itself where it is the only organization, the code of all where they failed alike, and
     * `incomplete` otherwise. `isShown`: what failed stands on the terminal already.
     * `also`: what is said after that.
     */
    refuse({
      isShown = false,
      also = [],
    }: {
      readonly isShown?: boolean;
      readonly also?: readonly string[];
    } = {}): void {
      const [first] = failed;
      if (first === undefined) return;
      if (total === 1) throw first.error;
      const count = failed.length + notAttempted.length;
      throw toOneError(`${formatCount(count)} of ${formatCount(total)} organizations failed`, {
        failed,
        isAll: count === total,
        reasons: [
          ...(isShown ? [] : [...failed.map(describeItem), ...listMeanings(failed)]),
          ...listNotAttempted(notAttempted),
          ...also,
        ],
      });
    },
  };
}

/** One that could not be read, and why. */
export interface Unread {
  readonly organization: string;
  readonly error: OrgctlError;
}

export function toUnread(found: readonly FoundEach<unknown>[]): readonly Unread[] {
  return found.flatMap(({ organization, error }) => (error === undefined ? [] : [{ organization, error }]));
}

/** Throws where one could not be read, of so many. */
export function refuseUnread(unread: readonly Unread[], total: number): void {
  const failures = createFailures(total);
  for (const { organization, error } of unread) failures.add(organization, error);
  failures.refuse();
}

/** Makes the commands of an error name the organization. */
export function toErrorOf(organization: string, error: OrgctlError): OrgctlError {
  return reword(error, { next: error.next.map((words) => nameOrganization(words, organization)) });
}
