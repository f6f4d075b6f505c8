import { UsageError } from '../lib/errors.ts';
import { parseCommand } from '../lib/exec.ts';
import { suggest } from '../lib/text.ts';
import { parseTimeout } from '../lib/time.ts';
import { FORMAT_NAMES, type FormatName } from '../output/formats.ts';

const DEFAULT_HOST = 'app.terraform.io';
/** Where the API lies below a host name (facts: every edition of the service has it there). */
const API_PATH = '/api/v2';
const MAX_RETRIES = 100;

export interface SettingValues {
  profile?: string;
  'base-url': string;
  org?: string;
  'token-command'?: string;
  output?: FormatName;
  'no-color': boolean;
  accessible: boolean;
  'no-input': boolean;
  quiet: boolean;
  debug: boolean;
  'read-only': boolean;
  /** Milliseconds. */
  timeout: number;
  'max-retries': number;
  'ca-file'?: string;
  'client-cert'?: string;
  'client-key'?: string;
  'insecure-skip-tls-verify': boolean;
  'allow-http': string[];
  to: string[];
  expires?: string;
}

export type SettingName = keyof SettingValues;
export type StoredValue = string | number | boolean | string[];

export interface Setting {
  name: SettingName;
  description: string;
  /** How `config.json` keeps it. */
  type: 'text' | 'number' | 'boolean' | 'list';
  /** Throws UsageError. `source` names where the text stands. */
  parse(text: string, source: string): string | number | boolean | string[];
  /** The first variable that is set counts. */
  env?: string[];
  /** Variables that are written in another form than the option. Undefined leaves it to the next one. */
  parseEnv?: Record<string, (text: string, source: string) => string | boolean | undefined>;
  default?: StoredValue;
  /** A profile has its own. */
  inProfile?: boolean;
  /** Describes a real service: with --sandbox only the option counts. */
  ofService?: boolean;
}

/** Every setting, named like its long option. A new one is one row. */
export const SETTINGS: Setting[] = [
  { name: 'profile', description: 'Default profile', type: 'text', parse: parseProfileName, env: ['ORGCTL_PROFILE'] },
  {
    name: 'base-url',
    description: 'Address of the API',
    type: 'text',
    parse: parseBaseUrl,
    env: ['ORGCTL_BASE_URL', 'TFE_ADDRESS', 'TFE_HOSTNAME', 'TF_CLOUD_HOSTNAME'],
    parseEnv: { TFE_ADDRESS: parseAddress, TFE_HOSTNAME: parseHost, TF_CLOUD_HOSTNAME: parseHost },
    default: `https://${DEFAULT_HOST}${API_PATH}`,
    inProfile: true,
    ofService: true,
  },
  {
    name: 'org',
    description: 'Organization',
    type: 'text',
    parse: parseText,
    env: ['ORGCTL_ORG', 'TFE_ORGANIZATION', 'TF_CLOUD_ORGANIZATION'],
    inProfile: true,
    ofService: true,
  },
  {
    name: 'token-command',
    description: 'Command that prints the token',
    type: 'text',
    parse: (text, source) => {
      parseCommand(text, source, 'linux');
      return text.trim();
    },
    inProfile: true,
    ofService: true,
  },
  { name: 'output', description: 'Output format', type: 'text', parse: parseFormat, env: ['ORGCTL_OUTPUT'] },
  {
    name: 'no-color',
    description: 'No colours',
    type: 'boolean',
    parse: parseFlag,
    env: ['FORCE_COLOR', 'NO_COLOR'],
    parseEnv: { FORCE_COLOR: (text) => text === '0' || text === 'false', NO_COLOR: () => true },
    default: false,
  },
  {
    name: 'accessible',
    description: 'No spinner and no symbols, one labelled line per field',
    type: 'boolean',
    parse: parseFlag,
    env: ['ORGCTL_ACCESSIBLE'],
    default: false,
  },
  {
    name: 'no-input',
    description: 'Never prompt',
    type: 'boolean',
    parse: parseFlag,
    env: ['ORGCTL_NO_INPUT'],
    default: false,
  },
  { name: 'quiet', description: 'Print errors and data alone', type: 'boolean', parse: parseFlag, default: false },
  { name: 'debug', description: 'Print every HTTP exchange', type: 'boolean', parse: parseFlag, default: false },
  {
    name: 'read-only',
    description: 'Refuse every write',
    type: 'boolean',
    parse: parseFlag,
    env: ['ORGCTL_READ_ONLY'],
    default: false,
  },
  { name: 'timeout', description: 'Longest time for a request', type: 'text', parse: parseTimeout, default: '30s' },
  {
    name: 'max-retries',
    description: 'How often a request is retried',
    type: 'number',
    parse: parseRetries,
    default: 4,
  },
  {
    name: 'ca-file',
    description: 'Certificate authority (PEM)',
    type: 'text',
    parse: parseText,
    env: ['ORGCTL_CA_FILE'],
    ofService: true,
  },
  {
    name: 'client-cert',
    description: 'Client certificate (PEM)',
    type: 'text',
    parse: parseText,
    env: ['ORGCTL_CLIENT_CERT'],
    ofService: true,
  },
  {
    name: 'client-key',
    description: "The client certificate's key (PEM)",
    type: 'text',
    parse: parseText,
    env: ['ORGCTL_CLIENT_KEY'],
    ofService: true,
  },
  {
    name: 'insecure-skip-tls-verify',
    description: "Don't check certificates",
    type: 'boolean',
    parse: parseFlag,
    default: false,
    ofService: true,
  },
  {
    name: 'allow-http',
    description: 'Hosts that plain http is allowed to',
    type: 'list',
    parse: parseHosts,
    default: [],
    ofService: true,
  },
  {
    name: 'to',
    description: 'Where a rotation delivers the new secret',
    type: 'list',
    parse: parsePlaces,
    default: [],
    inProfile: true,
    ofService: true,
  },
  {
    name: 'expires',
    description: 'When a rotated token expires',
    type: 'text',
    parse: parseText,
    inProfile: true,
    ofService: true,
  },
];

