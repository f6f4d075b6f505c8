import type { Context } from '../context/context.ts';
import { toLocal, toUtc } from '../text/time.ts';
import { isDate, parseAgo } from '../when.ts';
import { valued } from './param.ts';

/** A moment on the command line. */
export interface Given {
  /** As it was given. */
  readonly text: string;
}

/** A moment not after now. `at`: milliseconds since 1970. */
export interface Ago extends Given {
  readonly at: number;
}

export function ago<const Usage extends string>(usage: Usage, summary: string) {
  return valued(usage, summary, (text, _name, now): Ago => ({ text, at: parseAgo(text, now).getTime() }));
}

/** Says of each that is a date at which moment it begins: that is earlier or later where this machine is. */
export function noteDates({ screen, places }: Context, ...moments: readonly (Given | undefined)[]): void {
  for (const date of moments.flatMap((moment) => moment?.text.trim() ?? []).filter(isDate)) {
    const at = Date.parse(date);
    screen.note(`${date} begins at ${toUtc(at)} (here ${toLocal(at, places.host.minutesAhead(at))}).`);
  }
}
