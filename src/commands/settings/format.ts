import { findSetting } from '../../config/settings.ts';

/** As `settings set` takes it; null if it is not set. Durations are kept in milliseconds. */
export function formatSetting(name: string, value: unknown): unknown {
  if (value === undefined) return null;
  return typeof value === 'number' && findSetting(name).type === 'text' ? `${value / 1000}s` : value;
}
