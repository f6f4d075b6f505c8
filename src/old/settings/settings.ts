import { UsageError } from '../errors.ts';
import { parseWholeNumber } from '../input/whole-number.ts';
import { FORMAT_NAMES, type FormatName } from '../stdout/formats/index.ts';
import { splitWords } from '../subprocess/split-words.ts';
import { askMeant, findNear } from '../text/near.ts';
import { withoutTrailingSlashes } from '../trailing-slashes.ts';
import { DAY, HOUR, MINUTE, parseDuration, parseWait, SECOND } from '../when.ts';
import { API_PATH } from '../wire/json-api.ts';
import { DEFAULTS } from './defaults.ts';

/** The settings, as data: resolving, storing, listing and help all read this table. Named like the long options. */

type Kind =
  | 'url'
  | 'text'
  | 'path'
  | 'texts'
  | 'command'
  | 'format'
  | 'duration'
  | 'lifetime'
  | 'count'
  | 'flag'
  | 'hosts';

const TABLE = [
  {
    name: 'base-url',
    kind: 'url',
    description: 'Address of the API',
    environment: ['ORGCTL_BASE_URL', 'TFE_ADDRESS', 'TFE_HOSTNAME', 'TF_CLOUD_HOSTNAME'],
    isOfService: true,
  },
  {
    name: 'org',
    kind: 'text',
    description: 'Organization',
    environment: ['ORGCTL_ORG', 'TFE_ORGANIZATION', 'TF_CLOUD_ORGANIZATION'],
    isOfService: true,
  },
  {
    name: 'token-command',
    kind: 'command',
    description: 'Command that prints the token, in place of a stored one',
    environment: [],
    isOfService: true,
  },
  { name: 'output', kind: 'format', description: 'Output format', environment: ['ORGCTL_OUTPUT'] },
  {
    name: 'no-color',
    kind: 'flag',
    description: 'No colours; FORCE_COLOR and CLICOLOR_FORCE force them',
    environment: ['FORCE_COLOR', 'NO_COLOR', 'CLICOLOR_FORCE', 'CLICOLOR'],
  },
  {
    name: 'accessible',
    kind: 'flag',
    description: 'For screen readers: labelled lines, no animation, no symbols',
    environment: ['ORGCTL_ACCESSIBLE'],
  },
  { name: 'no-input', kind: 'flag', description: 'Never prompt', environment: ['ORGCTL_NO_INPUT'] },
  { name: 'quiet', kind: 'flag', description: 'Print only warnings and errors on stderr', environment: [] },
  {
    name: 'debug',
    kind: 'flag',
    description: 'Print every request and answer on stderr, without secrets',
    environment: [],
  },
  { name: 'read-only', kind: 'flag', description: 'Refuse every write', environment: ['ORGCTL_READ_ONLY'] },
  { name: 'timeout', kind: 'duration', description: 'Longest time for one request', environment: [] },
  {
    name: 'max-retries',
    kind: 'count',
    description: 'How often a request is sent again, where that is safe',
    environment: [],
  },
  {
    name: 'ca-file',
    kind: 'path',
    description: 'Trust this certificate authority too (a PEM file)',
    environment: ['ORGCTL_CA_FILE'],
    isOfService: true,
  },
  {
    name: 'client-cert',
    kind: 'path',
    description: 'A client certificate for the service (a PEM file)',
    environment: ['ORGCTL_CLIENT_CERT'],
    isOfService: true,
  },
  {
    name: 'client-key',
    kind: 'path',
    description: 'The private key of the client certificate (a PEM file that only you can read)',
    environment: ['ORGCTL_CLIENT_KEY'],
    isOfService: true,
  },
  {
    name: 'insecure-skip-tls-verify',
    kind: 'flag',
    description: "Don't check certificates",
    environment: [],
    isOfService: true,
  },
  {
    name: 'allow-http',
    kind: 'hosts',
    description: 'Hosts that plain http is allowed to',
    environment: [],
    isOfService: true,
  },
  {
    name: 'to',
    kind: 'texts',
    description: 'Where a rotation delivers the new secret',
    environment: [],
    isOfService: true,
  },
  {
    name: 'expires',
    kind: 'text',
    description: 'When the new token of a rotation expires',
    environment: [],
    isOfService: true,
  },
  {
    name: 'max-expires',
    kind: 'lifetime',
    description: 'The longest time that a new audit trail token may be valid',
    environment: [],
  },
] as const;

