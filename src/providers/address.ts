import type { Client } from '../api/client.ts';
import type { Platform } from '../api/provider-versions.ts';
import { listProviders, type ProviderAddress } from '../api/providers.ts';
import { UsageError } from '../lib/errors.ts';
import { assertVisible } from '../lib/input-text.ts';
import type { JsonObject } from '../lib/json.ts';
import { isSameName } from '../lib/text.ts';

export interface AddressScope {
  org: string;
  /** The host of the service, by which lock files name its private providers. */
  host: string;
}

/** A provider, or a version or platform of a private one. */
export interface ProviderTarget extends ProviderAddress {
  version?: string;
  platform?: Platform;
}

const PUBLIC_HOST = 'registry.terraform.io';
const FORMS = 'Give registry/namespace/name, namespace/name, or the name of a private provider.';

/** `public/hashicorp/aws` */
export function formatAddress({ registry, namespace, name }: ProviderAddress): string {
  return `${registry}/${namespace}/${name}`;
}

/** `private/acme/billing@1.2.0/linux_amd64` */
export function formatTarget({ version, platform, ...address }: ProviderTarget): string {
  const part = version === undefined ? '' : `@${version}`;
  return `${formatAddress(address)}${part}${platform ? `/${formatPlatform(platform)}` : ''}`;
}

export function formatPlatform({ os, arch }: Platform): string {
  return `${os}_${arch}`;
}

/** Takes a flattened provider. */
export function addAddress(record: JsonObject): JsonObject {
  const parts = [record['registry-name'], record.namespace, record.name];
  return { ...record, address: parts.join('/') };
}

export function parseAddress(text: string, scope: AddressScope): ProviderAddress {
  const target = parseTarget(text, scope);
  if (target.version === undefined) return target;
  throw new UsageError(`'${text}' names a version, but this command takes providers`);
}

export function parsePrivateAddress(text: string, scope: AddressScope): ProviderAddress {
  const address = parseAddress(text, scope);
  if (address.registry === 'private') return address;
  throw new UsageError(`${formatAddress(address)} is a public provider, but this command takes private ones`);
}

/** Takes an address that may end with `@<version>` or `@<version>/<os>_<arch>`. Throws UsageError. */
export function parseTarget(text: string, scope: AddressScope): ProviderTarget {
  assertVisible(text);
  const [provider = '', part] = text.split(/@(.*)/s);
  const parts = provider.split('/');
  if (parts.length > 3 || parts.some((one) => !/^(?!\.{1,2}$)[^\s\p{Cc}]+$/u.test(one))) {
    throw new UsageError(`'${text}' is not a provider address`, { hint: FORMS });
  }
  const address = findAddress(parts, scope, text);
  if (part === undefined) return address;
  if (address.registry === 'public') {
    throw new UsageError(`'${text}' names a version of a public provider, which only the public registry has`);
  }
  const [, version, os, arch] = /^v?(\d[^/\s]*)(?:\/([a-z0-9]+)_([a-z0-9]+))?$/.exec(part) ?? [];
  if (version === undefined) {
    throw new UsageError(`'${text}' names no version`, {
      hint: 'It must look like billing@1.2.0 or billing@1.2.0/linux_amd64.',
    });
  }
  return { ...address, version, platform: os && arch ? { os, arch } : undefined };
}

function findAddress(parts: string[], { org, host }: AddressScope, text: string): ProviderAddress {
  const [name = '', namespace = org, given] = parts.toReversed();
  const isOwn = isSameName(namespace, org);
  const registry = findRegistry(given ?? (isOwn ? 'private' : 'public'), host);
  if (registry === undefined) {
    throw new UsageError(`'${text}' names the registry ${given}`, {
      hint: `Give public, private, ${PUBLIC_HOST} or ${host}.`,
    });
  }
  if (registry === 'public') return { registry, namespace, name };
  // In the document the namespace of a private provider is the organization.
  if (isOwn) return { registry, namespace: org, name };
  throw new UsageError(`the namespace of a private provider is its organization, and '${text}' is not in ${org}`, {
    hint: `Use private/${org}/${name}, or add --org ${namespace}.`,
  });
}

function findRegistry(text: string, host: string): ProviderAddress['registry'] | undefined {
  if (isSameName(text, 'public') || isSameName(text, PUBLIC_HOST)) return 'public';
  return isSameName(text, 'private') || isSameName(text, host) ? 'private' : undefined;
}

/** Takes `host/namespace/name` of a lock file. Undefined for providers of other registries, which no organization lists. */
export function parseSource(source: string, host: string): ProviderAddress | undefined {
  const [registryHost = '', namespace = '', name = ''] = source.split('/');
  if (isSameName(registryHost, PUBLIC_HOST)) return { registry: 'public', namespace, name };
  // localterraform.com means the service that runs the configuration (facts).
  const isOwn = isSameName(registryHost, host) || isSameName(registryHost, 'localterraform.com');
  return isOwn ? { registry: 'private', namespace, name } : undefined;
}

/** The returned function returns the id of a provider; undefined if the organization does not list it. */
export async function readListed(client: Client, org: string) {
  const listed = (await listProviders(client, org, {}).allRecords()).map(addAddress);
  const ids = new Map(listed.map(({ id, address }) => [String(address).toLowerCase(), String(id)]));
  // Registries ignore the case of addresses.
  return (address: ProviderAddress): string | undefined => ids.get(formatAddress(address).toLowerCase());
}
