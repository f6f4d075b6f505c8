import { UsageError } from '../errors.ts';
import { type Environment, parseAddress, readVariable } from './resolve.ts';
import { parseHost } from './settings.ts';
import type { StoredCredentials } from './store.ts';

/** A token belongs to an origin and is never sent to another one. */

export interface TokenInput {
  /** The service in force. */
  readonly baseUrl: string;
  readonly env: Environment;
  readonly credentials: StoredCredentials;
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
export function resolveToken(input: TokenInput): TokenChoice {
  const wanted = new URL(input.baseUrl).origin;
  const candidates = toCandidates(input, wanted);
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
function toCandidates({ env, credentials }: TokenInput, wanted: string): readonly Candidate[] {
  return [
    { text: env['ORGCTL_TOKEN'] ?? '', source: 'ORGCTL_TOKEN', origin: () => wanted },
    { text: env['TFE_TOKEN'] ?? '', source: 'TFE_TOKEN', origin: () => toTfeOrigin(env) ?? wanted },
    ...Object.entries(credentials).map(([origin, token]) => ({
      text: token,
      source: `the stored token for ${origin}`,
      origin: () => origin,
    })),
  ]
    .map((candidate) => ({ ...candidate, text: candidate.text.trim() }))
    .filter(({ text }) => text !== '')
    .map((candidate) => ({ ...candidate, origin: candidate.origin() }));
}

/** Whoever sets TFE_TOKEN beside TFE_ADDRESS or TFE_HOSTNAME means that service. */
function toTfeOrigin(env: Environment): string | undefined {
  const address = readVariable(env, 'TFE_ADDRESS');
  if (address !== undefined) return new URL(parseAddress(address, 'TFE_ADDRESS')).origin;
  const host = readVariable(env, 'TFE_HOSTNAME');
  return host === undefined ? undefined : new URL(parseHost(host, 'TFE_HOSTNAME')).origin;
}
