import { resolve } from 'node:path';
import { UsageError } from '../lib/errors.ts';
import { parseCommand } from '../lib/exec.ts';
import { assertVisible } from '../lib/input-text.ts';
import { isSameName, suggest } from '../lib/text.ts';
import { parseTimeout, parseWhen, parseWholeNumber } from '../lib/time.ts';
import { FORMAT_NAMES, type FormatName } from '../output/formats.ts';
import { parsePlaces, resolvePlace } from '../places/index.ts';

export const REPAIR_HINT = 'Repair the file or move it away. It was not changed.';

export type StoredValue = string | number | boolean | string[];

interface SettingRow {
  name: string;
  type: 'text' | 'number' | 'boolean' | 'list';
  /** Throws UsageError. `source` names the origin of the text. */
  parse(text: string, source: string): StoredValue;
  env?: readonly string[];
  /** Parsers of variables whose form differs from the option's. Undefined means that the next variable counts. */
  parseEnv?: Record<string, (text: string, source: string) => string | boolean | undefined>;
  default?: StoredValue | readonly [];
  choices?: readonly string[];
  /** A profile may have its own value. Such a setting is `ofService` too. */
  inProfile?: boolean;
  /** How a value with a path is stored, so that it means the same in every folder. */
  toAbsolute?(text: string, cwd: string): string;
  /** The setting describes a real service, so only the option counts with --sandbox. */
  ofService?: boolean;
}

const DEFAULT_HOST = 'app.terraform.io';
/** The API's path below a host name (facts: in every edition of the service). */
const API_PATH = '/api/v2';
const DEFAULT_BASE_URL = `https://${DEFAULT_HOST}${API_PATH}`;

const TEXT = { type: 'text', parse: parseNonEmpty } as const;
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
    parse: (text, source) => parseOrgs(text, source).join(),
    env: ['ORGCTL_ORG', 'TFE_ORGANIZATION', 'TF_CLOUD_ORGANIZATION'],
    inProfile: true,
  },
  {
    name: 'token-command',
    type: 'text',
    parse(text, source) {
      parseCommand(text, source, 'linux');
      return text.trim();
    },
    inProfile: true,
  },
  {
    name: 'output',
    type: 'text',
    parse(text, source): FormatName {
      const format = FORMAT_NAMES.find((name) => name === text.trim());
      if (format) return format;
      throw new UsageError(`${source}: unknown format '${text}'`, { hint: `Formats are ${FORMAT_NAMES.join(', ')}.` });
    },
    choices: FORMAT_NAMES,
    env: ['ORGCTL_OUTPUT'],
  },
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
  {
    name: 'max-retries',
    type: 'number',
    parse: (text, name) => parseWholeNumber(text, name, { max: 100 }),
    default: 4,
  },
  { name: 'ca-file', ...PATH, env: ['ORGCTL_CA_FILE'], ofService: true },
  { name: 'client-cert', ...PATH, env: ['ORGCTL_CLIENT_CERT'], ofService: true },
  { name: 'client-key', ...PATH, env: ['ORGCTL_CLIENT_KEY'], ofService: true },
  { name: 'insecure-skip-tls-verify', ...FLAG, ofService: true },
  { name: 'allow-http', type: 'list', parse: parseHosts, default: [], ofService: true },
  { name: 'to', type: 'list', parse: parsePlaces, toAbsolute: resolvePlace, default: [], inProfile: true },
  {
    name: 'expires',
    type: 'text',
    // A duration counts from the rotation, so the text is kept.
    parse(text, source) {
      if (text !== 'never') parseWhen(text, 0, 1, source);
      return text;
    },
    inProfile: true,
  },
] as const satisfies readonly SettingRow[];

type Row = (typeof ROWS)[number];

export type SettingName = Row['name'];

export interface Setting extends SettingRow {
  name: SettingName;
}

export type SettingValue<Name extends SettingName> =
  | ReturnType<Extract<Row, { name: Name }>['parse']>
  | (Extract<Row, { name: Name }> extends { default: unknown } ? never : undefined);

export const SETTINGS: readonly Setting[] = ROWS;

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

function parseBaseUrl(text: string, source: string): string {
  assertVisible(text, source);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const problem = findProblem(url);
  if (!url || problem) {
    throw new UsageError(`${source} ${problem}`, { hint: `It must look like ${DEFAULT_BASE_URL}.` });
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

function findProblem(url: URL | undefined): string | undefined {
  if (!url || !['http:', 'https:'].includes(url.protocol)) return 'is not an http or https URL';
  if (url.username || url.password) return 'contains a user name or password';
  return url.search || url.hash ? 'has a query or a fragment' : undefined;
}

export function parseHost(text: string, source: string): string {
  assertVisible(text, source);
  const host = text.trim();
  if (!/^(\[[0-9a-f:.]+\]|[^\s/@?#\\:]+)(:\d+)?$/i.test(host) || !URL.canParse(`https://${host}`)) {
    throw new UsageError(`${source} is not a host name`, {
      hint: `Give only the name, like ${DEFAULT_HOST}, or use --base-url.`,
    });
  }
  return new URL(`https://${host}`).origin + API_PATH;
}

/** An address without a path gets the usual one, as in go-tfe. */
export function parseServiceAddress(text: string, source: string): string {
  const url = parseBaseUrl(text, source);
  return url === new URL(url).origin ? url + API_PATH : url;
}

export function parseProfileName(text: string, source: string): string {
  if (/^[a-z0-9][a-z0-9._-]{0,63}$/i.test(text)) return text;
  throw new UsageError(`${source}: '${text}' is not a profile name`, {
    hint: 'Use up to 64 letters, digits, dots, hyphens and underscores.',
  });
}

function parseNonEmpty(text: string, source: string): string {
  if (text.trim() === '') throw new UsageError(`${source} is empty`);
  return text;
}

function parseFlag(text: string, source: string): boolean {
  const word = text.trim().toLowerCase();
  if (['1', 'true', 'yes', 'on'].includes(word)) return true;
  if (['0', 'false', 'no', 'off'].includes(word)) return false;
  throw new UsageError(`${source} must be true or false, not '${text}'`);
}

function parseHosts(text: string, source: string): string[] {
  const hosts = text.split(/[\s,]+/).filter(Boolean);
  for (const host of hosts) parseHost(host, source);
  return hosts;
}

/** Parses `a,b`, and drops repeated names. Throws UsageError. */
export function parseOrgs(text: string, source: string): string[] {
  const names = text.split(',').map((name) => {
    assertVisible(name, source);
    return name.trim();
  });
  if (names.includes('')) throw new UsageError(`${source} has an empty name`);
  for (const name of names) {
    if (!/^[\p{L}\p{N}_-]+$/u.test(name)) throw new UsageError(`${source}: '${name}' is not an organization name`);
  }
  return names.filter((name, at) => names.findIndex((other) => isSameName(other, name)) === at);
}
