import { UsageError } from '../errors.ts';
import { parseWait } from '../when.ts';
import { API_PATH } from '../wire/json-api.ts';
import { DEFAULTS } from './defaults.ts';
import { type Environment, readVariable } from './environment.ts';
import { CONFIG_FILE, isBundled, type Profile, UNNAMED } from './profile.ts';
import {
  findSetting,
  loadSetting,
  parseBaseUrl,
  parseHost,
  parseValue,
  SETTINGS,
  type SettingName,
  type SettingValue,
  type StoredConfig,
  toSettingText,
} from './settings.ts';

/**
 * Which value of a setting counts, and where it came from: option, then the profile named by --profile, then environment,
 * then the profile named by ORGCTL_PROFILE or else the default one, then the built-in default.
 */

/** As they were written. A flag that was not given is undefined; `input` and `color` are then true. */
export interface SettingOptions {
  readonly baseUrl?: string | undefined;
  readonly host?: string | undefined;
  readonly profile?: string | undefined;
  readonly org?: string | undefined;
  readonly output?: string | undefined;
  readonly timeout?: string | undefined;
  readonly maxRetries?: string | undefined;
  readonly caFile?: string | undefined;
  readonly clientCert?: string | undefined;
  readonly clientKey?: string | undefined;
  readonly allowHttp?: readonly string[] | undefined;
  readonly quiet?: boolean | undefined;
  readonly debug?: boolean | undefined;
  readonly insecureSkipTlsVerify?: boolean | undefined;
  readonly input?: boolean | undefined;
  readonly color?: boolean | undefined;
  readonly accessible?: boolean | undefined;
}

/** A value and where it came from, such as `--org`, `ORGCTL_ORG`, `config.json` or `built-in default`. */
interface Effective<Value> {
  readonly value: Value;
  readonly source: string;
}

/** Settings with nothing built in may have no value. */
type Optional =
  | 'org'
  | 'token-command'
  | 'output'
  | 'ca-file'
  | 'client-cert'
  | 'client-key'
  | 'to'
  | 'expires'
  | 'max-expires';

export type Settings = {
  readonly [Name in SettingName]: Effective<SettingValue<Name> | (Name extends Optional ? undefined : never)>;
};

export interface SettingsInput {
  readonly options: SettingOptions;
  readonly env: Environment;
  readonly config: StoredConfig;
  readonly profile: Profile | undefined;
}

export const BUILT_IN = 'built-in default';
export const NOT_SET = 'not set';

/** Throws UsageError for a value that counts and cannot be read. The others are not looked at. */
export function resolveSettings({ options, env, config, profile }: SettingsInput): Settings {
  function resolve<Name extends SettingName>(
    name: Name,
    option: Effective<SettingValue<Name>> | undefined,
  ): Effective<SettingValue<Name>> | undefined {
    // What a named profile leaves out is not taken from the default profile.
    const findStored = () =>
      profile === undefined || !isBundled(name) ? fromConfig(name, config) : fromProfile(name, profile);
    return isFirst && isBundled(name)
      ? (option ?? findStored() ?? fromEnvironment(name, env))
      : (option ?? fromEnvironment(name, env) ?? findStored());
  }
  const isFirst = isProfileFirst(options.profile, profile);
  const optional = { value: undefined, source: NOT_SET };
  const builtIn = <Value>(value: Value): Effective<Value> => ({ value, source: BUILT_IN });
  const no = builtIn(false);
  return {
    'base-url': resolve('base-url', fromServiceOption(options)) ?? builtIn(`https://${DEFAULTS.host}${API_PATH}`),
    org: resolve('org', fromText('org', options.org)) ?? optional,
    'token-command': resolve('token-command', undefined) ?? optional,
    output: resolve('output', fromText('output', options.output)) ?? optional,
    'no-color': resolve('no-color', fromFlag('no-color', options.color === false)) ?? no,
    accessible: resolve('accessible', fromFlag('accessible', options.accessible)) ?? no,
    'no-input': resolve('no-input', fromFlag('no-input', options.input === false)) ?? no,
    quiet: resolve('quiet', fromFlag('quiet', options.quiet)) ?? no,
    debug: resolve('debug', fromFlag('debug', options.debug)) ?? no,
    'read-only': resolve('read-only', undefined) ?? no,
    timeout:
      resolve('timeout', fromText('timeout', options.timeout)) ?? builtIn(parseWait(DEFAULTS.timeout, 'timeout')),
    'max-retries': resolve('max-retries', fromText('max-retries', options.maxRetries)) ?? builtIn(DEFAULTS.maxRetries),
    'ca-file': resolve('ca-file', fromText('ca-file', options.caFile)) ?? optional,
    'client-cert': resolve('client-cert', fromText('client-cert', options.clientCert)) ?? optional,
    'client-key': resolve('client-key', fromText('client-key', options.clientKey)) ?? optional,
    'insecure-skip-tls-verify':
      resolve('insecure-skip-tls-verify', fromFlag('insecure-skip-tls-verify', options.insecureSkipTlsVerify)) ?? no,
    'allow-http': resolve('allow-http', fromText('allow-http', options.allowHttp?.join(','))) ?? builtIn([]),
    // Their options belong to one command, which lets them count before these.
    to: resolve('to', undefined) ?? optional,
    expires: resolve('expires', undefined) ?? optional,
    'max-expires': resolve('max-expires', undefined) ?? optional,
  };
}

