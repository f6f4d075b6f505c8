import { UsageError } from '../errors.ts';
import { isObject } from '../json-object.ts';
import { isSameName } from '../names.ts';
import type { Resource } from '../wire/json-api.ts';
import type { RegistryName } from '../wire/resources.ts';

export const REGISTRIES: readonly RegistryName[] = ['public', 'private'];

export interface ProviderAddress {
  readonly registryName: RegistryName;
  readonly namespace: string;
  readonly name: string;
}

export function toAddressText(address: ProviderAddress): string {
  return `${address.registryName}/${address.namespace}/${address.name}`;
}

/** Undefined for what has none. */
export function findAddress({ attributes }: Resource): ProviderAddress | undefined {
  const { 'registry-name': registry, namespace, name } = isObject(attributes) ? attributes : {};
  const registryName = findRegistry(registry);
  if (registryName === undefined || typeof namespace !== 'string' || typeof name !== 'string') return undefined;
  return { registryName, namespace, name };
}

function findRegistry(text: unknown): RegistryName | undefined {
  return REGISTRIES.find((name) => name === text);
}

/** By which two addresses are compared: registries fold the case of namespaces and names. */
export function toAddressKey(address: ProviderAddress): string {
  return toAddressText(address).toLowerCase();
}

export interface AddressContext {
  readonly organization: string;
  readonly serviceHost: string;
}

export interface ParsedAddress {
  readonly address: ProviderAddress;
  readonly whole: boolean;
  /** What stands after `@`: a version of a private provider, or one platform of it. */
  readonly part?: ProviderPart;
}

export interface ProviderPart {
  readonly version: string;
  readonly platform?: { readonly os: string; readonly arch: string };
}

const PUBLIC_REGISTRY_HOST = 'registry.terraform.io';
const FORMS =
  'Give registry/namespace/name, namespace/name, or a name alone for a private provider of the organization.';

interface AddressRules {
  /** Whether an address may name a version, or a platform of one. */
  readonly takesParts?: boolean;
}

/** Throws UsageError; repeats are folded. */
export function toAddresses(
  texts: readonly string[],
  context: AddressContext,
  { takesParts = false }: AddressRules = {},
): readonly ParsedAddress[] {
  const parsed = texts.map((text) => parseWithPart(text, context, takesParts));
  return [...new Map(parsed.map((one) => [JSON.stringify([one.address, one.part]), one])).values()];
}

/** Of the option. Throws UsageError. */
export function parseRegistry(text: string, hint: string): RegistryName {
  const registry = findRegistry(text);
  if (registry !== undefined) return registry;
  throw new UsageError(`--registry must be public or private, not '${text}'`, { hint });
}

function parseWithPart(text: string, context: AddressContext, takesParts: boolean): ParsedAddress {
  const at = text.indexOf('@');
  if (at < 0) return parseAddress(text, context);
  const parsed = parseAddress(text.slice(0, at), context);
  if (!takesParts) {
    throw new UsageError(`'${text}' names a version, and this is about a provider`, {
      hint: `Leave out ${text.slice(at)}.`,
    });
  }
  if (parsed.address.registryName === 'public') {
    throw new UsageError(`'${text}' names a version of a public provider, which only the public registry has`, {
      hint: 'Only versions of private providers can be named.',
    });
  }
  return { ...parsed, part: parsePart(text.slice(at + 1), text) };
}

function parsePart(part: string, text: string): ProviderPart {
  const [, version = '', os, arch] = /^v?([0-9][^/\s]*)(?:\/([a-z0-9]+)_([a-z0-9]+))?$/.exec(part.trim()) ?? [];
  if (version === '') {
    throw new UsageError(`'${text}' is not a provider, a version or a platform`, {
      hint: 'Give a version as <address>@1.2.0, and a platform as <address>@1.2.0/linux_amd64.',
    });
  }
  return os === undefined || arch === undefined ? { version } : { version, platform: { os, arch } };
}

