import { assertProfileExists, findProfile, resolveSettings } from '../config/resolve.ts';
import { type Config, ConfigStore } from '../config/store.ts';
import { UsageError } from '../lib/errors.ts';
import type { Session, SessionOptions } from './session.ts';

export type SessionConfig = Pick<Session, 'store' | 'profile' | 'settings'>;

/** Reads the settings, and finds the profile. Throws UsageError. */
export function openConfig({ runtime, signals, options, verb }: SessionOptions): SessionConfig {
  const { env } = runtime;
  const { isForNewProfile = false, checksSettings = false } = verb;
  const store = new ConfigStore(runtime, signals.signal);
  const stored = checksSettings ? tryReadConfig(store) : store.readConfig();
  const config = stored ?? {};
  const profile = options.sandbox ? findProfile(undefined, {}, {}) : findProfile(options.profile, env, config);
  if (!isForNewProfile && stored) assertProfileExists(profile, config);
  return { store, profile, settings: resolveSettings({ options: { ...options }, env, config, profile }) };
}

/** Undefined for a file that can't be used. */
function tryReadConfig(store: ConfigStore): Config | undefined {
  try {
    return store.readConfig();
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}
