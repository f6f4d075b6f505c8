import { isObject } from '../json-object.ts';
import { type Client, readObject } from './client.ts';
import { findPrefix } from './discovery.ts';
import { toRequest } from './operations.ts';
import { toUnreadableError } from './problem.ts';

interface ProviderVersion {
  readonly version: string;
  readonly [name: string]: unknown;
}

/** By the document; what a discovery document says goes before it. */
const USUAL_PREFIX = '/api/registry/public/v1';

/** By the service's proxy to the public registry (document: Versioning): plain JSON, at the origin. */
export async function listPublicVersions(
  client: Client,
  baseUrl: URL,
  parameters: { readonly namespace: string; readonly name: string },
  warn: (text: string) => void,
): Promise<readonly ProviderVersion[]> {
  const call = { operation: 'list-public-versions', parameters } as const;
  // A name that cannot be sent is refused before anything is asked.
  toRequest(call);
  const answer = await client.read({
    ...call,
    prefix: await findPrefix(client, baseUrl, { name: PREFIX_NAME, usual: USUAL_PREFIX }, warn),
  });
  const { versions } = readObject(answer);
  if (!Array.isArray(versions) || !versions.every(isVersion)) {
    throw toUnreadableError(answer, 'the body has no list of versions');
  }
  return versions.toSorted((one, other) => compareNewestFirst(one.version, other.version));
}

function isVersion(value: unknown): value is ProviderVersion {
  return isObject(value) && typeof value['version'] === 'string';
}

/** Assumed: the document does not say under which name the discovery document has the prefix. */
const PREFIX_NAME = 'public-providers.v1';

const VERSION = /^v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

/**
 * Orders versions newest first, by Semantic Versioning 2.0: a pre-release comes after its release, and what stands
 * behind a plus sign counts for nothing. Texts that are no versions come last, in the order they had.
 */
export function compareNewestFirst(one: string, other: string): number {
  const [first, second] = [VERSION.exec(one.trim()), VERSION.exec(other.trim())];
  if (first === null || second === null) return Number(first === null) - Number(second === null);
  for (const part of [1, 2, 3]) {
    const order = compareNumbers(second[part] ?? '', first[part] ?? '');
    if (order !== 0) return order;
  }
  return comparePreReleases(second[4], first[4]);
}

/** Oldest first. */
function comparePreReleases(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  const [first, second] = [one.split('.'), other.split('.')];
  for (const [index, part] of first.entries()) {
    const against = second[index];
    if (against === undefined) return 1;
    const order = compareIdentifiers(part, against);
    if (order !== 0) return order;
  }
  return first.length - second.length;
}

function compareIdentifiers(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (isNumber && isOtherNumber) return compareNumbers(one, other);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return one < other ? -1 : Number(one > other);
}

/** By length first: a number can be longer than a double is exact. */
function compareNumbers(one: string, other: string): number {
  const [first, second] = [one.replace(/^0+(?=\d)/, ''), other.replace(/^0+(?=\d)/, '')];
  return first.length - second.length || (first < second ? -1 : Number(first > second));
}