/** `@1.2.0`, `@1.2.0/linux_amd64`; empty for a whole provider. */
export function toPartText(part: ProviderPart | undefined): string {
  if (part === undefined) return '';
  const { version, platform } = part;
  return `@${version}${platform === undefined ? '' : `/${platform.os}_${platform.arch}`}`;
}

function parseAddress(text: string, context: AddressContext): ParsedAddress {
  const parts = text.trim().split('/');
  for (const part of parts) checkPart(part, text);
  const [first = '', second = '', third = ''] = parts;
  switch (parts.length) {
    case 1:
      return { address: { registryName: 'private', namespace: context.organization, name: first }, whole: false };
    case 2: {
      if (first === 'private') {
        return { address: { registryName: 'private', namespace: context.organization, name: second }, whole: false };
      }
      if (first === 'public') {
        throw new UsageError(`'${text}' has no namespace, which a public provider needs`, {
          hint: 'Give public/namespace/name.',
        });
      }
      const registryName = inferRegistry(first, context);
      return { address: check({ registryName, namespace: first, name: second }, context), whole: false };
    }
    case 3:
      return {
        address: check({ registryName: readRegistry(first, text, context), namespace: second, name: third }, context),
        whole: true,
      };
    default:
      throw new UsageError(`'${text}' is not a provider address`, { hint: FORMS });
  }
}

function checkPart(part: string, text: string): void {
  if (part === '' || part === '.' || part === '..' || /[\s\p{Cc}\p{Surrogate}]/u.test(part)) {
    throw new UsageError(`'${text}' is not a provider address`, { hint: FORMS });
  }
}

function readRegistry(first: string, text: string, context: AddressContext): RegistryName {
  const registry = first.toLowerCase();
  if (registry === 'public' || registry === PUBLIC_REGISTRY_HOST) return 'public';
  if (registry === 'private' || registry === context.serviceHost.toLowerCase()) return 'private';
  throw new UsageError(
    `'${first}' in '${text}' must be public, private, ${PUBLIC_REGISTRY_HOST} or ${context.serviceHost}`,
    {
      hint: FORMS,
    },
  );
}

function inferRegistry(namespace: string, context: AddressContext): RegistryName {
  return isSameName(namespace, context.organization) ? 'private' : 'public';
}

/** A private provider's namespace is its organization, by the document, and is sent as that is spelled. */
function check(address: ProviderAddress, context: AddressContext): ProviderAddress {
  if (address.registryName === 'public') return address;
  if (inferRegistry(address.namespace, context) === 'private') return { ...address, namespace: context.organization };
  throw new UsageError(
    `the namespace of a private provider is its organization, and ${address.namespace} is not ${context.organization}`,
    {
      code: 'other-namespace',
      hint: `Use private/${context.organization}/${address.name}, or add --org ${address.namespace}.`,
    },
  );
}

/** Stands for the service that runs the configuration. */
const GENERIC_HOST = 'localterraform.com';
const BUILT_IN = 'terraform.io/builtin';

/**
 * What the source address of a lock file means: `host/namespace/name`. A provider of any other host is another one, whatever
 * its name, as OpenTofu's builds are: of those no organization has a list. Undefined for what is no source address.
 */
export function toSourceAddress(
  source: string,
  serviceHost: string,
): ProviderAddress | 'built-in' | 'elsewhere' | undefined {
  const parts = source.toLowerCase().split('/');
  const [host = '', namespace = '', name = ''] = parts;
  if (parts.length !== 3 || parts.some((part) => !/^[^\s.\p{Cc}${}][^\s\p{Cc}${}]*$/u.test(part))) return undefined;
  if (`${host}/${namespace}` === BUILT_IN) return 'built-in';
  if (host === PUBLIC_REGISTRY_HOST) return { registryName: 'public', namespace, name };
  const isOwn = host === serviceHost.toLowerCase() || host === GENERIC_HOST;
  return isOwn ? { registryName: 'private', namespace, name } : 'elsewhere';
}
