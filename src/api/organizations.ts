import type { JsonObject } from '../lib/json.ts';
import { isSameName } from '../lib/text.ts';
import type { Client } from './client.ts';
import { readResource } from './error-document.ts';
import { listRelated } from './flatten.ts';
import { listOwnMemberships } from './memberships.ts';
import { catchNotFound, isRefused } from './not-found.ts';
import { type Call, createCall, ORG, operation } from './operations.ts';
import { createList, type List } from './pagination.ts';
import type { Resource, ResourceDocument } from './types.ts';
import { type IsDone, updateResource } from './writes.ts';

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
  for await (const { items, included } of listOwnMemberships(client, { own: ['teams'] }).pages()) {
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

// The following operations are outside the document (facts).

const LIST_ORGANIZATIONS = operation('GET', '/organizations', 'list organizations');
const SHOW_ORGANIZATION = operation('GET', ORG, 'show organization :org');
const CAN_CHANGE = 'Owners and the owners team token can.';
const UPDATE_ORGANIZATION = operation('PATCH', ORG, 'change organization :org', { who: CAN_CHANGE });
const SHOW_ENTITLEMENTS = operation('GET', `${ORG}/entitlement-set`, 'show the entitlements of :org');
const SHOW_SUBSCRIPTION = operation('GET', `${ORG}/subscription`, 'show the subscription of :org');

export function listOrganizations(client: Client): List {
  return createList(client, createCall(LIST_ORGANIZATIONS, {}));
}

export async function showOrganization(client: Client, org: string): Promise<Resource> {
  const response = await client.read(createCall(SHOW_ORGANIZATION, { org }));
  return readResource(response, ({ id, attributes }) => isSameName(String(attributes?.name ?? id), org)).data;
}

/** Returns what `updateResource` returns. */
export function updateOrganization(client: Client, org: string, attributes: JsonObject, isDone: IsDone) {
  const data = { type: 'organizations', attributes };
  return updateResource(client, createCall(UPDATE_ORGANIZATION, { org }), data, isDone);
}

// Undefined if the service has no such route, or the caller has no permission.

export async function findOrganization(client: Client, org: string): Promise<JsonObject | undefined> {
  return (await catchNotFound(showOrganization(client, org), isRefused))?.attributes;
}

export async function findEntitlements(client: Client, org: string): Promise<JsonObject | undefined> {
  return (await findDocument(client, createCall(SHOW_ENTITLEMENTS, { org })))?.data.attributes;
}

export async function findSubscribedFeatureSet(client: Client, org: string): Promise<Resource | undefined> {
  const document = await findDocument(client, createCall(SHOW_SUBSCRIPTION, { org }));
  const subscribed = listRelated(document?.data.relationships?.['feature-set'])[0];
  return document?.included?.find(({ id, type }) => type === subscribed?.type && id === subscribed.id);
}

function findDocument(client: Client, call: Call): Promise<ResourceDocument | undefined> {
  return catchNotFound(client.read(call).then(readResource), isRefused);
}
