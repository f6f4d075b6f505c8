import type { Resource } from '../wire/json-api.ts';
import { isPermitted, type OperationName } from './operations.ts';

/** What the service says of the caller's permissions. It is no promise: of some tokens the service says less than it permits. */
export function createPermits(findOrganization: (name: string) => Promise<Resource | undefined>) {
  const readings = new Map<string, Promise<Resource | undefined>>();
  const find = (organization: string): Promise<Resource | undefined> => {
    const reading = readings.get(organization) ?? findOrganization(organization);
    readings.set(organization, reading);
    return reading;
  };
  return {
    /** As the service shows it; undefined where it doesn't. */
    findOrganization: find,
    /** Whether the caller may do it there; undefined where the service does not say. Each organization is read once. */
    permits: async (name: OperationName, organization: string): Promise<boolean | undefined> =>
      isPermitted(name, await find(organization)),
  };
}
