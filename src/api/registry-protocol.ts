import { OrgctlError } from '../lib/errors.ts';
import { isObject, type JsonObject } from '../lib/json.ts';
import type { Client } from './client.ts';
import { readObject } from './error-document.ts';
import { catchNotFound, isRefused } from './not-found.ts';
import { type Call, createCall, operation } from './operations.ts';
import type { PlatformAddress, VersionAddress } from './provider-versions.ts';
import { PLAIN_JSON } from './types.ts';

// Terraform reads these routes, in lower case and plain JSON (facts). Their prefixes come from the discovery document.

const NAME = ':namespace/:name';
const AT_ORIGIN = { isAtOrigin: true };
const DISCOVER = operation('GET', '/.well-known/terraform.json', 'read the discovery document', AT_ORIGIN);
const LIST_PUBLIC = operation('GET', `/providers/${NAME}/versions`, `list the public versions of ${NAME}`, AT_ORIGIN);
const LIST_VERSIONS = operation('GET', `/${NAME}/versions`, `find ${NAME} as Terraform does`, AT_ORIGIN);
const DOWNLOAD = `/${NAME}/:version/download/:os/:arch`;
const FIND_DOWNLOAD = operation('GET', DOWNLOAD, `find ${NAME}@:version/:platform as Terraform does`, AT_ORIGIN);

/** The usual prefixes, by the names of the discovery document. The name of the public registry is a guess. */
const PREFIXES = {
  'public-providers.v1': '/api/registry/public/v1',
  'providers.v1': '/api/registry/v1/providers',
};

export type PublicVersion = JsonObject & { version: string };

/** Returns a path without a slash at its end. A prefix on another origin is ignored, since the token must not go there. */
export async function findPrefix(client: Client, registry: keyof typeof PREFIXES): Promise<string> {
  const { baseUrl } = await client.connect();
  const found = (await catchNotFound(read(client, '', createCall(DISCOVER, {})), isRefused))?.[registry];
  if (typeof found !== 'string' || !URL.canParse(found, baseUrl.origin)) return PREFIXES[registry];
  const url = new URL(found, baseUrl.origin);
  return url.origin === baseUrl.origin ? url.pathname.replace(/\/+$/, '') : PREFIXES[registry];
}

/** Reads the service's proxy of the public registry. */
export async function readPublicVersions(client: Client, params: { namespace: string; name: string }) {
  const prefix = await findPrefix(client, 'public-providers.v1');
  const { versions } = await read(client, prefix, createCall(LIST_PUBLIC, params));
  const isVersion = (one: unknown): one is PublicVersion => isObject(one) && typeof one.version === 'string';
  if (Array.isArray(versions) && versions.every(isVersion)) return versions;
  throw new OrgctlError('unavailable', `the service lists no versions of ${params.namespace}/${params.name}`);
}

export async function isInstallable(client: Client, prefix: string, address: VersionAddress): Promise<boolean> {
  const call = createCall(LIST_VERSIONS, lower(address));
  const { versions } = (await catchNotFound(read(client, prefix, call))) ?? {};
  return Array.isArray(versions) && versions.some((listed) => isObject(listed) && listed.version === address.version);
}

export async function findDownload(client: Client, prefix: string, address: PlatformAddress) {
  const call = createCall(FIND_DOWNLOAD, { ...lower(address), platform: `${address.os}_${address.arch}` });
  const found = await catchNotFound(read(client, prefix, call));
  if (!found) return undefined;
  const { filename, shasum: sum, signing_keys: keys } = found;
  const hasKey = isObject(keys) && Array.isArray(keys.gpg_public_keys) && keys.gpg_public_keys.length > 0;
  return { filename, sum, hasKey };
}

function lower<Address extends VersionAddress>(address: Address): Address {
  return { ...address, namespace: address.namespace.toLowerCase(), name: address.name.toLowerCase() };
}

async function read(client: Client, prefix: string, call: Call): Promise<JsonObject> {
  return readObject(await client.read({ ...call, path: prefix + call.path }, { mediaType: PLAIN_JSON }));
}
