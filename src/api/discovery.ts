import type { Client } from './client.ts';
import { readObject } from './error-document.ts';
import { catchNotFound, isRefused } from './not-found.ts';
import { createCall, operation } from './operations.ts';
import { PLAIN_JSON } from './types.ts';

const DISCOVER = operation('GET', '/.well-known/terraform.json', 'read the discovery document', { isAtOrigin: true });

/** The usual prefixes, by the names of the discovery document. The name of the public registry is a guess. */
const PREFIXES = {
  'public-providers.v1': '/api/registry/public/v1',
  'providers.v1': '/api/registry/v1/providers',
};

/** Returns a path without a slash at its end. A prefix on another origin is ignored, since the token must not go there. */
export async function findPrefix(client: Client, registry: keyof typeof PREFIXES): Promise<string> {
  const { baseUrl } = await client.connect();
  const response = await catchNotFound(client.read(createCall(DISCOVER, {}), { mediaType: PLAIN_JSON }), isRefused);
  const found = response && readObject(response)[registry];
  if (typeof found !== 'string' || !URL.canParse(found, baseUrl.origin)) return PREFIXES[registry];
  const url = new URL(found, baseUrl.origin);
  return url.origin === baseUrl.origin ? url.pathname.replace(/\/+$/, '') : PREFIXES[registry];
}
