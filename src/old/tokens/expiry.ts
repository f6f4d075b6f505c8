import type { Context } from '../context/context.ts';
import { toUtc } from '../text/time.ts';

/**
 * Warns where the service set another expiry than the one that was asked for: what the service set counts. `asked`:
 * undefined counts as never. `given`: undefined where it is not known yet, and the caller warns if it stays unknown.
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
