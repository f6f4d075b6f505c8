import type { Client } from './client.ts';
import { readResource } from './error-document.ts';
import { catchNotFound } from './not-found.ts';
import { type Call, createCall, operation } from './operations.ts';
import { createList } from './pagination.ts';
import { CAN_MANAGE_PROVIDERS, PROVIDER, type ProviderAddress } from './providers.ts';
import type { Resource } from './types.ts';
import { createResource, deleteResource } from './writes.ts';

// Versions and platforms of private providers are outside the document (facts).

const VERSIONS = `${PROVIDER}/versions`;
const VERSION = `${VERSIONS}/:version`;
const PLATFORMS = `${VERSION}/platforms`;
const PLATFORM = `${PLATFORMS}/:os/:arch`;
const NAME = ':registry/:namespace/:name@:version';
const WHO = { who: CAN_MANAGE_PROVIDERS };
const LIST_VERSIONS = operation('GET', VERSIONS, 'list the versions of :registry/:namespace/:name');
const SHOW_VERSION = operation('GET', VERSION, `show ${NAME}`);
const CREATE_VERSION = operation('POST', VERSIONS, `create ${NAME}`, WHO);
const DELETE_VERSION = operation('DELETE', VERSION, `delete ${NAME}`, WHO);
const LIST_PLATFORMS = operation('GET', PLATFORMS, `list the platforms of ${NAME}`);
const SHOW_PLATFORM = operation('GET', PLATFORM, `show ${NAME}/:platform`);
const CREATE_PLATFORM = operation('POST', PLATFORMS, `create ${NAME}/:platform`, WHO);
const DELETE_PLATFORM = operation('DELETE', PLATFORM, `delete ${NAME}/:platform`, WHO);

/** A version of a private provider. The namespace is the organization. */
export interface VersionAddress extends ProviderAddress {
  version: string;
}

export interface Platform {
  os: string;
  arch: string;
}

export type PlatformAddress = VersionAddress & Platform;

export type ProviderVersion = ReturnType<typeof parseVersion>;
export type ProviderPlatform = ReturnType<typeof parsePlatform>;

/** Keeps the service's order. */
export async function readVersions(client: Client, provider: ProviderAddress): Promise<ProviderVersion[]> {
  return (await createList(client, createCall(LIST_VERSIONS, addOrg(provider))).all()).map(parseVersion);
}

export function findVersion(client: Client, address: VersionAddress): Promise<ProviderVersion | undefined> {
  return findOne(client, createCall(SHOW_VERSION, addOrg(address)), parseVersion);
}

export async function createVersion(client: Client, address: VersionAddress, keyId: string, protocols: string[]) {
  const attributes = { version: address.version, 'key-id': keyId, protocols };
  const data = { type: 'registry-provider-versions', attributes };
  const call = createCall(CREATE_VERSION, addOrg(address));
  return createResource(client, call, data, () => findVersion(client, address));
}

/** Deletes the platforms too. True if the version was deleted, undefined in a dry run. */
export async function deleteVersion(client: Client, address: VersionAddress): Promise<true | undefined> {
  return deleteResource(client, createCall(DELETE_VERSION, addOrg(address)), () => findVersion(client, address));
}

export async function readPlatforms(client: Client, address: VersionAddress): Promise<ProviderPlatform[]> {
  return (await createList(client, createCall(LIST_PLATFORMS, addOrg(address))).all()).map(parsePlatform);
}

export function findPlatform(client: Client, address: PlatformAddress): Promise<ProviderPlatform | undefined> {
  return findOne(client, createCall(SHOW_PLATFORM, addPlatform(address)), parsePlatform);
}

export async function createPlatform(client: Client, address: PlatformAddress, sum: string, filename: string) {
  const { os, arch } = address;
  const attributes = { os, arch, shasum: sum, filename };
  const data = { type: 'registry-provider-version-platforms', attributes };
  const call = createCall(CREATE_PLATFORM, addPlatform(address));
  return createResource(client, call, data, () => findPlatform(client, address));
}

/** True if the platform was deleted, undefined in a dry run. */
export async function deletePlatform(client: Client, address: PlatformAddress): Promise<true | undefined> {
  return deleteResource(client, createCall(DELETE_PLATFORM, addPlatform(address)), () => findPlatform(client, address));
}

function addOrg<Address extends ProviderAddress>(address: Address): Address & { org: string } {
  return { ...address, org: address.namespace };
}

function addPlatform(address: PlatformAddress) {
  return { ...addOrg(address), platform: `${address.os}_${address.arch}` };
}

function findOne<T>(client: Client, call: Call, parse: (resource: Resource) => T): Promise<T | undefined> {
  return catchNotFound(client.read(call).then((response) => parse(readResource(response).data)));
}

function parseVersion(resource: Resource) {
  const { id, attributes = {}, links = {} } = resource;
  const { protocols } = attributes;
  return {
    id,
    version: readText(attributes.version),
    keyId: readText(attributes['key-id']),
    protocols: Array.isArray(protocols) ? protocols.map(String) : [],
    sums: { hasFile: attributes['shasums-uploaded'] === true, upload: readText(links['shasums-upload']) },
    signature: { hasFile: attributes['shasums-sig-uploaded'] === true, upload: readText(links['shasums-sig-upload']) },
    /** A secret address; empty until the sums are there. */
    sumsDownload: readText(links['shasums-download']),
    resource,
  };
}

function parsePlatform({ id, attributes = {}, links = {} }: Resource) {
  return {
    id,
    os: readText(attributes.os),
    arch: readText(attributes.arch),
    sum: readText(attributes.shasum),
    filename: readText(attributes.filename),
    hasFile: attributes['provider-binary-uploaded'] === true,
    upload: readText(links['provider-binary-upload']),
  };
}

function readText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
