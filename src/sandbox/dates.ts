import { parseInstant } from '../lib/time.ts';

export function formatDate(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Milliseconds; undefined for text that is not a date. The default zone is UTC. */
export function parseDate(text: string): number | undefined {
  return parseInstant(text) ?? parseInstant(`${text}Z`);
}
