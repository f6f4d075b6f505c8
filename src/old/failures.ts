import { type ErrorDetails, type FailedItem, OrgctlError } from './errors.ts';

/** Some of several failed: what that comes to as one error. */

interface Several extends Pick<ErrorDetails, 'reasons' | 'next'> {
  readonly failed: readonly FailedItem[];
  /** Nothing else came of it. Then it is what all of them are, where they failed alike, and else `incomplete`. */
  readonly isAll: boolean;
  /** What ended it, whatever failed. */
  readonly signal?: OrgctlError | undefined;
  /** In place of what the first says, which holds where it is the only one, or all failed alike. */
  readonly hint?: string | undefined;
}

export function toOneError(message: string, { failed, isAll, signal, hint: given, ...rest }: Several): OrgctlError {
  const [first, ...more] = failed.map(({ error }) => error);
  const isAlike = isAll && first !== undefined && more.every(({ code }) => code === first.code);
  const { exit, code } = signal ?? (isAlike ? first : ({ exit: 'incomplete', code: 'incomplete' } as const));
  const hint = given ?? (isAlike || more.length === 0 ? first?.hint : undefined);
  return new OrgctlError(exit, message, { ...rest, code, items: failed, ...(hint === undefined ? {} : { hint }) });
}

export function listNotAttempted(names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`Not attempted: ${names.join(', ')}`];
}
