import { resolve } from 'node:path';
import { UsageError } from '../lib/errors.ts';
import { suggest } from '../lib/text.ts';
import { parseTimeout } from '../lib/time.ts';
import { FORMAT_NAMES } from '../output/formats.ts';
import { parsePlaces, resolvePlace } from '../places/index.ts';
import {
  DEFAULT_BASE_URL,
  parseBaseUrl,
  parseExpiry,
  parseFlag,
  parseFormat,
  parseHost,
  parseHosts,
  parseName,
  parseProfileName,
  parseRetries,
  parseServiceAddress,
  parseText,
  parseTokenCommand,
} from './parsers.ts';

export const REPAIR_HINT = 'Repair the file or move it away. It was not changed.';

export type StoredValue = string | number | boolean | string[];

interface SettingRow {
  name: string;
  /** The type in `config.json`. */
  type: 'text' | 'number' | 'boolean' | 'list';
  /** Throws UsageError. `source` names the origin of the text. */
  parse(text: string, source: string): StoredValue;
  /** The first variable that is set counts. */
  env?: readonly string[];
  /** Parsers of variables whose form differs from the option's. Undefined means that the next variable counts. */
  parseEnv?: Record<string, (text: string, source: string) => string | boolean | undefined>;
  default?: StoredValue | readonly [];
  /** For completion. */
  choices?: readonly string[];
  /** A profile may have its own value. Such a setting is `ofService` too. */
  inProfile?: boolean;
  /** How a value with a path is stored, so that it means the same in every folder. */
  toAbsolute?(text: string, cwd: string): string;
  /** The setting describes a real service, so only the option counts with --sandbox. */
  ofService?: boolean;
}

const TEXT = { type: 'text', parse: parseText } as const;
const PATH = { ...TEXT, toAbsolute: (text: string, cwd: string) => resolve(cwd, text) } as const;
const FLAG = { type: 'boolean', parse: parseFlag, default: false, choices: ['true', 'false'] } as const;

const ROWS = [
  { name: 'profile', type: 'text', parse: parseProfileName, env: ['ORGCTL_PROFILE'] },
  {
    name: 'base-url',
    type: 'text',
    parse: parseBaseUrl,
    env: ['ORGCTL_BASE_URL', 'TFE_ADDRESS', 'TFE_HOSTNAME', 'TF_CLOUD_HOSTNAME'],
    parseEnv: { TFE_ADDRESS: parseServiceAddress, TFE_HOSTNAME: parseHost, TF_CLOUD_HOSTNAME: parseHost },
    default: DEFAULT_BASE_URL,
    inProfile: true,
  },
  {
    name: 'org',
    type: 'text',
    parse: parseName,
    env: ['ORGCTL_ORG', 'TFE_ORGANIZATION', 'TF_CLOUD_ORGANIZATION'],
    inProfile: true,
  },
  { name: 'token-command', type: 'text', parse: parseTokenCommand, inProfile: true },
  { name: 'output', type: 'text', parse: parseFormat, choices: FORMAT_NAMES, env: ['ORGCTL_OUTPUT'] },
  {
    name: 'no-color',
    ...FLAG,
    env: ['FORCE_COLOR', 'NO_COLOR'],
    parseEnv: { FORCE_COLOR: (text) => text === '0' || text === 'false', NO_COLOR: () => true },
  },
  { name: 'accessible', ...FLAG, env: ['ORGCTL_ACCESSIBLE'] },
  { name: 'no-input', ...FLAG, env: ['ORGCTL_NO_INPUT'] },
  { name: 'quiet', ...FLAG },
  { name: 'debug', ...FLAG },
  { name: 'read-only', ...FLAG, env: ['ORGCTL_READ_ONLY'] },
  { name: 'timeout', type: 'text', parse: parseTimeout, default: '30s' },
  { name: 'max-retries', type: 'number', parse: parseRetries, default: 4 },
  { name: 'ca-file', ...PATH, env: ['ORGCTL_CA_FILE'], ofService: true },
  { name: 'client-cert', ...PATH, env: ['ORGCTL_CLIENT_CERT'], ofService: true },
  { name: 'client-key', ...PATH, env: ['ORGCTL_CLIENT_KEY'], ofService: true },
  { name: 'insecure-skip-tls-verify', ...FLAG, ofService: true },
  { name: 'allow-http', type: 'list', parse: parseHosts, default: [], ofService: true },
  { name: 'to', type: 'list', parse: parsePlaces, toAbsolute: resolvePlace, default: [], inProfile: true },
  { name: 'expires', type: 'text', parse: parseExpiry, inProfile: true },
] as const satisfies readonly SettingRow[];

type Row = (typeof ROWS)[number];

export type SettingName = Row['name'];

export interface Setting extends SettingRow {
  name: SettingName;
}

/** Only a setting without a default may be undefined. */
export type SettingValue<Name extends SettingName> =
  | ReturnType<Extract<Row, { name: Name }>['parse']>
  | (Extract<Row, { name: Name }> extends { default: unknown } ? never : undefined);

/** Settings are named like their long options. */
export const SETTINGS: readonly Setting[] = ROWS;

/** Throws UsageError. */
export function findSetting(name: string): Setting {
  const setting = SETTINGS.find((known) => known.name === name);
  if (setting) return setting;
  if (name === 'token') throw new UsageError('the token is not a setting', { hint: 'See `orgctl auth status`.' });
  const names = SETTINGS.map((known) => known.name);
  throw new UsageError(`unknown setting '${name}'`, { hint: suggest(name, names) ?? 'See `orgctl settings list`.' });
}

/** Formats a value of `config.json` as text. Throws UsageError for a value of another type. */
export function formatStored({ name, type }: Setting, stored: unknown, source: string): string {
  const isList = Array.isArray(stored) && stored.every((item) => typeof item === 'string');
  if (type === 'list' ? isList : typeof stored === (type === 'text' ? 'string' : type)) {
    return isList ? stored.join('\n') : String(stored);
  }
  const expected = { text: 'a string', number: 'a number', boolean: 'true or false', list: 'a list of strings' }[type];
  throw new UsageError(`${source}: '${name}' must be ${expected}`, { hint: REPAIR_HINT });
}

/** Parses the words of `settings set` to a value of `config.json`. Throws UsageError. */
export function parseStored(setting: Setting, texts: string[], cwd: string): StoredValue {
  const { name, type, parse, toAbsolute = (text: string) => text } = setting;
  if (texts.length !== 1 && type !== 'list') {
    throw new UsageError(`${name} takes one value`, { hint: 'Quote a value that has spaces.' });
  }
  const text = texts.join('\n');
  const value = parse(text, name);
  if (Array.isArray(value)) return value.map((item) => toAbsolute(item, cwd));
  if (type !== 'text') return value;
  return toAbsolute(typeof value === 'string' ? value : text.trim(), cwd);
}
