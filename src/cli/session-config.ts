import { assertProfileExists, findProfile, type Profile, resolveSettings, type Settings } from '../config/resolve.ts';
import { type Config, ConfigStore } from '../config/store.ts';
import { UsageError } from '../lib/errors.ts';
import type { Runtime } from '../lib/runtime.ts';
import type { Signals } from '../lib/signals.ts';
import type { GlobalOptions } from './global-options.ts';

export interface SessionConfig {
  store: ConfigStore;
  profile: Profile;
  settings: Settings;
}

/** What a verb says about its session. */
export interface SessionRules {
  /** --org takes several names, and the verb has --all-orgs. */
  takesSeveralOrgs?: boolean;
  /** --profile may name a new profile. */
  isForNewProfile?: boolean;
  /** Runs without `config.json` if that can't be used, and says why. */
  checksSettings?: boolean;
  /** --debug prints no bodies, since their secrets can't be known. */
  hidesBodies?: boolean;
}

export interface SessionOptions {
  runtime: Runtime;
  signals: Signals;
  version: string;
  options: GlobalOptions;
  verb: SessionRules;
}

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
