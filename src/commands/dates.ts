import type { Context } from '../context/context.ts';
import { toLocal, toUtc } from '../text/time.ts';
import { isDate } from '../when.ts';

/** Says of each that is a date at which moment it begins: that is earlier or later where this machine is. */
export function noteDates({ screen, places }: Context, ...texts: readonly (string | undefined)[]): void {
  for (const date of texts.flatMap((text) => text?.trim() ?? []).filter(isDate)) {
    const at = Date.parse(date);
    screen.note(`${date} begins at ${toUtc(at)} (here ${toLocal(at, places.host.minutesAhead(at))}).`);
  }
}
