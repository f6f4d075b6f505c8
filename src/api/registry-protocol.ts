import { isObject } from '../lib/json.ts';
import type { Client } from './client.ts';
import { readObject } from './error-document.ts';
import { catchNotFound } from './not-found.ts';
import { type Call, createCall, operation } from './operations.ts';
import type { PlatformAddress, VersionAddress } from './provider-versions.ts';
import { PLAIN_JSON } from './types.ts';

// Terraform reads these routes, in lower case, to install a private provider (facts). `prefix` comes from discovery.

const NAME = ':namespace/:name';
const AT_ORIGIN = { isAtOrigin: true };
const LIST_VERSIONS = operation(
  'GET',
  `/${NAME}/versions`,
  `list the versions of ${NAME} as Terraform does`,
  AT_ORIGIN,
);
const FIND_DOWNLOAD = operation(
  'GET',
  `/${NAME}/:version/download/:os/:arch`,
  `find ${NAME}@:version/:platform as Terraform does`,
  AT_ORIGIN,
);

export async function isListed(client: Client, prefix: string, address: VersionAddress): Promise<boolean> {
  const { versions } = (await read(client, prefix, createCall(LIST_VERSIONS, lower(address)))) ?? {};
  return Array.isArray(versions) && versions.some((listed) => isObject(listed) && listed.version === address.version);
}

/** Undefined if the platform has no download. */
export async function findDownload(
  client: Client,
  prefix: string,
  address: PlatformAddress,
): Promise<{ filename: unknown; sum: unknown; hasKey: boolean } | undefined> {
  const params = { ...lower(address), platform: `${address.os}_${address.arch}` };
  const found = await read(client, prefix, createCall(FIND_DOWNLOAD, params));
  if (!found) return undefined;
  const { filename, shasum: sum, signing_keys: keys } = found;
  const hasKey = isObject(keys) && Array.isArray(keys.gpg_public_keys) && keys.gpg_public_keys.length > 0;
  return { filename, sum, hasKey };
}

function lower<Address extends VersionAddress>(address: Address): Address {
  return { ...address, namespace: address.namespace.toLowerCase(), name: address.name.toLowerCase() };
}

async function read(client: Client, prefix: string, call: Call) {
  const response = await catchNotFound(client.read({ ...call, path: prefix + call.path }, { mediaType: PLAIN_JSON }));
  return response && readObject(response);
}
