import type { Context } from '../../context/context.ts';
import {
  type AddressContext,
  type AddressParts,
  type ParsedAddress,
  REGISTRIES,
  toAddresses,
  toAddressText,
  toPartText,
} from '../../resources/provider-address.ts';
import { type Need, text } from '../param.ts';

/** An address has forms of its own, and what reads them says when it is missing. */
export const ADDRESS: Need = { or: ['name'], isOwn: true };

/** What names a provider in place of an address. */
export const ADDRESS_PARTS = {
  registry: text('--registry <registry>', 'public or private (with --namespace and --name, instead of an address)', {
    complete: REGISTRIES,
  }),
  namespace: text('--namespace <namespace>', "The provider's namespace (with --name)"),
  name: text('--name <name>', "The provider's name"),
};

export function toAddressContext({ identity }: Context): AddressContext {
  return { organization: identity.organization(), serviceHost: identity.serviceHost() };
}

/** A provider of one of the organizations. */
export interface Placed extends ParsedAddress {
  readonly organization: string;
}

/** The addresses of a command in each of its organizations. Throws UsageError, also where one of them can't have such a provider. */
export async function placeAddresses(
  context: Context,
  texts: readonly string[],
  parts: AddressParts,
  rules: Parameters<typeof toAddresses>[3] = {},
): Promise<readonly Placed[]> {
  const serviceHost = context.identity.serviceHost();
  return (await context.organizations.names()).flatMap((organization) =>
    toAddresses(texts, parts, { organization, serviceHost }, rules).map((parsed) => ({ ...parsed, organization })),
  );
}

/** `private/acme/billing@1.2.0` */
export function toWholeText({ address, part }: ParsedAddress): string {
  return toAddressText(address) + toPartText(part);
}
