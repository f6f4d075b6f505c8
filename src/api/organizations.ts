import { ServiceError } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json.ts';
import type { Client } from './client.ts';
import { readList, readResource } from './error-document.ts';
import { withInclude } from './include.ts';
import { createCall, type OperationName } from './operations.ts';
import { fetchPages, parseTotals, readAll } from './pagination.ts';
import type { Relationship, Resource, ResourceDocument, ResourceIdentifier } from './types.ts';

export interface OwnOrganization {
  /** Of the membership. */
  id: string;
  name: string;
  status: string;
  isOwner: boolean;
}

/** The organizations that the caller is a member of or invited to. */
export async function listOwnOrganizations(client: Client): Promise<OwnOrganization[]> {
  const call = createCall('list-own-memberships');
  const ownerTeams = new Set<string>();
  const fetch = withInclude(fetchPages(client, call), { own: ['teams'] });
  const memberships = await readAll({
    what: call.what,
    // The document shows no parameters for this list.
    isPaginated: false,
    async fetch(query) {
      const page = await fetch(query);
      for (const { id, attributes } of page.included) if (attributes?.name === 'owners') ownerTeams.add(id);
      return page;
    },
    warn: () => undefined,
  });
  return memberships.map(({ id, attributes, relationships }) => ({
    id,
    name: listRelated(relationships?.organization)[0]?.id ?? '',
    status: String(attributes?.status),
    isOwner: listRelated(relationships?.teams).some(({ id }) => ownerTeams.has(id)),
  }));
}

/** How many members are active and how many are invited. */
export async function countMembers(client: Client, org: string): Promise<{ active: number; invited: number }> {
  const count = async (status: 'active' | 'invited'): Promise<number> => {
    const call = createCall('list-members', { org }, [['filter[status]', status]]);
    const first = readList(await client.read({ ...call, query: [...call.query, ['page[size]', 1]] }));
    const total = parseTotals(first)?.items;
    if (total !== undefined) return total;
    return (await readAll({ what: call.what, fetch: fetchPages(client, call), warn: () => undefined })).length;
  };
  const [active, invited] = await Promise.all([count('active'), count('invited')]);
  return { active, invited };
}

/** Undefined if the service has no such route or does not show it: this is outside the document. */
export async function findEntitlements(client: Client, org: string): Promise<JsonObject | undefined> {
  return (await findResource(client, 'show-entitlements', org))?.data.attributes;
}

/** The feature set of the organization's subscription. Undefined as above. */
export async function findSubscribedFeatureSet(client: Client, org: string): Promise<Resource | undefined> {
  const document = await findResource(client, 'show-subscription', org);
  const subscribed = listRelated(document?.data.relationships?.['feature-set'])[0];
  return document?.included?.find(({ id, type }) => type === subscribed?.type && id === subscribed.id);
}

async function findResource(
  client: Client,
  operation: OperationName,
  org: string,
): Promise<ResourceDocument | undefined> {
  try {
    return readResource(await client.read(createCall(operation, { org })));
  } catch (error) {
    if (error instanceof ServiceError && [403, 404].includes(error.status)) return undefined;
    throw error;
  }
}

function listRelated(relationship: Relationship | undefined): ResourceIdentifier[] {
  const data = relationship?.data ?? [];
  return Array.isArray(data) ? data : [data];
}
