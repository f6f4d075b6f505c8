import { UsageError } from '../errors.ts';
import { isObject } from '../json-object.ts';
import { askMeant, findNear } from '../text/near.ts';
import { type Environment, readVariable } from './environment.ts';
import { findSetting, loadSetting, type SettingName, type StoredConfig } from './settings.ts';

/** A base URL, an organization, a token and more under one name. What is stored without a name is the default profile. */
export interface Profile {
  readonly name: string;
  /** Named by the option it ranks above the environment, named by the variable or stored as the default below it. */
  readonly source: '--profile' | 'ORGCTL_PROFILE' | typeof CONFIG_FILE;
  readonly settings: StoredConfig;
  readonly isNew: boolean;
}

/** What a setting is said to come from that is stored. */
export const CONFIG_FILE = 'config.json';
/** Where the file names the profile that is the default. */
export const DEFAULT_KEY = 'profile';
/** What is stored without a name, where a name has to be given. */
export const UNNAMED = 'default';

const FORM = 'It must look like {"profiles": {"work": {"org": "acme"}}}. The file was not changed.';

/** The settings a profile may hold. The others are the same for every profile. */
const BUNDLED: readonly SettingName[] = ['base-url', 'org', 'token-command', 'to', 'expires'];

export function isBundled(name: SettingName): boolean {
  return BUNDLED.includes(name);
}

interface Naming {
  readonly option: string | undefined;
  readonly env: Environment;
  /** Where the file need not be read whole. */
  readonly readDefaultName?: () => string | undefined;
  readonly readConfig: () => StoredConfig;
}

/**
 * The profile that is named, or else is the default; undefined for what is stored without a name. Throws UsageError for a text
 * that cannot be the name of a profile.
 */
export function findProfile(from: Naming): Profile | undefined {
  const named = nameProfile(from);
  if (named === undefined || named.name === UNNAMED) return undefined;
  const { name, source } = named;
  checkName(name, source);
  const settings = readProfile(from.readConfig(), name);
  return { name, source, settings: settings ?? {}, isNew: settings === undefined };
}

export function nameProfile({
  option,
  env,
  readConfig,
  readDefaultName = () => readDefault(readConfig()),
}: Naming): Pick<Profile, 'name' | 'source'> | undefined {
  if (option !== undefined) return { name: option, source: '--profile' };
  const variable = readVariable(env, 'ORGCTL_PROFILE');
  if (variable !== undefined) return { name: variable, source: 'ORGCTL_PROFILE' };
  const stored = readDefaultName();
  return stored === undefined ? undefined : { name: stored, source: CONFIG_FILE };
}

/** The profile that is the default; undefined where that is what is stored without a name. For a checked file only. */
export function readDefault(config: StoredConfig): string | undefined {
  return config[DEFAULT_KEY] as string | undefined;
}

/** Undefined where nothing is stored under this name. For a checked file only. */
export function readProfile(config: StoredConfig, name: string): StoredConfig | undefined {
  const profiles = readProfiles(config);
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}

/** Throws UsageError with the known names where nothing is stored under this one. */
export function requireStored(profile: Profile, config: StoredConfig): void {
  if (!profile.isNew) return;
  throw new UsageError(`no profile named '${profile.name}' (from ${profile.source})`, {
    hint: `${describeKnown(config)}. To create this one, log in:`,
    next: [['orgctl', 'auth', 'login', '--profile', profile.name]],
  });
}

/** Throws UsageError with names that are near, or all of them, where nothing is stored under this one. */
export function requireKnown(name: string, config: StoredConfig): void {
  const known = listProfileNames(config);
  if (known.includes(name)) return;
  throw new UsageError(`no profile named '${name}'`, {
    hint: askMeant(findNear(name, known)) ?? describeKnown(config),
  });
}

/** What `--profile` and `auth use` take: the stored ones, and what is stored without a name. For a checked file only. */
export function listProfileNames(config: StoredConfig): readonly string[] {
  return [UNNAMED, ...Object.keys(readProfiles(config))];
}

function describeKnown(config: StoredConfig): string {
  return `Your profiles: ${listProfileNames(config).join(', ')}`;
}

/** Throws UsageError where no profile may hold the setting. */
export function requireBundled(name: SettingName): void {
  if (isBundled(name)) return;
  throw new UsageError(`${name} doesn't belong to a profile: it is the same for all`, {
    hint: `A profile holds ${BUNDLED.join(', ')} and a token. Leave out --profile.`,
  });
}

/** The stored profiles by name. For a checked file only. */
export function readProfiles(config: StoredConfig): Readonly<Record<string, StoredConfig>> {
  return (config['profiles'] ?? {}) as Readonly<Record<string, StoredConfig>>;
}

/** Throws UsageError that names the file and what in it cannot be read. */
export function checkProfiles(config: StoredConfig, path: string): void {
  const { profiles = {}, [DEFAULT_KEY]: used } = config;
  if (used !== undefined && typeof used !== 'string') {
    throw new UsageError(`${path}: '${DEFAULT_KEY}' must be a string`, { hint: 'Choose another one with auth use.' });
  }
  if (!isObject(profiles)) throw new UsageError(`${path}: 'profiles' must be an object`, { hint: FORM });
  for (const [name, settings] of Object.entries(profiles)) {
    const place = `${path}: the profile '${name}'`;
    if (!isObject(settings)) throw new UsageError(`${place} must be an object`, { hint: FORM });
    for (const bundled of BUNDLED) {
      const value = settings[findSetting(bundled).name];
      if (value !== undefined) loadSetting(bundled, value, place);
    }
  }
}

// Throws UsageError for a name that cannot be a key of the file and a word of a command line.
function checkName(name: string, source: string): void {
  if (/^[a-z0-9][a-z0-9._-]{0,63}$/i.test(name) && name !== UNNAMED) return;
  throw new UsageError(
    name === UNNAMED
      ? `${source}: ${UNNAMED} is what is stored without a name`
      : `${source} '${name}' is not a profile name`,
    {
      hint:
        name === UNNAMED
          ? 'Choose another name.'
          : 'Use up to 64 letters, digits, dots, hyphens and underscores, beginning with a letter or digit.',
    },
  );
}

/** A host as the name of a profile. */
export function toProposal(host: string): string {
  return host
    .replace(/[^a-z0-9.-]+/gi, '-')
    .replace(/^[^a-z0-9]+/i, '')
    .slice(0, 64);
}

/** How its settings are named in a sentence: `settings --profile work`. */
export function toSettings(profile: string | undefined): string {
  return profile === undefined ? 'settings' : `settings --profile ${profile}`;
}
