import { UsageError } from '../lib/errors.ts';
import { parseCommand } from '../lib/exec.ts';
import { assertVisible } from '../lib/input-text.ts';
import { parseWholeNumber } from '../lib/numbers.ts';
import { parseWhen } from '../lib/time.ts';
import { FORMAT_NAMES, type FormatName } from '../output/formats.ts';

// All of these throw UsageError. `source` names the option, variable or file of the text.

const DEFAULT_HOST = 'app.terraform.io';
/** The API's path below a host name (facts: in every edition of the service). */
const API_PATH = '/api/v2';
export const DEFAULT_BASE_URL = `https://${DEFAULT_HOST}${API_PATH}`;
const MAX_RETRIES = 100;

/** Removes slashes at the end. */
export function parseBaseUrl(text: string, source: string): string {
  assertVisible(text, source);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const problem = findProblem(url);
  if (!url || problem) {
    throw new UsageError(`${source} ${problem}`, { hint: `It looks like ${DEFAULT_BASE_URL}.` });
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

export function parseText(text: string, source: string): string {
  if (text.trim() === '') throw new UsageError(`${source} is empty`);
  return text;
}

/** Throws for invisible characters and quotes too. */
export function parseName(text: string, source: string): string {
  assertVisible(text, source);
  return parseText(text, source);
}

export function parseTokenCommand(text: string, source: string): string {
  parseCommand(text, source, 'linux');
  return text.trim();
}

export function parseFormat(text: string, source: string): FormatName {
  const format = FORMAT_NAMES.find((name) => name === text.trim());
  if (format) return format;
  throw new UsageError(`${source}: unknown format '${text}'`, { hint: `Formats are ${FORMAT_NAMES.join(', ')}.` });
}

/** Returns the text, since a duration counts from the rotation. */
export function parseExpiry(text: string, source: string): string {
  if (text !== 'never') parseWhen(text, 0, 1, source);
  return text;
}

export function parseFlag(text: string, source: string): boolean {
  const word = text.trim().toLowerCase();
  if (['1', 'true', 'yes', 'on'].includes(word)) return true;
  if (['0', 'false', 'no', 'off'].includes(word)) return false;
  throw new UsageError(`${source} must be true or false, not '${text}'`);
}

export function parseRetries(text: string, source: string): number {
  return parseWholeNumber(text, source, { max: MAX_RETRIES });
}

export function parseHosts(text: string, source: string): string[] {
  const hosts = text.split(/[\s,]+/).filter(Boolean);
  for (const host of hosts) parseHost(host, source);
  return hosts;
}
