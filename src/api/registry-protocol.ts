import { isObject, parseJson } from '../lib/json.ts';
import type { Client } from './client.ts';
import { createUnexpectedResponseError } from './error-document.ts';
import { catchNotFound } from './not-found.ts';
import { createCall, type OperationName } from './operations.ts';
import type { PlatformAddress, VersionAddress } from './provider-versions.ts';
import { PLAIN_JSON } from './types.ts';

// Terraform reads these routes, in lower case, to install a private provider (facts). `prefix` comes from discovery.

export async function isListed(client: Client, prefix: string, address: VersionAddress): Promise<boolean> {
  const { versions } = (await read(client, prefix, 'list-installable-versions', address)) ?? {};
  return Array.isArray(versions) && versions.some((listed) => isObject(listed) && listed.version === address.version);
}

/** Undefined if the platform has no download. */
export async function findDownload(
  client: Client,
  prefix: string,
  address: PlatformAddress,
): Promise<{ filename: unknown; sum: unknown; hasKey: boolean } | undefined> {
  const found = await read(client, prefix, 'find-download', address);
  if (!found) return undefined;
  const { filename, shasum: sum, signing_keys: keys } = found;
  const hasKey = isObject(keys) && Array.isArray(keys.gpg_public_keys) && keys.gpg_public_keys.length > 0;
  return { filename, sum, hasKey };
}

async function read(client: Client, prefix: string, name: OperationName, address: VersionAddress) {
  const call = createCall(name, {
    ...address,
    namespace: address.namespace.toLowerCase(),
    name: address.name.toLowerCase(),
  });
  const request = client.read({ ...call, path: prefix + call.path }, { mediaType: PLAIN_JSON });
  const response = await catchNotFound(request);
  if (!response) return undefined;
  const document = parseJson(response.text);
  if (isObject(document)) return document;
  throw createUnexpectedResponseError(response);
}
