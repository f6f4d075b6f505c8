import { isObject, type JsonObject } from '../lib/json.ts';
import type { Client } from './client.ts';
import { findPrefix } from './discovery.ts';
import { createUnexpectedResponseError, readObject } from './error-document.ts';
import { createCall, operation } from './operations.ts';
import { PLAIN_JSON } from './types.ts';

const LIST_PUBLIC_VERSIONS = operation(
  'GET',
  '/providers/:namespace/:name/versions',
  'list the versions of :namespace/:name in the public registry',
  { isAtOrigin: true },
);

export type PublicVersion = JsonObject & { version: string };

/** Reads the service's proxy of the public registry, which answers with plain JSON (facts). */
export async function readPublicVersions(
  client: Client,
  params: { namespace: string; name: string },
): Promise<PublicVersion[]> {
  const call = createCall(LIST_PUBLIC_VERSIONS, params);
  const prefix = await findPrefix(client, 'public-providers.v1');
  const response = await client.read({ ...call, path: prefix + call.path }, { mediaType: PLAIN_JSON });
  const { versions } = readObject(response);
  if (Array.isArray(versions) && versions.every(isVersion)) return versions;
  throw createUnexpectedResponseError(response);
}

function isVersion(value: unknown): value is PublicVersion {
  return isObject(value) && typeof value.version === 'string';
}
