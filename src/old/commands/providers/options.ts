import type { Context } from '../../context/context.ts';
import {
  type AddressContext,
  type ParsedAddress,
  toAddresses,
  toAddressText,
  toPartText,
} from '../../resources/provider-address.ts';

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
  rules: Parameters<typeof toAddresses>[2] = {},
): Promise<readonly Placed[]> {
  const serviceHost = context.identity.serviceHost();
  return (await context.organizations.names()).flatMap((organization) =>
    toAddresses(texts, { organization, serviceHost }, rules).map((parsed) => ({ ...parsed, organization })),
  );
}

/** `private/acme/billing@1.2.0` */
export function toWholeText({ address, part }: ParsedAddress): string {
  return toAddressText(address) + toPartText(part);
}