type Row = (typeof TABLE)[number];
export type SettingName = Row['name'];

export interface Setting {
  readonly name: SettingName;
  readonly kind: Kind;
  readonly description: string;
  /** Environment variables; the first that is set counts. */
  readonly environment: readonly string[];
  /** Says of a real service where it is, who asks, or what becomes of its secrets: with --sandbox only an option counts. */
  readonly isOfService?: true;
}

export const SETTINGS: readonly Setting[] = Object.freeze(TABLE);

export const UNUSED_BY_SANDBOX: readonly SettingName[] = SETTINGS.flatMap(({ name, isOfService = false }) =>
  isOfService ? [name] : [],
);

const MOST_RETRIES = 100;

interface Values {
  readonly url: string;
  readonly text: string;
  readonly path: string;
  /** Its words, as a shell would split them. */
  readonly command: string;
  readonly format: FormatName;
  /** Milliseconds. */
  readonly duration: number;
  /** As written: months and years differ by when they begin. */
  readonly lifetime: string;
  readonly count: number;
  readonly flag: boolean;
  readonly hosts: readonly string[];
  readonly texts: readonly string[];
}

export type SettingValue<Name extends SettingName> = Values[Extract<Row, { readonly name: Name }>['kind']];
/** `config.json`, read and checked. Names that are no setting are kept and ignored. */
export type StoredConfig = Readonly<Record<string, unknown>>;
export type StoredValue = string | number | boolean | readonly string[];

/** Throws UsageError with the known names. */
export function findSetting(name: string): Setting {
  const setting = SETTINGS.find((known) => known.name === name);
  if (setting !== undefined) return setting;
  if (name === 'token') {
    throw new UsageError('the token is not a setting', {
      hint: 'For where it comes from, see:',
      next: [['orgctl', 'auth', 'status']],
    });
  }
  const names = SETTINGS.map((known) => known.name);
  const meant = askMeant(findNear(name, names));
  throw new UsageError(`unknown setting: ${name}`, {
    hint: meant ?? 'See all of them:',
    ...(meant === undefined ? { next: [['orgctl', 'settings', 'list']] } : {}),
  });
}

/** Throws UsageError with the known names. */
export function toSettingName(text: string): SettingName {
  return findSetting(text).name;
}

/** The value a text means. `source` names where the text stands when it cannot be read. */
export function parseValue<Name extends SettingName>(name: Name, text: string, source: string): SettingValue<Name> {
  return PARSERS[findSetting(name).kind](text, source) as SettingValue<Name>;
}

/** The value of `settings set`, in the form `config.json` keeps. Only lists take several texts. Throws UsageError. */
export function parseSetting(name: SettingName, ...texts: readonly string[]): StoredValue {
  if (texts.length > 1 && !['hosts', 'texts'].includes(findSetting(name).kind)) {
    throw new UsageError(`${name} takes one value, not ${texts.length}`, {
      hint: 'Put a value with spaces between quotes.',
    });
  }
  const text = texts.join(BETWEEN);
  const value: Values[Kind] = parseValue(name, text, name);
  return findSetting(name).kind === 'duration' ? text.trim() : value;
}

/** The value of a stored setting. Throws UsageError naming `file` and the setting. */
export function loadSetting<Name extends SettingName>(name: Name, stored: unknown, file: string): SettingValue<Name> {
  const { type, isStored } = STORED_AS[findSetting(name).kind];
  if (!isStored(stored)) {
    throw new UsageError(`${file}: '${name}' must be ${type}`, {
      hint: `Store another value with settings set ${name}, or edit the file.`,
    });
  }
  return parseValue(name, Array.isArray(stored) ? stored.join(BETWEEN) : String(stored), `${file}: '${name}'`);
}

export function toSettingText(name: SettingName, value: string | number | boolean | readonly string[]): string {
  if (typeof value === 'number' && findSetting(name).kind === 'duration') return toDurationText(value);
  return Array.isArray(value) ? value.join(findSetting(name).kind === 'texts' ? BETWEEN : ',') : String(value);
}

/** What stands between the texts of a list: nothing that a host or the place of a secret could hold. */
const BETWEEN = '\n';