/** Whether the bundle in use ranks above the environment, since an option names it. */
export function isProfileFirst(named: string | undefined, profile: Profile | undefined): boolean {
  return profile === undefined ? named === UNNAMED : profile.source === '--profile';
}

/** The origin that a profile, or the default one, is stored for: its token goes nowhere else. */
export function findOwnOrigin({ config, profile }: Pick<SettingsInput, 'config' | 'profile'>): string {
  return new URL(resolveSettings({ options: {}, env: {}, config, profile })['base-url'].value).origin;
}

/** As in resolveSettings, but values that cannot be read are passed over: the error about them needs a style too. */
export function resolveMessageStyle(from: {
  readonly options: Pick<SettingOptions, 'output' | 'quiet' | 'debug' | 'accessible' | 'color'>;
  readonly env: Environment;
  readonly readConfig: () => StoredConfig;
}) {
  const { options, env, readConfig } = from;
  const config = ignoreUsageError(readConfig) ?? {};
  const given = { ...options, 'no-color': options.color === false };
  const flag = (name: 'quiet' | 'debug' | 'accessible' | 'no-color'): boolean =>
    (
      fromFlag(name, given[name]) ??
      ignoreUsageError(() => fromEnvironment(name, env)) ??
      ignoreUsageError(() => fromConfig(name, config))
    )?.value ?? false;
  const output =
    ignoreUsageError(() => fromText('output', options.output)) ??
    ignoreUsageError(() => fromEnvironment('output', env)) ??
    ignoreUsageError(() => fromConfig('output', config));
  return {
    output: output?.value,
    quiet: flag('quiet'),
    debug: flag('debug'),
    accessible: flag('accessible'),
    noColor: flag('no-color'),
  };
}

function ignoreUsageError<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

export interface SettingRow {
  readonly name: string;
  readonly value: string | number | boolean | readonly string[] | null;
  readonly source: string;
}

/** One row a setting. A duration is written as `settings set` takes it. */
export function toSettingRows(settings: Settings): readonly SettingRow[] {
  return SETTINGS.map(({ name }) => toSettingRow(settings, name));
}

export function toSettingRow(settings: Settings, name: SettingName): SettingRow {
  const { value, source } = settings[name];
  if (value === undefined) return { name, value: null, source };
  return { name, value: findSetting(name).kind === 'duration' ? toSettingText(name, value) : value, source };
}

/** One row for each proxy variable that is set, without the name and password it may hold. */
export function toProxyRows(env: Environment): readonly SettingRow[] {
  return PROXY_VARIABLES.flatMap((variable) => {
    const source = [variable, variable.toLowerCase()].find((name) => readVariable(env, name) !== undefined);
    if (source === undefined) return [];
    const text = readVariable(env, source) ?? '';
    // All that stands before the last @: a password may hold one, unescaped.
    const value = text.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1***@');
    return [{ name: variable.toLowerCase().replace('_', '-'), value, source }];
  });
}

