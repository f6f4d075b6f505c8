import { createPage, ELIGIBLE_FEATURE_SETS, FEATURE_SETS, flattenFeatureSet, type Json } from '../../support/demo.ts';
import { createPageRows, type Row } from './row.ts';

const ALL = 'GET /feature-sets';
const ELIGIBLE = 'GET /organizations/:organization_name/feature-sets';

function toListRow(
  operation: string,
  parameters: string[],
  given: string,
  path: string,
  data: Json[],
  argv: string,
): Row {
  return {
    operation,
    parameters,
    given,
    ask: { path },
    answer: { status: 200, body: { data } },
    argv,
    requests: [`GET ${path}`],
    prints: data.map(flattenFeatureSet),
  };
}

const PAGES = ['page[number]', 'page[size]'];
const UNPAGINATED = 'neither: everything, unpaginated';
const OF_ACME = '/organizations/acme/feature-sets';
const OF_GLOBEX = ELIGIBLE_FEATURE_SETS.filter(({ id }) => id !== 'fs-trial').map(({ attributes, ...set }) => ({
  ...set,
  attributes: { ...(attributes as Json), 'is-current': set['id'] === 'fs-plus' },
}));

export const FEATURE_SET_ROWS: Row[] = [
  toListRow(ALL, PAGES, UNPAGINATED, '/feature-sets', FEATURE_SETS, 'feature-sets list'),
  ...createPageRows({
    operation: ALL,
    path: '/feature-sets',
    argv: 'feature-sets list',
    data: FEATURE_SETS,
    records: FEATURE_SETS.map(flattenFeatureSet),
  }),
  {
    operation: ALL,
    parameters: ['page[number]'],
    given: '2, past the end',
    ask: { path: '/feature-sets?page%5Bnumber%5D=2' },
    answer: { status: 200, body: createPage('/feature-sets', [], { number: 2, total: 6 }) },
    argv: 'feature-sets list --page 2',
    requests: ['GET /feature-sets?page%5Bnumber%5D=2'],
    prints: [],
  },

  toListRow(
    ELIGIBLE,
    [':organization_name'],
    'globex, which has had its trial',
    '/organizations/globex/feature-sets',
    OF_GLOBEX,
    'feature-sets list --org globex',
  ),
  toListRow(ELIGIBLE, PAGES, UNPAGINATED, OF_ACME, ELIGIBLE_FEATURE_SETS, 'feature-sets list --eligible'),
  ...createPageRows({
    operation: ELIGIBLE,
    path: OF_ACME,
    argv: 'feature-sets list --eligible',
    data: ELIGIBLE_FEATURE_SETS,
    records: ELIGIBLE_FEATURE_SETS.map(flattenFeatureSet),
  }),
];
