import type { Client } from './client.ts';
import { createCall, ORG, operation } from './operations.ts';
import { createList, type List } from './pagination.ts';

const LIST_FEATURE_SETS = operation('GET', '/feature-sets', 'list the feature sets', { isDocumented: true });
const LIST_ELIGIBLE = operation('GET', `${ORG}/feature-sets`, 'list the feature sets of :org', { isDocumented: true });

/** The feature sets of the service, or those that an organization may choose. */
export function listFeatureSets(client: Client, org: string | undefined): List {
  const call = org === undefined ? createCall(LIST_FEATURE_SETS, {}) : createCall(LIST_ELIGIBLE, { org });
  // The document says that the list is whole if no page is asked for.
  return createList(client, call, { isPaginated: false });
}