/** The file that writes are noted in, and the row it has in the list of settings: it comes from the environment alone. */
export const LOG_FILE = 'ORGCTL_LOG_FILE';

export function toLogRows(env: Environment): readonly SettingRow[] {
  const value = readVariable(env, LOG_FILE);
  return value === undefined ? [] : [{ name: 'log-file', value, source: LOG_FILE }];
}

const PROXY_VARIABLES = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'] as const;

/** The proxy variables, written in capitals or not. */
export function resolveProxies(env: Environment): {
  readonly https: string | undefined;
  readonly http: string | undefined;
  readonly except: string | undefined;
} {
  const read = (name: string): string | undefined => readVariable(env, name) ?? readVariable(env, name.toLowerCase());
  return { https: read('HTTPS_PROXY'), http: read('HTTP_PROXY'), except: read('NO_PROXY') };
}

/** TFE_ADDRESS: without a path it means the usual one. */
export function parseAddress(text: string, source: string): string {
  const url = parseBaseUrl(text, source);
  return url === new URL(url).origin ? url + API_PATH : url;
}

function fromServiceOption({ baseUrl, host }: SettingOptions): Effective<string> | undefined {
  if (baseUrl !== undefined && host !== undefined) {
    throw new UsageError('use --base-url or --host, not both', {
      hint: '--host is short for --base-url https://<name>/api/v2.',
    });
  }
  if (host !== undefined) return { value: parseHost(host, '--host'), source: '--host' };
  return fromText('base-url', baseUrl);
}

function fromText<Name extends SettingName>(
  name: Name,
  text: string | undefined,
): Effective<SettingValue<Name>> | undefined {
  const source = `--${name}`;
  return text === undefined ? undefined : { value: parseValue(name, text, source), source };
}

function fromFlag(name: SettingName, given: boolean | undefined): Effective<boolean> | undefined {
  return given === true ? { value: true, source: `--${name}` } : undefined;
}

/** Undefined where the text decides nothing, so that the next variable does. */
type VariableParser = (text: string, source: string) => string | boolean | undefined;

/** Variables whose texts differ from those of the option. */
const VARIABLE_FORMS: Readonly<Record<string, VariableParser>> = {
  TFE_ADDRESS: parseAddress,
  TFE_HOSTNAME: parseHost,
  TF_CLOUD_HOSTNAME: parseHost,
  // Many programs share this rule: NO_COLOR with any text asks for no colours, and FORCE_COLOR overrules it.
  FORCE_COLOR: (text) => text === '0' || text === 'false',
  NO_COLOR: () => true,
  // The older pair: the first can only force colours, the second only forbid them.
  CLICOLOR_FORCE: (text) => (text === '0' ? undefined : false),
  CLICOLOR: (text) => (text === '0' ? true : undefined),
};

function fromEnvironment<Name extends SettingName>(
  name: Name,
  env: Environment,
): Effective<SettingValue<Name>> | undefined {
  for (const variable of findSetting(name).environment) {
    const text = readVariable(env, variable);
    if (text === undefined) continue;
    const parse = VARIABLE_FORMS[variable];
    const value = parse === undefined ? parseValue(name, text, variable) : parse(text, variable);
    if (value === undefined) continue;
    return { value: value as SettingValue<Name>, source: variable };
  }
  return undefined;
}

function fromConfig<Name extends SettingName>(
  name: Name,
  config: StoredConfig,
): Effective<SettingValue<Name>> | undefined {
  const stored = config[name];
  return stored === undefined ? undefined : { value: loadSetting(name, stored, CONFIG_FILE), source: CONFIG_FILE };
}

function fromProfile<Name extends SettingName>(
  name: Name,
  { name: profile, settings }: Profile,
): Effective<SettingValue<Name>> | undefined {
  const stored = settings[name];
  if (stored === undefined) return undefined;
  return { value: loadSetting(name, stored, `${CONFIG_FILE}: the profile '${profile}'`), source: toSource(profile) };
}

export function toSource(profile: string): string {
  return `profile ${profile}`;
}
