import type { Client } from './client.ts';
import { createCall, DOCUMENTED, ORG, operation } from './operations.ts';
import { createList, type List } from './pagination.ts';

const LIST_FEATURE_SETS = operation('GET', '/feature-sets', 'list the feature sets', DOCUMENTED);
const LIST_ELIGIBLE = operation('GET', `${ORG}/feature-sets`, 'list the feature sets of :org', DOCUMENTED);

/** The feature sets of the service, or those that an organization may choose. */
export function listFeatureSets(client: Client, org: string | undefined): List {
  const call = org === undefined ? createCall(LIST_FEATURE_SETS, {}) : createCall(LIST_ELIGIBLE, { org });
  // The document says that the list is whole if no page is asked for.
  return createList(client, call, { isPaginated: false });
}
