import type { OrgctlError } from './errors.ts';

/** Many things at once: how many, and which failures keep the rest from being begun. */

/** So many connections there are. */
export const AT_ONCE = 8;
/** After so many requests in a row without a usable answer, the service counts as unavailable. */
const MOST_UNAVAILABLE = 8;

type Kinds = ReadonlySet<string>;

/** By exit or code: every further one would end the same way. */
const OF_ALL: Readonly<Record<'read' | 'write', Kinds>> = {
  read: new Set(['rate-limited']),
  write: new Set(['rate-limited', 'usage', 'failure', 'not-delivered']),
};
/** Every further one of the same organization: it is full, it refuses the token, or what one lost must not be put at stake by the next. */
const OF_ORGANIZATION: Kinds = new Set(['organization-limit', 'invitation-gone', 'not-authenticated']);
const WITHOUT_ANSWER: Kinds = new Set(['unavailable', 'outcome-unknown']);

/** `ofSeveral`: what is wrong on the command line for one organization need not be for another. */
export function createStop(kind: 'read' | 'write', { ofSeveral = false }: { readonly ofSeveral?: boolean } = {}) {
  let unavailable = 0;
  const isIn = (kinds: Kinds, { exit, code }: OrgctlError): boolean => kinds.has(exit) || kinds.has(code);
  return {
    succeeded(): void {
      unavailable = 0;
    },
    failed(error: OrgctlError): 'go on' | 'leave the organization' | 'stop' {
      unavailable = WITHOUT_ANSWER.has(error.exit) ? unavailable + 1 : 0;
      if (isIn(OF_ORGANIZATION, error) || (ofSeveral && error.exit === 'usage')) return 'leave the organization';
      return isIn(OF_ALL[kind], error) || unavailable >= MOST_UNAVAILABLE ? 'stop' : 'go on';
    },
  };
}
