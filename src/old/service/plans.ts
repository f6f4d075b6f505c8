import { ServiceError } from '../errors.ts';
import type { Resource, ResourceDocument } from '../wire/json-api.ts';
import { type Call, type Client, readResource } from './client.ts';

/**
 * What the service says of an organization's plan beside the feature sets. Outside the document, so Assumed throughout: where a
 * route is missing, or closed to this caller, it gives undefined.
 */
export function createPlans(client: Client) {
  const readIfThere = async (call: Call): Promise<ResourceDocument | undefined> => {
    try {
      return readResource(await client.read(call));
    } catch (error) {
      if (error instanceof ServiceError && (error.status === 403 || error.status === 404)) return undefined;
      throw error;
    }
  };
  return {
    /** The feature set that the organization has subscribed to; of a service that does not send it along, its id alone. */
    async findSubscribed(organization: string): Promise<Resource | undefined> {
      const found = await readIfThere({ operation: 'show-subscription', parameters: { organization } });
      const identifier = found?.data?.relationships?.['feature-set']?.data;
      if (identifier === undefined || identifier === null || !('id' in identifier)) return undefined;
      const { type, id } = identifier;
      return found?.included?.find((one) => one.type === type && one.id === id) ?? { type, id };
    },
    async findOrganization(organization: string): Promise<Resource | undefined> {
      return (await readIfThere({ operation: 'show-organization', parameters: { organization } }))?.data;
    },
    async findEntitlements(organization: string): Promise<Resource | undefined> {
      return (await readIfThere({ operation: 'show-entitlements', parameters: { organization } }))?.data;
    },
  };
}
