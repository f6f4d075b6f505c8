import { ServiceError } from '../errors.ts';
import type { Query } from './query.ts';

/**
 * Related resources to send along. Assumed: include takes `user` and `teams` in readings of members; the document names
 * no value of include.
 */
export interface Include {
  /** Named by the user: sent as given, and a refusal of them is an error. */
  readonly asked: readonly string[];
  /** What orgctl asks for by itself: where the service refuses, the last is left out, then the one before. */
  readonly own: readonly string[];
  /** Whether fields that the user named come from `own`, so that its absence is said. */
  readonly isNeeded?: boolean;
}

export const NO_INCLUDE: Include = { asked: [], own: [] };

/** So that people have user names, and it is said which are the accounts of tokens. */
export const WITH_USER: Include = { asked: [], own: ['user'] };

/** What membership reads include by themselves, so that people and teams have names. */
export const USUAL_INCLUDE: Include = { asked: [], own: ['user', 'teams'] };

/** Reads with as much of the include as the service accepts. `onRefused` gets what is left of it. */
export async function withInclude<T>(
  include: Include,
  read: (query: Query) => Promise<T>,
  onRefused?: (left: Include) => void,
): Promise<T> {
  for (let left = include; ; left = { ...left, own: left.own.slice(0, -1) }) {
    try {
      const names = [...new Set([...left.own, ...left.asked])];
      const result = await read(names.length === 0 ? [] : [['include', names.join(',')]]);
      if (left !== include) onRefused?.(left);
      return result;
    } catch (error) {
      if (left.own.length === 0 || !isRefusal(error)) throw error;
    }
  }
}

/** A 400 that names what is wrong, and does not name the include, is about something else. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof ServiceError && error.status === 400)) return false;
  const details = error.errors.flatMap((one) =>
    typeof one === 'string' ? [one] : [one.detail, one.source?.parameter].filter((text) => typeof text === 'string'),
  );
  return details.length === 0 || details.some((text) => text.toLowerCase().includes('include'));
}

export function describeLess(names: readonly string[]): string {
  return `this service doesn't send ${names.join(' and ')} along: only ids are known`;
}
