import { UsageError } from '../errors.ts';
import type { RegistryName } from '../wire/resources.ts';
import type { ProviderAddress } from './providers.ts';

export interface AddressContext {
  readonly organization: string;
  readonly serviceHost: string;
}

export interface AddressParts {
  readonly registry?: string;
  readonly namespace?: string;
  readonly name?: string;
}

export interface ParsedAddress {
  readonly address: ProviderAddress;
  readonly whole: boolean;
}

/** Code of the error for a private provider of another organization than the one in use. */
export const OTHER_NAMESPACE = 'other-namespace';

const PUBLIC_REGISTRY_HOST = 'registry.terraform.io';
const FORMS =
  'Give registry/namespace/name, namespace/name, or a name alone for a private provider of the organization.';

/** The addresses of a command: its arguments, or the three options. Throws UsageError; repeats are folded. */
export function toAddresses(
  texts: readonly string[],
  options: AddressParts,
  context: AddressContext,
): readonly ParsedAddress[] {
  const spelled = [options.registry, options.namespace, options.name].some((part) => part !== undefined);
  if (spelled && texts.length > 0) {
    throw new UsageError('use an address or --registry, --namespace and --name, not both', { hint: FORMS });
  }
  if (!spelled && texts.length === 0) throw new UsageError('missing <address>', { hint: FORMS });
  const parsed = spelled ? [spellAddress(options, context)] : texts.map((text) => parseAddress(text, context));
  const byText = new Map(parsed.map((one) => [JSON.stringify(one.address), one]));
  return [...byText.values()];
}

function spellAddress(options: AddressParts, context: AddressContext): ParsedAddress {
  if (options.name === undefined) throw new UsageError('missing --name', { hint: FORMS });
  if (options.registry !== undefined && options.registry !== 'public' && options.registry !== 'private') {
    throw new UsageError(`--registry must be public or private, not '${options.registry}'`, { hint: FORMS });
  }
  const whole = options.registry !== undefined && options.namespace !== undefined;
  const parts = [options.registry, options.namespace, options.name].filter((part) => part !== undefined);
  for (const part of parts) checkPart(part, parts.join('/'));
  if (options.namespace === undefined) {
    if (options.registry === 'public')
      throw new UsageError('missing --namespace: a public provider has one', { hint: FORMS });
    return { address: { registryName: 'private', namespace: context.organization, name: options.name }, whole };
  }
  const registryName = options.registry ?? inferRegistry(options.namespace, context);
  return { address: check({ registryName, namespace: options.namespace, name: options.name }, context), whole };
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
  return namespace.toLowerCase() === context.organization.toLowerCase() ? 'private' : 'public';
}

/** A private provider's namespace is its organization, by the document, and is sent as that is spelled. */
function check(address: ProviderAddress, context: AddressContext): ProviderAddress {
  if (address.registryName === 'public') return address;
  if (inferRegistry(address.namespace, context) === 'private') return { ...address, namespace: context.organization };
  throw new UsageError(
    `the namespace of a private provider is its organization, and ${address.namespace} is not ${context.organization}`,
    {
      code: OTHER_NAMESPACE,
      hint: `Use private/${context.organization}/${address.name}, or add --org ${address.namespace}.`,
    },
  );
}

const PUBLIC_REGISTRIES = [PUBLIC_REGISTRY_HOST, 'registry.opentofu.org'];
/** Stands for the service that runs the configuration. */
const GENERIC_HOST = 'localterraform.com';
const BUILT_IN = 'terraform.io/builtin';

/**
 * What the source address of a lock file means: `host/namespace/name`. OpenTofu's registry has the providers of the public one.
 * A provider of any other host is given as it is written, in small letters; undefined for what is no source address.
 */
export function toSourceAddress(
  source: string,
  serviceHost: string,
): ProviderAddress | 'built-in' | string | undefined {
  const parts = source.toLowerCase().split('/');
  const [host = '', namespace = '', name = ''] = parts;
  if (parts.length !== 3 || parts.some((part) => !/^[\w-][\w.:-]*$/.test(part))) return undefined;
  if (`${host}/${namespace}` === BUILT_IN) return 'built-in';
  if (PUBLIC_REGISTRIES.includes(host)) return { registryName: 'public', namespace, name };
  const isOwn = host === serviceHost.toLowerCase() || host === GENERIC_HOST;
  return isOwn ? { registryName: 'private', namespace, name } : parts.join('/');
}
