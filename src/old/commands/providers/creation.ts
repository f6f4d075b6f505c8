import type { Context } from '../../context/context.ts';
import { addOrganization } from '../../resources/organization.ts';
import { findAddress, type ProviderAddress, toAddressText } from '../../resources/provider-address.ts';
import type { Service } from '../../service/service.ts';
import { formatCount } from '../../text/count.ts';
import type { JobResult } from '../bulk.ts';
import type { ProviderResultRow } from './columns.ts';

/** Adds providers where they are not there. */
export function createCreation({ providers }: Pick<Service, 'providers'>, { note }: Pick<Context['screen'], 'note'>) {
  const unusable: string[] = [];
  return {
    /** Undefined in a dry run. */
    async create(organization: string, address: ProviderAddress): Promise<JobResult<ProviderResultRow> | undefined> {
      const present = await providers.find(organization, address, 'create');
      const document = present ?? (await providers.create(organization, address));
      if (document === undefined) return undefined;
      const changed = present === undefined;
      if (changed && address.registryName === 'private') unusable.push(toAddressText(address));
      const listed = findAddress(document.data) ?? address;
      const known = { address: toAddressText(listed), ...addOrganization(document.data, organization) };
      return {
        resource: document.data,
        included: document.included ?? [],
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
