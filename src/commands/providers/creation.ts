import type { Context } from '../../context/context.ts';
import { ServiceError } from '../../errors.ts';
import { toListedProvider } from '../../provider-list/plan.ts';
import { readProviders } from '../../provider-list/plan-providers.ts';
import { addOrganization } from '../../resources/organization.ts';
import { type ProviderAddress, toAddressKey, toAddressText } from '../../resources/provider-address.ts';
import type { Service } from '../../service/service.ts';
import { formatCount } from '../../text/count.ts';
import type { JobResult } from '../bulk.ts';
import type { ProviderResultRow } from './columns.ts';

/** Adds providers where they are not there. */
export function createCreation({ providers }: Pick<Service, 'providers'>, { note }: Pick<Context['screen'], 'note'>) {
  const unusable: string[] = [];
  return {
    /** Undefined in a dry run. `isRead`: the whole list was, and it is not in it. */
    async create(
      organization: string,
      address: ProviderAddress,
      { isRead = false, ...extra }: { readonly isRead?: boolean } & Pick<ProviderResultRow, 'action'> = {},
    ): Promise<JobResult<ProviderResultRow> | undefined> {
      const found = await providers.find(organization, address, 'create');
      const present = found ?? (isRead ? undefined : await findOtherSpelling({ providers }, organization, address));
      const document = present ?? (await providers.create(organization, address));
      if (document === undefined) return undefined;
      const changed = present === undefined;
      if (changed && address.registryName === 'private') unusable.push(toAddressText(address));
      const listed = toListedProvider(document.data, organization)?.address ?? address;
      const known = { ...extra, address: toAddressText(listed), ...addOrganization(document.data, organization) };
      return {
        resource: document.data,
        document,
        extra: { ...known, changed, result: changed ? 'created' : 'unchanged' },
      };
    },
    /** What was added and does not work yet, once all of it is. */
    noteUnusable(): void {
      const [only] = unusable;
      if (only === undefined) return;
      const isOne = unusable.length === 1;
      const what = isOne ? `${only} is` : `${formatCount(unusable.length)} private providers are`;
      const version = isOne ? 'a version' : 'a version of each';
      note(`${what} listed now, and can't be used until you publish ${version} with a platform and its files.`);
    },
  };
}

/** Registries fold the case of an address, and the service takes one in another case for another provider. */
async function findOtherSpelling(service: Pick<Service, 'providers'>, organization: string, address: ProviderAddress) {
  const listed = await readProviders(service, organization, address.name.toLowerCase()).catch((error: unknown) => {
    // Where the list is refused, what is sent next says why.
    if (error instanceof ServiceError) return [];
    throw error;
  });
  const same = listed.find((one) => toAddressKey(one.address) === toAddressKey(address));
  return same === undefined ? undefined : await service.providers.find(organization, same.address, 'create');
}
