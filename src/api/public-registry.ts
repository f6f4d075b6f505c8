import { isObject, type JsonObject, parseJson } from '../lib/json.ts';
import type { Client } from './client.ts';
import { findPrefix, PLAIN_JSON } from './discovery.ts';
import { createForeignError } from './error-document.ts';
import { createCall } from './operations.ts';

export type PublicVersion = JsonObject & { version: string };

/** The versions of a public provider, by the service's proxy. Its answers are plain JSON (facts). */
export async function readPublicVersions(
  client: Client,
  params: { namespace: string; name: string },
): Promise<PublicVersion[]> {
  const call = createCall('list-public-versions', params);
  const prefix = await findPrefix(client, 'public-providers.v1');
  const response = await client.read({ ...call, path: prefix + call.path }, { mediaType: PLAIN_JSON });
  const body = parseJson(response.text);
  const versions = isObject(body) ? body.versions : undefined;
  if (Array.isArray(versions) && versions.every(isVersion)) return versions;
  throw createForeignError(response);
}

function isVersion(value: unknown): value is PublicVersion {
  return isObject(value) && typeof value.version === 'string';
}
