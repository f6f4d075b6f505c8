import type { JsonObject } from '../lib/json.ts';
import type { Client } from './client.ts';
import { readList, readResource } from './error-document.ts';
import { listRelated } from './flatten.ts';
import { listOwnMemberships } from './memberships.ts';
import { catchNotFound, isRefused } from './not-found.ts';
import { createCall, type OperationName } from './operations.ts';
import { createList, parseTotals, readAll, readPages } from './pagination.ts';
import type { Resource, ResourceDocument } from './types.ts';

export interface OwnOrganization {
  membershipId: string;
  name: string;
  status: string;
  /** Undefined if the service doesn't name the caller's teams. */
  isOwner: boolean | undefined;
}

/** The organizations that the caller is a member of or invited to. */
export async function listOwnOrganizations(client: Client): Promise<OwnOrganization[]> {
  const organizations: OwnOrganization[] = [];
  for await (const { items, included } of readPages(listOwnMemberships(client, { own: ['teams'] }))) {
    const names = new Map(included.map(({ id, attributes }) => [id, attributes?.name]));
    for (const { id, attributes, relationships } of items) {
      const teams = listRelated(relationships?.teams).map((team) => names.get(team.id));
      organizations.push({
        membershipId: id,
        name: listRelated(relationships?.organization)[0]?.id ?? '',
        status: String(attributes?.status),
        isOwner:
          teams.includes('owners') || (relationships?.teams?.data && !teams.includes(undefined) ? false : undefined),
      });
    }
  }
  return organizations;
}

export async function countMembers(client: Client, org: string): Promise<{ active: number; invited: number }> {
  const count = async (status: 'active' | 'invited'): Promise<number> => {
    const call = createCall('list-members', { org }, [['filter[status]', status]]);
    const first = readList(await client.read({ ...call, query: [...call.query, ['page[size]', 1]] }));
    return parseTotals(first)?.items ?? (await readAll(createList(client, call))).length;
  };
  const [active, invited] = await Promise.all([count('active'), count('invited')]);
  return { active, invited };
}

// The following operations are outside the document (facts). They return undefined if the service has no such route, or the
// caller has no permission.

export async function findOrganization(client: Client, org: string): Promise<JsonObject | undefined> {
  return (await findDocument(client, 'show-organization', org))?.data.attributes;
}

export async function findEntitlements(client: Client, org: string): Promise<JsonObject | undefined> {
  return (await findDocument(client, 'show-entitlements', org))?.data.attributes;
}

export async function findSubscribedFeatureSet(client: Client, org: string): Promise<Resource | undefined> {
  const document = await findDocument(client, 'show-subscription', org);
  const subscribed = listRelated(document?.data.relationships?.['feature-set'])[0];
  return document?.included?.find(({ id, type }) => type === subscribed?.type && id === subscribed.id);
}

function findDocument(client: Client, operation: OperationName, org: string): Promise<ResourceDocument | undefined> {
  return catchNotFound(client.read(createCall(operation, { org })).then(readResource), isRefused);
}
