import { isObject, type JsonObject } from '../lib/json.ts';
import type { Relationship, Resource, ResourceIdentifier } from './types.ts';

/**
 * A resource as one plain record: `id`, `type`, attributes, and relationships with their included resources. A relationship
 * that has only links is left out.
 */
export function flatten(resource: Resource, included: Resource[] = []): JsonObject {
  return flattenWith(resource, indexResources(included));
}

export async function* flattenPages(pages: AsyncIterable<{ items: Resource[]; included: Resource[] }>) {
  for await (const { items, included } of pages) {
    const index = indexResources(included);
    yield items.map((item) => flattenWith(item, index));
  }
}

export function listRelated(relationship: Relationship | undefined): ResourceIdentifier[] {
  return [relationship?.data ?? []].flat();
}

type Index = Map<string, Resource>;

function indexResources(resources: Resource[]): Index {
  return new Map(resources.map((resource) => [`${resource.type} ${resource.id}`, resource]));
}

function flattenWith({ id, type, attributes, relationships = {} }: Resource, index: Index): JsonObject {
  const expand = ({ id, type }: ResourceIdentifier): JsonObject =>
    identify({ id, type }, index.get(`${type} ${id}`)?.attributes);
  const related = Object.entries(relationships).flatMap(([name, { data } = {}]) => {
    if (data === undefined) return [];
    return [[name, Array.isArray(data) ? data.map(expand) : data && expand(data)]];
  });
  const record = identify({ id, type }, { ...attributes, ...Object.fromEntries(related) });
  // In every documented answer the user has the email (facts).
  if (type === 'organization-memberships' && isObject(record.user)) record.email ||= record.user.email ?? record.email;
  return record;
}

/** An attribute that is called `id` or `type` identifies nothing. */
function identify({ id, type }: ResourceIdentifier, values: JsonObject = {}): JsonObject {
  // An object that begins with a spread takes twice the memory.
  return Object.assign<JsonObject, ResourceIdentifier>({ id, type, ...values }, { id, type });
}
