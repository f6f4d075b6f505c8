import { isObject } from '../json-object.ts';
import { compareNewestFirst } from '../resources/version-order.ts';
import type { PublicVersion } from '../wire/resources.ts';
import { type Client, readObject } from './client.ts';
import { findPrefix } from './discovery.ts';
import { toRequest } from './operations.ts';
import { toUnreadableError } from './problem.ts';

/** By the document; what a discovery document says goes before it. */
const USUAL_PREFIX = '/api/registry/public/v1';

/** By the service's proxy to the public registry (document: Versioning): plain JSON, at the origin. */
export async function listPublicVersions(
  client: Client,
  baseUrl: URL,
  parameters: { readonly namespace: string; readonly name: string },
  warn: (text: string) => void,
): Promise<readonly PublicVersion[]> {
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

function isVersion(value: unknown): value is PublicVersion {
  return isObject(value) && typeof value['version'] === 'string';
}

/**
 * Assumed: the discovery document has the prefix of the public registry under the name public-providers.v1, which the
 * document does not mention.
 */
const PREFIX_NAME = 'public-providers.v1';
