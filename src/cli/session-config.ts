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

export function openConfig({ runtime, signals, options, verb }: SessionOptions): SessionConfig {
  const { env } = runtime;
  const store = new ConfigStore(runtime, signals.signal);
  let stored: Config | undefined;
  try {
    stored = store.readConfig();
  } catch (error) {
    if (!verb.checksSettings || !(error instanceof UsageError)) throw error;
  }
  const config = stored ?? {};
  const profile = options.sandbox ? findProfile(undefined, {}, {}) : findProfile(options.profile, env, config);
  if (!verb.isForNewProfile && stored) assertProfileExists(profile, config);
  return { store, profile, settings: resolveSettings({ options: { ...options }, env, config, profile }) };
}
