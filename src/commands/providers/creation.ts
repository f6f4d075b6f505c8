import { type ProviderAddress, type Providers, toAddressText } from '../../service/providers.ts';
import type { WriteResult } from '../../stdout/result.ts';
import type { Resource } from '../../wire/json-api.ts';

/** Adds the provider where it is not there. Undefined in a dry run. */
export async function createIn(
  providers: Providers,
  organization: string,
  address: ProviderAddress,
  extra: Readonly<Record<string, unknown>> = {},
): Promise<WriteResult | undefined> {
  const present = await providers.find(organization, address, 'create');
  const document = present ?? (await providers.create(organization, address));
  if (document === undefined) return undefined;
  const changed = present === undefined;
  const known = { ...extra, address: toAddressText(address), ...toPlace(document.data, organization) };
  return { resource: document.data, document, extra: { ...known, changed, result: changed ? 'created' : 'unchanged' } };
}

/** Where the service leaves it out. */
function toPlace({ relationships }: Resource, organization: string): { readonly organization?: object } {
  return relationships?.['organization'] === undefined
    ? { organization: { id: organization, type: 'organizations' } }
    : {};
}
