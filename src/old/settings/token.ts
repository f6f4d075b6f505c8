import { OrgctlError, UsageError } from '../errors.ts';
import type { Host } from '../host.ts';
import { without } from '../input/next-command.ts';
import { parseToken } from '../secrets/token.ts';
import type { Surroundings } from '../subprocess/find-command.ts';
import { TOKENS_PAGE } from '../wire/json-api.ts';
import { type Environment, readVariable } from './environment.ts';
import { type Profile, readProfile, readProfiles, toProposal, UNNAMED } from './profile.ts';
import { findOwnOrigin, isProfileFirst, parseAddress, type Settings, toSource } from './resolve-settings.ts';
import { parseHost } from './settings.ts';
import type { SettingsStore } from './store.ts';
import { type StoredCredentials, type StoredToken, toOrigin } from './stored-token.ts';
import { readTerraformCredentials, type TerraformCredentials } from './terraform-credentials.ts';

/** A token belongs to an origin and is never sent to another one. */

export interface TokenInput {
  readonly baseUrl: string;
  readonly env: Environment;
  readonly profile: Profile | undefined;
  /** What `--profile` names. */
  readonly named?: string | undefined;
  /** What the profile, or the default one, has in place of a stored token, and the origin that its token belongs to. */
  readonly command?: { readonly text: string; readonly origin: string } | undefined;
  /** These are called only when nothing that comes before holds a token that belongs to the service. */
  readonly readCredentials: () => StoredCredentials;
  readonly readProfileToken: (profile: string) => StoredToken | undefined;
  readonly readTerraform: () => TerraformCredentials | undefined;
}

export type TokenChoice = FoundToken | NoToken;

/** A token, or the command that prints it, which `readToken` runs. */
export type FoundToken = { readonly found: true; readonly source: string; readonly origin: string } & (
  | { readonly value: string; readonly command?: undefined }
  | { readonly command: string; readonly value?: undefined }
);

export interface NoToken {
  readonly found: false;
  /** Why each token was not used, a sentence a token; none where there is no token at all. */
  readonly reasons: readonly string[];
  /** What the tokens that were found belong to. */
  readonly origins: readonly string[];
}

/** The token for this service, from wherever this machine and its files have one. Throws like `resolveToken`. */
export function findToken(from: {
  readonly settings: Pick<Settings, 'base-url' | 'token-command'>;
  readonly profile: Profile | undefined;
  readonly named?: string | undefined;
  readonly host: Host;
  readonly store: SettingsStore;
}): TokenChoice {
  const { settings, profile, named, host, store } = from;
  const { readConfig, readCredentials, readProfileToken } = store;
  const text = settings['token-command'].value;
  return resolveToken({
    baseUrl: settings['base-url'].value,
    env: host.env,
    profile,
    named,
    command: text === undefined ? undefined : { text, origin: findOwnOrigin({ config: readConfig(), profile }) },
    readCredentials,
    readProfileToken,
    readTerraform: () => readTerraformCredentials(host),
  });
}

/** Whether a token from this source is sent to any service that is named. */
export function isForAnyService(source: string): boolean {
  return source === 'ORGCTL_TOKEN' || source === 'TFE_TOKEN';
}

/**
 * The text of a token that was found, read again from a command where one prints it. Throws `not-authenticated` where that
 * fails, and the signal's reason.
 */
export async function readToken(
  { value, command, source }: FoundToken,
  surroundings: Surroundings & { readonly signal: AbortSignal },
): Promise<string> {
  if (value !== undefined) return value;
  const { runTokenCommand } = await import('./token-command.ts');
  return await runTokenCommand(command, source, surroundings);
}

/** Whether a token is stored for the profile, or without one for the origin. Throws UsageError. */
export function isTokenStored(store: SettingsStore, profile: string | undefined, origin: string): boolean {
  return findStoredToken(store, profile, origin) !== undefined;
}

/** The token that is stored for the profile, or without one for the origin. Throws UsageError. */
export function findStoredToken(
  store: SettingsStore,
  profile: string | undefined,
  origin: string,
): StoredToken | undefined {
  if (profile !== undefined) return store.readProfileToken(profile);
  const found = Object.entries(store.readCredentials()).find(([written]) => toOrigin(written) === origin);
  return found === undefined ? undefined : { origin, token: found[1] };
}

/** Under which name a token for this service is stored. */
function findHolder(store: SettingsStore, origin: string): string | undefined {
  if (isTokenStored(store, undefined, origin)) return UNNAMED;
  return Object.keys(readProfiles(store.readConfig())).find((name) => {
    const stored = store.readProfileToken(name);
    return stored !== undefined && toOrigin(stored.origin) === origin;
  });
}

