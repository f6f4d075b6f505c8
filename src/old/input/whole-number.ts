import { UsageError } from '../errors.ts';

export interface WholeNumber {
  readonly name: string;
  readonly from?: number;
  readonly to?: number;
  readonly hint: string;
}

/** Throws UsageError for anything but digits within the limits. */
export function parseWholeNumber(text: string, { name, from = 0, to, hint }: WholeNumber): number {
  const number = /^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (number >= from && number <= (to ?? number)) return number;
  const range = to === undefined ? (from === 0 ? '' : ` from ${from}`) : ` from ${from} to ${to}`;
  throw new UsageError(`${name} takes a whole number${range}, not '${text}'`, { hint });
}
