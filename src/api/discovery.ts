import { isSignal } from '../lib/errors.ts';
import { isObject, parseJson } from '../lib/json.ts';
import type { Client } from './client.ts';
import { createCall } from './operations.ts';

export const PLAIN_JSON = 'application/json';

/** Where registries usually are. The document has the public one; how discovery calls it is not known. */
const PREFIXES = {
  'public-providers.v1': '/api/registry/public/v1',
  'providers.v1': '/api/registry/v1/providers',
};

/** The prefix of a registry at the service's origin, without a slash at its end. Another origin doesn't get the token. */
export async function findPrefix(client: Client, registry: keyof typeof PREFIXES): Promise<string> {
  const { baseUrl } = await client.connect();
  const found = await readDiscovery(client, registry);
  if (typeof found !== 'string' || !URL.canParse(found, baseUrl.origin)) return PREFIXES[registry];
  const url = new URL(found, baseUrl.origin);
  return url.origin === baseUrl.origin ? url.pathname.replace(/\/+$/, '') : PREFIXES[registry];
}

async function readDiscovery(client: Client, registry: string): Promise<unknown> {
  try {
    const document = parseJson(
      (await client.read(createCall('discover'), { mediaType: PLAIN_JSON, maxRetries: 0 })).text,
    );
    return isObject(document) ? document[registry] : undefined;
  } catch (error) {
    // A service without such a document has the usual prefix.
    if (isSignal(error)) throw error;
    return undefined;
  }
}
