import { UsageError } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json.ts';
import { type Environment, readVariable } from '../lib/runtime.ts';
import { suggest } from '../lib/text.ts';
import {
  formatStored,
  parseHost,
  parseProfileName,
  SETTINGS,
  type Setting,
  type SettingName,
  type SettingValue,
} from './settings.ts';
import type { Config } from './store.ts';

/** A value and its source: `--org`, `ORGCTL_ORG`, `config.json`, `profile work`, `default`. */
interface Sourced<Value> {
  value: Value;
  source: string;
}

export type Settings = { [Name in SettingName]: Sourced<SettingValue<Name>> };

/** Settings under one name. Without a name, they are at the top of `config.json`. */
export interface Profile {
  name: string | undefined;
  /** The source of the name. An option goes before the environment, everything else after it. */
  source: '--profile' | 'ORGCTL_PROFILE' | 'config.json';
  settings: JsonObject;
  isNew: boolean;
}

export const DEFAULT_PROFILE = 'default';
export const DEFAULT_SOURCE = 'default';

export function findProfile(option: string | undefined, env: Environment, config: Config): Profile {
  const given: [string | undefined, Profile['source']][] = [
    [option, '--profile'],
    [readVariable(env, 'ORGCTL_PROFILE'), 'ORGCTL_PROFILE'],
  ];
  const [name, source] = given.find(([text]) => text !== undefined) ?? [config.profile, 'config.json'];
  if (name === undefined || name === DEFAULT_PROFILE)
    return { name: undefined, source, settings: config, isNew: false };
  parseProfileName(name, source);
  const settings = config.profiles?.[name];
  return { name, source, settings: settings ?? {}, isNew: settings === undefined };
}

export function assertProfileExists({ name, source, isNew }: Profile, config: Config): void {
  if (!isNew) return;
  const known = listProfiles(config);
  const from = source === '--profile' ? '' : ` (from ${source})`;
  throw new UsageError(`no profile named '${name}'${from}`, {
    hint:
      suggest(name ?? '', known) ??
      `Profiles: ${known.join(', ')}. Run orgctl auth login --profile ${name} to create it.`,
  });
}

export function listProfiles(config: Config): string[] {
  return [DEFAULT_PROFILE, ...Object.keys(config.profiles ?? {})];
}

/**
 * The first of these counts: option, profile named by --profile, environment, default profile, built-in default. With
 * --sandbox the settings of real services count only as options. Throws UsageError for a wrong value that counts.
 */
export function resolveSettings(input: {
  options: Record<string, unknown>;
  env: Environment;
  config: Config;
  profile: Profile;
}): Settings {
  const { options, env, config, profile } = input;
  const entries = SETTINGS.map((setting) => {
    const { name, inProfile = false, ofService = false } = setting;
    const option = () => readOption(setting, options);
    const variable = () => readEnvironment(setting, env);
    const stored = () =>
      inProfile && profile.name !== undefined
        ? readStored(setting, profile.settings, `profile ${profile.name}`)
        : readStored(setting, config, 'config.json');
    const isProfileFirst = inProfile && profile.source === '--profile';
    const below = isProfileFirst ? [stored, variable] : [variable, stored];
    const readers = (ofService || inProfile) && options.sandbox ? [option] : [option, ...below];
    for (const read of readers) {
      const found = read();
      if (found) return [name, found] as const;
    }
    return [name, readDefault(setting)] as const;
  });
  return Object.fromEntries(entries) as unknown as Settings;
}

function readOption(setting: Setting, options: Record<string, unknown>): Sourced<unknown> | undefined {
  const { name, type } = setting;
  if (name === 'base-url' && options.host !== undefined) {
    if (options.baseUrl !== undefined) throw new UsageError('use --base-url or --host, not both');
    return { value: parseHost(String(options.host), '--host'), source: '--host' };
  }
  const given = options[name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
  if (name === 'no-input' || name === 'no-color') {
    const isOff = (name === 'no-input' ? options.input : options.color) === false;
    return isOff ? { value: true, source: `--${name}` } : undefined;
  }
  if (given === undefined) return undefined;
  const value =
    type === 'boolean' ? given : setting.parse(Array.isArray(given) ? given.join('\n') : String(given), `--${name}`);
  return { value, source: `--${name}` };
}

function readEnvironment({ env: variables = [], parse, parseEnv = {} }: Setting, env: Environment) {
  for (const variable of variables) {
    const text = readVariable(env, variable);
    const value = text === undefined ? undefined : (parseEnv[variable] ?? parse)(text, variable);
    if (value !== undefined) return { value, source: variable };
  }
  return undefined;
}

function readStored(setting: Setting, settings: JsonObject, source: string): Sourced<unknown> | undefined {
  const stored = settings[setting.name];
  if (stored === undefined) return undefined;
  return { value: setting.parse(formatStored(setting, stored, source), `${source}: '${setting.name}'`), source };
}

function readDefault({ name, parse, default: value }: Setting): Sourced<unknown> {
  if (value === undefined) return { value, source: 'not set' };
  return { value: typeof value === 'string' ? parse(value, name) : value, source: DEFAULT_SOURCE };
}
