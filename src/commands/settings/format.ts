import { findSetting } from '../../config/settings.ts';

/** The form that `settings set` takes; null if not set. Durations are stored in milliseconds. */
export function formatSetting(name: string, value: unknown): unknown {
  if (value === undefined) return null;
  return typeof value === 'number' && findSetting(name).type === 'text' ? `${value / 1000}s` : value;
}
