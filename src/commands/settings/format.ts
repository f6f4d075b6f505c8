import type { Session } from '../../cli/session.ts';
import type { Setting } from '../../config/settings.ts';
import type { JsonObject } from '../../lib/json.ts';

/** The value has the form that `settings set` takes; durations are stored in milliseconds. */
export function describeSetting({ settings, profile }: Session, { name, type }: Setting): JsonObject {
  const { value, source } = settings[name];
  const own = name === 'profile' ? profile.name : value;
  return { name, value: typeof own === 'number' && type === 'text' ? `${own / 1000}s` : (own ?? null), source };
}
