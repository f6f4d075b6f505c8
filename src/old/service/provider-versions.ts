import { orUndefined } from '../errors.ts';
import { isObject, toText } from '../json-object.ts';
import type { ProviderAddress } from '../resources/provider-address.ts';
import type { Resource, ResourceDocument } from '../wire/json-api.ts';
import { REGISTRY_PROVIDER_PLATFORM_REQUEST, REGISTRY_PROVIDER_VERSIONS } from '../wire/resources.ts';
import { findCreation, findRemoval } from './ambiguous-write.ts';
import { type Call, type Client, readNothing, readResource } from './client.ts';
import { createResourceList } from './lists.ts';
import { readAll } from './pages.ts';

/** Where a version of a private provider is. */
export interface VersionAddress extends ProviderAddress {
  readonly version: string;
}

export interface PlatformAddress extends VersionAddress {
  readonly os: string;
  readonly arch: string;
}

/** A version as the service has it. Its links are secrets, and stand nowhere else. */
export interface ProviderVersion {
  /** Without its links. */
  readonly document: ResourceDocument;
  readonly id: string;
  readonly version: string;
  readonly keyId: string;
  readonly protocols: readonly string[];
  readonly hasSums: boolean;
  readonly hasSignature: boolean;
  readonly links: VersionLinks;
}

interface VersionLinks {
  readonly sumsUpload: string | undefined;
  readonly signatureUpload: string | undefined;
  readonly sumsDownload: string | undefined;
}

export interface ProviderPlatform {
  readonly os: string;
  readonly arch: string;
  readonly sum: string;
  readonly filename: string;
  readonly hasFile: boolean;
  readonly upload: string | undefined;
}

/** Versions and platforms of private providers. Outside the document, so Assumed throughout. */
export function createProviderVersions(client: Client, warn: (text: string) => void) {
  const get = async (address: VersionAddress, intent: 'get' | 'delete' = 'get'): Promise<ProviderVersion> => {
    const parameters = toParameters(address);
    return toVersion(readResource(await client.read({ operation: `${intent}-version`, parameters })));
  };
  const getPlatform = async (
    address: PlatformAddress,
    intent: 'get' | 'delete' = 'get',
  ): Promise<ProviderPlatform & { readonly id: string }> => {
    const operation = `${intent}-platform` as const;
    const { data } = readResource(await client.read({ operation, parameters: toPlatformParameters(address) }));
    return { ...toPlatform(data), id: data.id };
  };
  const readWhole = (call: Call): Promise<readonly Resource[]> =>
    readAll(createResourceList(client, call, { paginate: true, page: {}, warn }));
  return {
    get,
    getPlatform,
    find: (address: VersionAddress, intent?: 'delete') => orUndefined(get(address, intent)),
    findPlatform: (address: PlatformAddress, intent?: 'delete') => orUndefined(getPlatform(address, intent)),
    /** In the service's order. */
    async list(address: ProviderAddress): Promise<readonly ProviderVersion[]> {
      const parameters = { organization: address.namespace, ...address };
      return (await readWhole({ operation: 'list-versions', parameters })).map((data) => toVersion({ data }));
    },
    async listPlatforms(address: VersionAddress): Promise<readonly ProviderPlatform[]> {
      return (await readWhole({ operation: 'list-platforms', parameters: toParameters(address) })).map(toPlatform);
    },
    /** Undefined in a dry run. */
    async create(
      address: VersionAddress,
      { keyId, protocols }: Pick<ProviderVersion, 'keyId' | 'protocols'>,
    ): Promise<ProviderVersion | undefined> {
      const attributes = { version: address.version, 'key-id': keyId, protocols };
      const written = await client.write({
        operation: 'create-version',
        parameters: toParameters(address),
        body: { data: { type: REGISTRY_PROVIDER_VERSIONS, attributes } },
        read: (answer) => toVersion(readResource(answer)),
        findOutcome: () => findCreation(() => orUndefined(get(address))),
      });
      return written?.value;
    },
    /** Undefined in a dry run. */
    async createPlatform(
      address: PlatformAddress,
      { sum, filename }: Pick<ProviderPlatform, 'sum' | 'filename'>,
    ): Promise<ProviderPlatform | undefined> {
      const { os, arch } = address;
      const { os: _os, arch: _arch, ...parameters } = toPlatformParameters(address);
      const written = await client.write({
        operation: 'create-platform',
        parameters,
        body: { data: { type: REGISTRY_PROVIDER_PLATFORM_REQUEST, attributes: { os, arch, shasum: sum, filename } } },
        read: (answer) => toPlatform(readResource(answer).data),
        findOutcome: () => findCreation(() => orUndefined(getPlatform(address))),
      });
      return written?.value;
    },
    /** With its platforms. The caller has read it just before. False in a dry run. */
    async delete(address: VersionAddress): Promise<boolean> {
      const written = await client.write({
        operation: 'delete-version',
        parameters: toParameters(address),
        read: readNothing,
        findOutcome: () => findRemoval(() => get(address)),
      });
      return written !== undefined;
    },
    /** The caller has read the platform just before. False in a dry run. */
    async deletePlatform(address: PlatformAddress): Promise<boolean> {
      const written = await client.write({
        operation: 'delete-platform',
        parameters: toPlatformParameters(address),
        read: readNothing,
        findOutcome: () => findRemoval(() => getPlatform(address)),
      });
      return written !== undefined;
    },
  };
}

/** The namespace of a private provider is its organization. */
function toParameters({ registryName, namespace, name, version }: VersionAddress) {
  return { organization: namespace, registryName, namespace, name, version };
}

function toPlatformParameters({ os, arch, ...address }: PlatformAddress) {
  return { ...toParameters(address), os, arch, platform: `${os}_${arch}` };
}

function toVersion({ data, ...document }: ResourceDocument): ProviderVersion {
  const { links, ...shown } = data;
  const { attributes = {} } = data;
  const { protocols } = attributes;
  return {
    document: { ...document, data: shown },
    id: data.id,
    version: toText(attributes['version']) ?? '',
    keyId: toText(attributes['key-id']) ?? '',
    protocols: Array.isArray(protocols) ? protocols.filter((each) => typeof each === 'string') : [],
    hasSums: attributes['shasums-uploaded'] === true,
    hasSignature: attributes['shasums-sig-uploaded'] === true,
    links: {
      sumsUpload: toLink(links, 'shasums-upload'),
      signatureUpload: toLink(links, 'shasums-sig-upload'),
      sumsDownload: toLink(links, 'shasums-download'),
    },
  };
}

function toPlatform({ attributes = {}, links }: Resource): ProviderPlatform {
  return {
    os: toText(attributes['os']) ?? '',
    arch: toText(attributes['arch']) ?? '',
    sum: toText(attributes['shasum']) ?? '',
    filename: toText(attributes['filename']) ?? '',
    hasFile: attributes['provider-binary-uploaded'] === true,
    upload: toLink(links, 'provider-binary-upload'),
  };
}

function toLink(links: unknown, name: string): string | undefined {
  return isObject(links) ? toText(links[name]) : undefined;
}