/** What names the place for a token of this service, in the command that logs in: never one that is for another. */
function toLoginPlace(store: SettingsStore, profile: string | undefined, url: URL): readonly string[] {
  if (profile === undefined) return [];
  const config = store.readConfig();
  const settings = readProfile(config, profile);
  const own = store.readProfileToken(profile)?.origin;
  const isOther =
    (own !== undefined && toOrigin(own) !== url.origin) ||
    (settings !== undefined &&
      findOwnOrigin({ config, profile: { name: profile, settings, source: '--profile', isNew: false } }) !==
        url.origin);
  if (!isOther) return ['--profile', profile];
  const proposed = toProposal(url.host);
  return readProfile(config, proposed) === undefined ? ['--profile', proposed] : [without('--profile')];
}

/** A profile has a token or a command that prints one, and never both: no order has to decide which one counts. */
export function createTwoTokensError(profile: string | undefined): UsageError {
  const ofProfile = profile === undefined ? [] : ['--profile', profile];
  const whose = profile === undefined ? '' : `profile ${profile} has `;
  return new UsageError(`${whose}a stored token and a token-command: use one of them, not both`, {
    hint: profile === undefined ? 'Remove one:' : 'Remove the command, or the whole profile:',
    next: [
      ['orgctl', 'settings', 'unset', 'token-command', ...ofProfile],
      ['orgctl', 'auth', 'logout', ...ofProfile],
    ],
  });
}

interface Candidate {
  /** Of the token; of the command where `prints` is true. */
  readonly text: string;
  readonly prints?: boolean;
  readonly source: string;
  readonly origin: string;
  readonly fault?: UsageError | undefined;
}

/**
 * The first token that belongs to the service. Those that belong elsewhere are passed over.
 * Throws UsageError, without the token, where others may read the chosen one or no header can carry it.
 */
export function resolveToken(input: TokenInput): TokenChoice {
  const wanted = new URL(input.baseUrl).origin;
  const reasons: string[] = [];
  const origins = new Set<string>();
  for (const look of listTokenPlaces(input, wanted)) {
    const candidates = look();
    const chosen = candidates.find(({ origin }) => origin === wanted);
    if (chosen?.fault !== undefined) throw chosen.fault;
    if (chosen !== undefined) {
      const { text, source, prints = false } = chosen;
      if (prints) return { found: true, command: text, source, origin: wanted };
      const value = parseToken(text, isVariable(source) ? source : `the token in ${source}`);
      return { found: true, value, source, origin: wanted };
    }
    for (const { origin } of candidates) origins.add(origin);
    reasons.push(...candidates.map(describeElsewhere));
  }
  return { found: false, reasons, origins: [...origins] };
}

function describeElsewhere({ source, origin, prints = false }: Candidate): string {
  return `The token ${prints ? 'of' : 'in'} ${source} is for ${origin}.`;
}

export function createNoTokenError(
  baseUrl: string,
  { reasons, origins }: Pick<NoToken, 'reasons' | 'origins'>,
  profile: string | undefined,
  store: SettingsStore,
): OrgctlError {
  const url = new URL(baseUrl);
  const holder = findHolder(store, url.origin);
  const ofProfile = profile === undefined ? '' : ` in profile ${profile}`;
  const message = `no token for ${toHost(url.origin)}${ofProfile}${describeOthers(origins)}`;
  if (holder !== undefined) {
    return new OrgctlError('not-authenticated', message, {
      reasons,
      hint: `Profile ${holder} has one: use it with --profile ${holder}.`,
    });
  }
  return new OrgctlError('not-authenticated', message, {
    reasons,
    hint:
      reasons.length === 0
        ? 'Log in, or set ORGCTL_TOKEN. To try orgctl without an account, add --sandbox.'
        : 'Name the service of your token with --base-url, --host or --profile, or log in to this one:',
    next: [['orgctl', 'auth', 'login', ...toLoginPlace(store, profile, url)]],
  });
}

const MOST_NAMED = 3;

/** ` (you have one for tfe.example.com)` */
function describeOthers(origins: readonly string[]): string {
  if (origins.length === 0) return '';
  if (origins.length > MOST_NAMED) return ` (you have some for ${origins.length} other services)`;
  const hosts = origins
    .map(toHost)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' and ');
  return ` (you have ${origins.length === 1 ? 'one' : 'some'} for ${hosts})`;
}

