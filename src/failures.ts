import type { OrgctlError } from './errors.ts';

/** Some of several failed: what that comes to as one error. */

/** `isAll`: nothing else came of it. Then it is what all of them are, where they failed alike, and else `incomplete`. */
export function shareEnd(errors: readonly OrgctlError[], isAll: boolean): Pick<OrgctlError, 'exit' | 'code'> {
  const [first, ...more] = errors;
  const isAlike = isAll && first !== undefined && more.every(({ code }) => code === first.code);
  return isAlike ? first : { exit: 'incomplete', code: 'incomplete' };
}

export function listNotAttempted(names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`Not attempted: ${names.join(', ')}`];
}
