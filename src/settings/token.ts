import { UsageError } from '../errors.ts';
import { toOrigin } from './origin.ts';
import { type Environment, parseAddress, readVariable } from './resolve.ts';
import { parseHost } from './settings.ts';
import type { StoredCredentials } from './store.ts';

/** A token belongs to an origin and is never sent to another one. */

export interface TokenInput {
  /** The service in force. */
  readonly baseUrl: string;
  readonly env: Environment;
  /** Called only when no variable holds a token that belongs to the service. */
  readonly readCredentials: () => StoredCredentials;
}

export type TokenChoice =
  | { readonly found: true; readonly value: string; readonly source: string; readonly origin: string }
  /** Each reason tells of one token why it was not used; none means that there is no token at all. */
  | { readonly found: false; readonly reasons: readonly string[] };

interface Candidate {
  readonly text: string;
  readonly source: string;
  readonly origin: string;
}

/**
 * The first token that belongs to the service in force. Those that belong elsewhere are passed over.
 * Throws UsageError for a chosen token that no header can carry; the token itself is never told.
 */
export function resolveToken({ baseUrl, env, readCredentials }: TokenInput): TokenChoice {
  const wanted = new URL(baseUrl).origin;
  const variables = toVariables(env, wanted);
  const stored = variables.some(({ origin }) => origin === wanted) ? [] : toStored(readCredentials());
  const candidates = [...variables, ...stored];
  const chosen = candidates.find(({ origin }) => origin === wanted);
  if (chosen === undefined) {
    return {
      found: false,
      reasons: candidates.map(({ source, origin }) => `${source} belongs to ${origin}, not to ${wanted}`),
    };
  }
  const { text, source } = chosen;
  if (!/^[\x21-\x7e]+$/.test(text)) {
    throw new UsageError(`${source} is not a token: it holds spaces or other characters that no token has`, {
      hint: 'Copy the token again, alone on one line.',
    });
  }
  return { found: true, value: text, source, origin: wanted };
}

/** In the order of precedence. */
function toVariables(env: Environment, wanted: string): readonly Candidate[] {
  const read = (source: string, toOwner: () => string | undefined): readonly Candidate[] => {
    const text = (env[source] ?? '').trim();
    const origin = text === '' ? undefined : toOwner();
    return origin === undefined ? [] : [{ text, source, origin }];
  };
  // Of two that name one host the last counts, as Terraform has it.
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
    .map(([written, token]) => ({
      text: token.trim(),
      source: `the stored token for ${written}`,
      origin: toOrigin(written),
    }))
    .filter(({ text }) => text !== '');
}

const HOST_PREFIX = 'TF_TOKEN_';

/** TF_TOKEN_<host>, where `__` stands for a hyphen and `_` for a dot. Undefined for what is no host name. */
function toHostOrigin(name: string): string | undefined {
  const host = name.slice(HOST_PREFIX.length).replaceAll('__', '-').replaceAll('_', '.');
  const url = `https://${host}`;
  return /^[\p{L}\p{N}.-]+$/u.test(host) && URL.canParse(url) ? new URL(url).origin : undefined;
}

/** Whoever sets TFE_TOKEN beside TFE_ADDRESS or TFE_HOSTNAME means that service. */
function toTfeOrigin(env: Environment): string | undefined {
  const address = readVariable(env, 'TFE_ADDRESS');
  if (address !== undefined) return new URL(parseAddress(address, 'TFE_ADDRESS')).origin;
  const host = readVariable(env, 'TFE_HOSTNAME');
  return host === undefined ? undefined : new URL(parseHost(host, 'TFE_HOSTNAME')).origin;
}