/** The host name; the whole origin where it is not the usual https. */
function toHost(origin: string): string {
  return origin.replace(/^https:\/\//, '');
}

/** Whether a token from this source stands in the environment. */
export function isVariable(source: string): boolean {
  return /^[A-Z_]+TOKEN/.test(source);
}

/** What to do where the service rejects the token from this source. */
export function describeRejection(
  source: string,
  origin: string,
): { readonly hint: string; readonly next: readonly (readonly string[])[] } {
  const why = 'It is wrong, expired or replaced.';
  if (source.startsWith(TOKEN_COMMAND)) {
    return { hint: `${why} Check what this command prints:`, next: [['orgctl', 'settings', 'get', TOKEN_COMMAND]] };
  }
  return isVariable(source)
    ? { hint: `${why} Set ${source} to a new token.`, next: [] }
    : { hint: `${why} Create a new one at ${origin}${TOKENS_PAGE}.`, next: [['orgctl', 'auth', 'login']] };
}

/** Where tokens may be, in the order of precedence. A place is read only when those before it have none. */
function listTokenPlaces(input: TokenInput, wanted: string): readonly (() => readonly Candidate[])[] {
  const { profile, named } = input;
  const variables = () => toVariables(input.env, wanted);
  const terraform = () => toTerraform(input.readTerraform());
  const readStored = () =>
    profile === undefined
      ? toStored(input.readCredentials())
      : toOwn(profile.name, input.readProfileToken(profile.name));
  const stored = () => withCommand(input, readStored());
  return isProfileFirst(named, profile) ? [stored, variables, terraform] : [variables, stored, terraform];
}

/** In the order of precedence. */
function toVariables(env: Environment, wanted: string): readonly Candidate[] {
  const read = (source: string, toOwner: () => string | undefined): readonly Candidate[] => {
    const text = (env[source] ?? '').trim();
    const origin = text === '' ? undefined : toOwner();
    return origin === undefined ? [] : [{ text, source, origin }];
  };
  // Of two that name one host the last counts, as in Terraform.
  const ofHosts = Object.keys(env)
    .filter((name) => name.startsWith(HOST_PREFIX))
    .reverse();
  return [
    ...read('ORGCTL_TOKEN', () => wanted),
    ...ofHosts.flatMap((name) => read(name, () => toHostOrigin(name))),
    ...read('TFE_TOKEN', () => toTfeOrigin(env) ?? wanted),
  ];
}

function toStored(credentials: StoredCredentials): readonly Candidate[] {
  return Object.entries(credentials)
    .map(([written, token]) => ({ text: token.trim(), source: 'credentials.json', origin: toOrigin(written) }))
    .filter(({ text }) => text !== '');
}

function toOwn(profile: string, stored: StoredToken | undefined): readonly Candidate[] {
  if (stored === undefined) return [];
  return [{ text: stored.token, source: toSource(profile), origin: toOrigin(stored.origin) }];
}

const TOKEN_COMMAND = 'token-command';

/** A command that prints the token comes in place of a stored one. */
function withCommand({ command, profile }: TokenInput, stored: readonly Candidate[]): readonly Candidate[] {
  if (command === undefined) return stored;
  const { text, origin } = command;
  const source = profile === undefined ? TOKEN_COMMAND : `${TOKEN_COMMAND} of ${toSource(profile.name)}`;
  const isBeside = profile === undefined ? stored.some((each) => each.origin === origin) : stored.length > 0;
  const fault = isBeside ? createTwoTokensError(profile?.name) : undefined;
  return [{ text, source, origin, prints: true, fault }, ...(isBeside ? [] : stored)];
}

function toTerraform(credentials: TerraformCredentials | undefined): readonly Candidate[] {
  if (credentials === undefined) return [];
  const { path, tokens, fault } = credentials;
  return Object.entries(tokens)
    .map(([host, token]) => ({
      text: token.trim(),
      source: path,
      // Terraform connects to hosts by https alone. What is no host name belongs to no service.
      origin: isHostName(host) ? toOrigin(host) : '',
      fault,
    }))
    .filter(({ text, origin }) => text !== '' && origin !== '');
}

function isHostName(text: string): boolean {
  return /^[\p{L}\p{N}.-]+(?::\d+)?$/u.test(text) && URL.canParse(`https://${text}`);
}

const HOST_PREFIX = 'TF_TOKEN_';

/** TF_TOKEN_<host>, where `__` stands for a hyphen and `_` for a dot. Undefined for what is no host name. */
function toHostOrigin(name: string): string | undefined {
  const host = name.slice(HOST_PREFIX.length).replaceAll('__', '-').replaceAll('_', '.');
  const url = `https://${host}`;
  return /^[\p{L}\p{N}.-]+$/u.test(host) && URL.canParse(url) ? new URL(url).origin : undefined;
}

/** TFE_TOKEN belongs to the service that TFE_ADDRESS or TFE_HOSTNAME names, where one of them is set. */
function toTfeOrigin(env: Environment): string | undefined {
  const address = readVariable(env, 'TFE_ADDRESS');
  if (address !== undefined) return new URL(parseAddress(address, 'TFE_ADDRESS')).origin;
  const host = readVariable(env, 'TFE_HOSTNAME');
  return host === undefined ? undefined : new URL(parseHost(host, 'TFE_HOSTNAME')).origin;
}
