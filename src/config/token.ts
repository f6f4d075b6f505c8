import { posix, win32 } from 'node:path';
import { OrgctlError, UsageError } from '../lib/errors.ts';
import { assertVisible } from '../lib/input-text.ts';
import { isObject } from '../lib/json.ts';
import { parseOwnFile, readOwnFile } from '../lib/own-files.ts';
import { type Environment, type Runtime, readVariable } from '../lib/runtime.ts';
import { type Profile, resolveSettings, type Settings } from './resolve.ts';
import { parseHost, parseServiceAddress } from './settings.ts';
import { type ConfigStore, parseOrigin } from './store.ts';

/** A token, or a command that prints one. The token may be sent only to the origin. */
export interface TokenSource {
  source: string;
  origin: string;
  token?: string;
  command?: string;
  /** What to do when the token is rejected, if not to log in again. */
  renewal?: string;
}

export type TokenChoice = ReturnType<typeof findTokenSource>;

export interface Configuration {
  store: ConfigStore;
  profile: Profile;
  settings: Settings;
}

interface TokenLookup extends Configuration {
  runtime: Pick<Runtime, 'env' | 'platform' | 'home' | 'user'>;
}

/**
 * Finds the token for the service, and the tokens for other services, which can't be used. The order is: environment, stored
 * token or `token-command`, Terraform's `credentials.tfrc.json`. A profile that --profile names goes before the environment.
 */
export function findTokenSource({ settings, profile, runtime, store }: TokenLookup) {
  const { origin } = new URL(settings['base-url'].value);
  const environment = () => readVariables(runtime.env, origin);
  const stored = () => readStoredTokens({ settings, profile, store });
  const terraform = () => readTerraformTokens(runtime);
  const readers = profile.source === '--profile' ? [stored, environment, terraform] : [environment, stored, terraform];
  const others: TokenSource[] = [];
  for (const read of readers) {
    const candidates = read();
    const found = candidates.find((candidate) => candidate.origin === origin);
    if (found)
      return { found: found.token ? { ...found, token: parseToken(found.token, found.source) } : found, others };
    others.push(...candidates);
  }
  return { found: undefined, others };
}

export function createNoTokenError({ others }: TokenChoice, settings: Settings): OrgctlError {
  const baseUrl = settings['base-url'].value;
  const { host, origin } = new URL(baseUrl);
  const service = origin.startsWith('https:') ? ` --host ${host}` : ` --base-url ${baseUrl}`;
  const login = host === 'app.terraform.io' ? 'auth login' : `auth login${service}`;
  return new OrgctlError('not-authenticated', `no token for ${host}`, {
    reasons: others.map((other) => `The token of ${other.source} is for ${other.origin}, and is sent only there.`),
    hint: `Run \`orgctl ${login}\`, or set ORGCTL_TOKEN. To try orgctl without an account, add --sandbox.`,
  });
}

/** Throws UsageError for text that no header can carry; the message never holds the text. */
export function parseToken(text: string, source: string): string {
  const token = text.trim();
  if (token === '') throw new UsageError(`${source} is empty`);
  if (/[\n\r]/.test(token)) throw new UsageError(`${source} has more than one line`);
  assertVisible(text, source);
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new UsageError(`${source} is not a token: it has spaces or characters that no header allows`);
  }
  return token;
}

function readVariables(env: Environment, serviceOrigin: string): TokenSource[] {
  const read = (source: string, origin: string | undefined): TokenSource[] => {
    const text = readVariable(env, source);
    return text && origin ? [{ source, origin, token: text, renewal: `Set ${source} to a new one.` }] : [];
  };
  const hostVariables = Object.keys(env).filter((name) => name.startsWith('TF_TOKEN_'));
  return [
    ...read('ORGCTL_TOKEN', serviceOrigin),
    ...hostVariables.flatMap((name) => read(name, parseHostVariable(name))),
    ...(readVariable(env, 'TFE_TOKEN') ? read('TFE_TOKEN', findTfeOrigin(env) ?? serviceOrigin) : []),
  ];
}

/** `TF_TOKEN_<host>`: `_` stands for a dot and `__` for a hyphen (documented by Terraform). */
function parseHostVariable(name: string): string | undefined {
  const host = name.slice('TF_TOKEN_'.length).replaceAll('__', '-').replaceAll('_', '.');
  return URL.canParse(`https://${host}`) ? new URL(`https://${host}`).origin : undefined;
}

/** TFE_TOKEN belongs to the service that TFE_ADDRESS or TFE_HOSTNAME names, if one of them is set. */
function findTfeOrigin(env: Environment): string | undefined {
  const address = readVariable(env, 'TFE_ADDRESS');
  if (address) return new URL(parseServiceAddress(address, 'TFE_ADDRESS')).origin;
  const host = readVariable(env, 'TFE_HOSTNAME');
  return host && new URL(parseHost(host, 'TFE_HOSTNAME')).origin;
}

function readStoredTokens({ settings, profile, store }: Configuration): TokenSource[] {
  const source = profile.name === undefined ? 'credentials.json' : `profile ${profile.name}`;
  const tokens = store.listTokens(profile.name).map((stored) => ({ source, ...stored }));
  const command = settings['token-command'].value;
  if (command === undefined) return tokens;
  const suffix = profile.name === undefined ? '' : ` of ${source}`;
  const renewal = 'Check what token-command prints.';
  return [
    { source: `token-command${suffix}`, origin: assertNoStoredToken(store, profile), command, renewal },
    ...tokens,
  ];
}

/**
 * Returns the origin of the profile's token-command: that of its stored service, whatever service the command line names.
 * Throws UsageError if a token is stored for it.
 */
export function assertNoStoredToken(store: ConfigStore, profile: Profile): string {
  const stored = resolveSettings({ options: {}, env: {}, config: store.readConfig(), profile });
  const { origin } = new URL(stored['base-url'].value);
  if (store.listTokens(profile.name).every((token) => token.origin !== origin)) return origin;
  throw new UsageError('there is a stored token and a token-command: use one of them, not both', {
    hint: 'Run `orgctl settings unset token-command` or `orgctl auth logout`.',
  });
}

function readTerraformTokens({ env, platform, home, user }: TokenLookup['runtime']): TokenSource[] {
  const path = findTerraformFile(platform, home, readVariable(env, 'APPDATA'));
  const text = path && readOwnFile(path, user, 'read');
  if (!text) return [];
  const hint = 'Run terraform login again. It was not changed.';
  const { credentials } = parseOwnFile(text, path, hint);
  if (!isObject(credentials)) throw new UsageError(`${path} is damaged`, { hint });
  return Object.entries(credentials).flatMap(([host, entry]) =>
    isObject(entry) && typeof entry.token === 'string'
      ? [{ source: path, origin: parseOrigin(host), token: entry.token }]
      : [],
  );
}

function findTerraformFile(platform: NodeJS.Platform, home: string, roaming: string | undefined): string | undefined {
  if (platform === 'win32') return roaming && win32.join(roaming, 'terraform.d', 'credentials.tfrc.json');
  return home && posix.join(home, '.terraform.d', 'credentials.tfrc.json');
}
