import { type Command, Option } from 'commander';
import type { Context } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import type { ProviderAddress } from '../../service/providers.ts';
import type { RegistryName } from '../../wire/resources.ts';

/** What an address is read against. */
export interface AddressSetting {
  readonly organization: string;
  /** Host name of the service in force, with its port if it has one. */
  readonly serviceHost: string;
}

export function toAddressSetting({ identity }: Pick<Context, 'identity'>): AddressSetting {
  return { organization: identity.organization(), serviceHost: identity.serviceHost() };
}

export interface AddressFlags {
  readonly registry?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** An address, and whether it was given whole: registry, namespace and name. */
export interface ParsedAddress {
  readonly address: ProviderAddress;
  readonly whole: boolean;
}

const PUBLIC_REGISTRY_HOST = 'registry.terraform.io';
const FORMS =
  'Give registry/namespace/name, namespace/name, or a name alone for a private provider of the organization.';

export function addAddressOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--registry <registry>', 'public or private, with --namespace and --name instead of an address'),
    )
    .addOption(new Option('--namespace <namespace>', 'the provider’s namespace, with --name'))
    .addOption(new Option('--name <name>', 'the provider’s name'));
}

/** The addresses of a command: its arguments, or the three options. Throws UsageError; repeats are folded. */
export function toAddresses(
  texts: readonly string[],
  flags: AddressFlags,
  setting: AddressSetting,
): readonly ParsedAddress[] {
  const spelled = [flags.registry, flags.namespace, flags.name].some((part) => part !== undefined);
  if (spelled && texts.length > 0) {
    throw new UsageError('an address and --registry, --namespace or --name exclude each other', { hint: FORMS });
  }
  if (!spelled && texts.length === 0) throw new UsageError('no provider is named', { hint: FORMS });
  const parsed = spelled ? [spellAddress(flags, setting)] : texts.map((text) => parseAddress(text, setting));
  const byText = new Map(parsed.map((one) => [JSON.stringify(one.address), one]));
  return [...byText.values()];
}

function spellAddress(flags: AddressFlags, setting: AddressSetting): ParsedAddress {
  if (flags.name === undefined) throw new UsageError('--name is missing', { hint: FORMS });
  if (flags.registry !== undefined && flags.registry !== 'public' && flags.registry !== 'private') {
    throw new UsageError(`--registry is public or private, not '${flags.registry}'`, { hint: FORMS });
  }
  const whole = flags.registry !== undefined && flags.namespace !== undefined;
  const parts = [flags.registry, flags.namespace, flags.name].filter((part) => part !== undefined);
  for (const part of parts) checkPart(part, parts.join('/'));
  if (flags.namespace === undefined) {
    if (flags.registry === 'public')
      throw new UsageError('--namespace is missing: a public provider has one', { hint: FORMS });
    return { address: { registryName: 'private', namespace: setting.organization, name: flags.name }, whole };
  }
  const registryName = flags.registry ?? inferRegistry(flags.namespace, setting);
  return { address: check({ registryName, namespace: flags.namespace, name: flags.name }, setting), whole };
}

/** Reads every form an address is written in. Throws UsageError naming the text. */
function parseAddress(text: string, setting: AddressSetting): ParsedAddress {
  const parts = text.trim().split('/');
  for (const part of parts) checkPart(part, text);
  const [first = '', second = '', third = ''] = parts;
  switch (parts.length) {
    case 1:
      return { address: { registryName: 'private', namespace: setting.organization, name: first }, whole: false };
    case 2: {
      if (first === 'private') {
        return { address: { registryName: 'private', namespace: setting.organization, name: second }, whole: false };
      }
      if (first === 'public') {
        throw new UsageError(`'${text}' lacks the namespace of a public provider`, {
          hint: 'Give public/namespace/name.',
        });
      }
      const registryName = inferRegistry(first, setting);
      return { address: check({ registryName, namespace: first, name: second }, setting), whole: false };
    }
    case 3:
      return {
        address: check({ registryName: readRegistry(first, text, setting), namespace: second, name: third }, setting),
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

function readRegistry(first: string, text: string, setting: AddressSetting): RegistryName {
  const registry = first.toLowerCase();
  if (registry === 'public' || registry === PUBLIC_REGISTRY_HOST) return 'public';
  if (registry === 'private' || registry === setting.serviceHost.toLowerCase()) return 'private';
  throw new UsageError(
    `'${first}' in '${text}' is neither public, private, ${PUBLIC_REGISTRY_HOST} nor ${setting.serviceHost}`,
    {
      hint: FORMS,
    },
  );
}

function inferRegistry(namespace: string, setting: AddressSetting): RegistryName {
  return namespace.toLowerCase() === setting.organization.toLowerCase() ? 'private' : 'public';
}

/** A private provider's namespace is its organization, by the document, and is sent as that is spelled. */
function check(address: ProviderAddress, setting: AddressSetting): ProviderAddress {
  if (address.registryName === 'public') return address;
  if (inferRegistry(address.namespace, setting) === 'private') return { ...address, namespace: setting.organization };
  throw new UsageError(
    `a private provider’s namespace is its organization: ${address.namespace} is not ${setting.organization}`,
    { hint: `Give private/${setting.organization}/${address.name}, or another organization with --org.` },
  );
}
