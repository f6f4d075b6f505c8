import type { Context } from '../../context/context.ts';
import { toUtc } from '../../text/time.ts';

/**
 * The service decides: what it set is what counts. `asked` undefined left it to the service, and means never; `given`
 * undefined is not known, and is for the caller to say once it cannot be found out.
 */
export function warnOfOtherExpiry(
  { screen }: Context,
  asked: string | null | undefined,
  given: string | null | undefined,
): void {
  const wanted = asked ?? null;
  if (given === undefined || given === wanted) return;
  if (given !== null && wanted !== null && Date.parse(given) === Date.parse(wanted)) return;
  screen.warn(`the service set the expiry to ${toText(given)}, not to ${toText(wanted)}`);
}

function toText(expiry: string | null): string {
  return expiry === null ? 'never' : toUtc(Date.parse(expiry));
}
