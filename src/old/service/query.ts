import { UsageError } from '../errors.ts';
import { isNameSafe } from '../names.ts';

/** Query parameters in the order they are sent. An undefined value is left out. */
export type Query = readonly (readonly [name: string, value: string | number | undefined])[];

/**
 * The query text, without the question mark. `[` and `]` travel as %5B and %5D, as the document asks.
 * Throws UsageError for a value that is no text.
 */
export function toQueryText(query: Query): string {
  return query
    .filter((pair): pair is readonly [string, string | number] => pair[1] !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeText(String(value))}`)
    .join('&');
}

/** One segment of a path, percent-encoded. Throws UsageError for a value that no single segment can carry. */
export function toPathSegment(value: string): string {
  if (!isNameSafe(value)) throw toUnsendable(value);
  return encodeURIComponent(value);
}

function encodeText(value: string): string {
  if (/\p{Surrogate}/u.test(value)) throw toUnsendable(value);
  return encodeURIComponent(value);
}

function toUnsendable(value: string): UsageError {
  return new UsageError(`'${value}' can't be part of a path`, { hint: 'Give the name as the service shows it.' });
}