/** Throws UsageError. */
export function findSetting(name: string): Setting {
  const setting = SETTINGS.find((known) => known.name === name);
  if (setting) return setting;
  if (name === 'token') throw new UsageError('the token is not a setting', { hint: 'See `orgctl auth status`.' });
  const names = SETTINGS.map((known) => known.name);
  throw new UsageError(`unknown setting '${name}'`, { hint: suggest(name, names) ?? 'See `orgctl settings list`.' });
}

/** What `config.json` has, as text. Throws UsageError for a value of another type. */
export function formatStored({ name, type }: Setting, stored: unknown, source: string): string {
  const isList = Array.isArray(stored) && stored.every((item) => typeof item === 'string');
  if (type === 'list' ? isList : typeof stored === (type === 'text' ? 'string' : type)) {
    return isList ? stored.join('\n') : String(stored);
  }
  const expected = { text: 'a string', number: 'a number', boolean: 'true or false', list: 'a list of strings' }[type];
  throw new UsageError(`${source}: '${name}' must be ${expected}`, {
    hint: 'Repair the file. It was not changed.',
  });
}

/** The value of `settings set`, as `config.json` keeps it. Throws UsageError. */
export function parseStored(setting: Setting, texts: string[]): StoredValue {
  if (texts.length !== 1 && setting.type !== 'list') {
    throw new UsageError(`${setting.name} takes one value`, { hint: 'Quote a value that has spaces.' });
  }
  const text = texts.join('\n');
  const value = setting.parse(text, setting.name);
  return setting.type === 'text' ? (typeof value === 'string' ? value : text.trim()) : value;
}

/** A base URL without slashes at its end. */
function parseBaseUrl(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const problem =
    !url || !['http:', 'https:'].includes(url.protocol)
      ? 'is not an http or https URL'
      : url.username || url.password
        ? 'contains a user name or password'
        : url.search || url.hash
          ? 'has a query or a fragment'
          : undefined;
  if (!url || problem) {
    throw new UsageError(`${source} ${problem}`, { hint: `It looks like https://${DEFAULT_HOST}${API_PATH}.` });
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

export function parseHost(text: string, source: string): string {
  const host = text.trim();
  if (!/^(\[[0-9a-f:.]+\]|[^\s/@?#\\:]+)(:\d+)?$/i.test(host) || !URL.canParse(`https://${host}`)) {
    throw new UsageError(`${source} is not a host name`, {
      hint: `Give the name alone, like ${DEFAULT_HOST}, or use --base-url.`,
    });
  }
  return new URL(`https://${host}`).origin + API_PATH;
}

/** Without a path it means the usual one, as in go-tfe. */
export function parseAddress(text: string, source: string): string {
  const url = parseBaseUrl(text, source);
  return url === new URL(url).origin ? url + API_PATH : url;
}

export function parseProfileName(text: string, source: string): string {
  if (/^[a-z0-9][a-z0-9._-]{0,63}$/i.test(text)) return text;
  throw new UsageError(`${source}: '${text}' is not a profile name`, {
    hint: 'Use up to 64 letters, digits, dots, hyphens and underscores.',
  });
}

function parseText(text: string, source: string): string {
  if (text.trim() === '') throw new UsageError(`${source} is empty`);
  return text;
}

function parseFormat(text: string, source: string): FormatName {
  const format = FORMAT_NAMES.find((name) => name === text.trim());
  if (format) return format;
  throw new UsageError(`${source}: unknown format '${text}'`, { hint: `Formats are ${FORMAT_NAMES.join(', ')}.` });
}

function parseFlag(text: string, source: string): boolean {
  const word = text.trim().toLowerCase();
  if (['1', 'true', 'yes', 'on'].includes(word)) return true;
  if (['0', 'false', 'no', 'off'].includes(word)) return false;
  throw new UsageError(`${source} must be true or false, not '${text}'`);
}

function parseRetries(text: string, source: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text.trim()) && count <= MAX_RETRIES) return count;
  throw new UsageError(`${source} must be a whole number up to ${MAX_RETRIES}, not '${text}'`);
}

function parseHosts(text: string, source: string): string[] {
  const hosts = text.split(/[\s,]+/).filter(Boolean);
  for (const host of hosts) parseHost(host, source);
  return hosts;
}

function parsePlaces(text: string, source: string): string[] {
  const places = text.split('\n');
  for (const place of places) {
    if (!/^(file:.|env-file:.+#.|exec:.|github-output:.|stdout$)/.test(place)) {
      throw new UsageError(`${source}: '${place}' is no place for a secret`, {
        hint: 'It looks like file:PATH, env-file:PATH#KEY, exec:COMMAND, github-output:NAME or stdout.',
      });
    }
  }
  return places;
}
