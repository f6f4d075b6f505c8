import type { Resource } from '../../wire/json-api.ts';
import { requireOrganization, requirePermission } from '../access.ts';
import { toFeatureSet, toListDocument } from '../documents.ts';
import { isPageAsked, readPage, toOffset } from '../pagination.ts';
import {
  countEligibleFeatureSets,
  countFeatureSets,
  type FeatureSetRow,
  listEligibleFeatureSets,
  listFeatureSets,
} from '../queries/feature-sets.ts';
import type { Answer, Context, Route } from '../route.ts';

export const FEATURE_SET_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/feature-sets', documented: true, handle: listAll },
  {
    method: 'GET',
    path: '/organizations/:organization_name/feature-sets',
    documented: true,
    handle: listEligible,
  },
];

const NO_LIMIT = -1;

function listAll(context: Context): Answer {
  requirePermission(context, 'feature-sets.list');
  return answerList(
    context,
    () => countFeatureSets(context.store),
    (limit, offset) => listFeatureSets(context.store, limit, offset),
  );
}

function listEligible(context: Context): Answer {
  const name = context.params['organization_name'] ?? '';
  const { seq } = requireOrganization(context, name, 'feature-sets.list-eligible');
  return answerList(
    context,
    () => countEligibleFeatureSets(context.store, seq),
    (limit, offset) => listEligibleFeatureSets(context.store, seq, limit, offset),
  );
}

/** Without either page parameter: everything, and no word of pages. */
function answerList(
  { url }: Context,
  count: () => number,
  list: (limit: number, offset: number) => readonly FeatureSetRow[],
): Answer {
  const toData = (rows: readonly FeatureSetRow[]): Resource[] => rows.map(toFeatureSet);
  if (!isPageAsked(url)) {
    return { status: 200, body: { data: toData(list(NO_LIMIT, 0)) } };
  }
  const page = readPage(url);
  return { status: 200, body: toListDocument(url, page, count(), toData(list(page.size, toOffset(page)))) };
}