/** A base URL as written, without slashes at its end. */
export function parseBaseUrl(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const fault =
    url === undefined || !['http:', 'https:'].includes(url.protocol) || url.host === ''
      ? 'is not an http or https URL'
      : url.username !== '' || url.password !== ''
        ? 'contains a user name or password'
        : /[?#]/.test(text)
          ? 'has a query or a fragment'
          : undefined;
  // A URL with a password is not repeated.
  if (url === undefined || fault !== undefined) {
    const meant = `https://${text}${API_PATH}`;
    const isHost = text.includes('.') && URL.canParse(meant) && new URL(meant).host === text;
    const hint = isHost ? `Did you mean ${meant}?` : `It looks like https://${DEFAULTS.host}${API_PATH}.`;
    throw new UsageError(`${source} ${fault}`, { hint });
  }
  return `${url.origin}${withoutTrailingSlashes(url.pathname)}`;
}

export function parseHost(text: string, source: string): string {
  const host = text.trim();
  if (!/^(\[[0-9a-f:.]+\]|[^\s/@?#\\:]+)(:\d+)?$/i.test(host) || !URL.canParse(`https://${host}`)) {
    const meant = /^https?:/i.test(host) && URL.canParse(host) ? new URL(host).host : '';
    // Before @ stands a password.
    const named = host.includes('@') && host.includes(':') ? source : `${source} '${text}'`;
    throw new UsageError(`${named} is not a host name`, {
      hint: `${meant === '' ? '' : `Did you mean ${meant}? `}Give the name alone, like ${DEFAULTS.host}, or use --base-url.`,
    });
  }
  return new URL(`https://${host}`).origin + API_PATH;
}

function parseFlag(text: string, source: string): boolean {
  const word = text.trim().toLowerCase();
  if (['1', 'true', 'yes', 'on'].includes(word)) return true;
  if (['0', 'false', 'no', 'off'].includes(word)) return false;
  throw new UsageError(`${source} must be true or false, not '${text}'`, { hint: 'Write true or false.' });
}

function parseText(text: string, source: string): string {
  if (text.trim() === '') throw createEmptyError(source);
  return text;
}

function createEmptyError(source: string): UsageError {
  return new UsageError(`${source} is empty`, { hint: 'Give a value, or leave it out.' });
}

const PARSERS: { readonly [Name in Kind]: (text: string, source: string) => Values[Name] } = {
  url: parseBaseUrl,
  text: parseText,
  path: parseText,
  texts(text, source) {
    const texts = text.split(BETWEEN);
    if (texts.some((each) => each.trim() === '')) throw createEmptyError(source);
    return texts;
  },
  command(text, source) {
    splitWords(text, source);
    return text.trim();
  },
  format(text, source) {
    const format = FORMAT_NAMES.find((known) => known === text.trim());
    if (format !== undefined) return format;
    throw new UsageError(`${source}: unknown format '${text}'`, {
      hint: `Formats are ${FORMAT_NAMES.join(', ')}.`,
    });
  },
  duration: parseWait,
  lifetime(text, source) {
    parseDuration(text, source);
    return text.trim();
  },
  count(text, source) {
    return parseWholeNumber(text, { name: source, to: MOST_RETRIES, hint: '0 sends every request once.' });
  },
  flag: parseFlag,
  hosts(text, source) {
    const hosts = text.split(/[\s,]+/).filter((host) => host !== '');
    for (const host of hosts) parseHost(host, source);
    return hosts;
  },
};

interface StoredForm {
  readonly type: string;
  readonly isStored: (value: unknown) => boolean;
}

const STRING: StoredForm = { type: 'a string', isStored: (value) => typeof value === 'string' };
const STRINGS: StoredForm = {
  type: 'a list of strings',
  isStored: (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
};
const STORED_AS: Readonly<Record<Kind, StoredForm>> = {
  url: STRING,
  text: STRING,
  path: STRING,
  command: STRING,
  format: STRING,
  duration: STRING,
  lifetime: STRING,
  count: { type: 'a number', isStored: (value) => typeof value === 'number' },
  flag: { type: 'true or false', isStored: (value) => typeof value === 'boolean' },
  hosts: STRINGS,
  texts: STRINGS,
};

/** In the largest unit that loses nothing. */
function toDurationText(milliseconds: number): string {
  const units = [
    ['d', DAY],
    ['h', HOUR],
    ['m', MINUTE],
    ['s', SECOND],
  ] as const;
  const [unit, size] = units.find(([, length]) => milliseconds % length === 0) ?? ['ms', 1];
  return `${milliseconds / size}${unit}`;
}
