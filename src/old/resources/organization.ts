import { getMember, toText } from '../json-object.ts';
import type { Resource, ResourceIdentifier } from '../wire/json-api.ts';
import { ORGANIZATIONS } from '../wire/resources.ts';

/** Which organization something is of, as answers and rows say it. */

export function toOrganization(name: string): ResourceIdentifier {
  return { id: name, type: ORGANIZATIONS };
}

/** Undefined where the service does not say. */
export function findOrganization({ relationships }: Resource): string | undefined {
  return toText(getMember(relationships, 'organization', 'data', 'id'));
}

/** What a row says beside a resource that leaves it out. */
export function addOrganization(resource: Resource, name: string): { readonly organization?: ResourceIdentifier } {
  return findOrganization(resource) === undefined ? { organization: toOrganization(name) } : {};
}
