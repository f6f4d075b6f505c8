import type { Context } from '../../context.ts';
import { parseWhen, toUtcText } from '../../when.ts';

/** UTC text, or null for never. Throws UsageError. */
export function parseExpiry(text: string, now: number): string | null {
  const when = parseWhen(text, now);
  return when === 'never' ? null : toUtcText(when.at);
}

/** The service decides: what it set is what counts. `asked` undefined left it to the service, and means never. */
export function warnOfOtherExpiry(context: Context, asked: string | null | undefined, given: unknown): void {
  const same =
    typeof given === 'string' && typeof asked === 'string'
      ? Date.parse(given) === Date.parse(asked)
      : (given ?? null) === (asked ?? null);
  if (same) return;
  const wanted = typeof asked === 'string' ? asked : 'never';
  context.warn(`the service set the expiry to ${typeof given === 'string' ? given : 'never'}, not to ${wanted}`);
}
