import { type ProviderAddress, type Providers, toAddressText } from '../../service/providers.ts';
import type { WriteResult } from '../../stdout/result.ts';

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
  const result = changed ? 'created' : 'unchanged';
  return { resource: document.data, document, extra: { ...extra, address: toAddressText(address), changed, result } };
}
