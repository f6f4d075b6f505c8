import { ELIGIBLE_FEATURE_SETS, FEATURE_SETS, type Json, toFeatureSetRecord, toPage } from '../../support/demo.ts';
import type { Row } from './row.ts';

const ALL = 'GET /feature-sets';
const ELIGIBLE = 'GET /organizations/:organization_name/feature-sets';
const OF_ACME = '/organizations/acme/feature-sets';

const records = (sets: readonly Json[]): readonly Json[] => sets.map(toFeatureSetRecord);
const withoutTrial = ELIGIBLE_FEATURE_SETS.filter(({ id }) => id !== 'fs-trial');

export const FEATURE_SET_ROWS: readonly Row[] = [
  {
    operation: ALL,
    parameters: ['page[number]', 'page[size]'],
    given: 'neither: everything, unpaginated',
    ask: { path: '/feature-sets' },
    answer: { status: 200, body: { data: FEATURE_SETS } },
    argv: 'feature-sets list',
    requests: ['GET /feature-sets'],
    prints: records(FEATURE_SETS),
  },
  {
    operation: ALL,
    parameters: ['page[number]'],
    given: '1, with 20 a page',
    ask: { path: '/feature-sets?page%5Bnumber%5D=1' },
    answer: { status: 200, body: toPage('/feature-sets', FEATURE_SETS) },
    argv: 'feature-sets list --page 1',
    requests: ['GET /feature-sets?page%5Bnumber%5D=1'],
    prints: records(FEATURE_SETS),
  },
  {
    operation: ALL,
    parameters: ['page[number]'],
    given: '2, past the end',
    ask: { path: '/feature-sets?page%5Bnumber%5D=2' },
    answer: { status: 200, body: toPage('/feature-sets', [], { number: 2, total: 6 }) },
    argv: 'feature-sets list --page 2',
    requests: ['GET /feature-sets?page%5Bnumber%5D=2'],
    prints: [],
  },
  {
    operation: ALL,
    parameters: ['page[size]'],
    given: '4: the first page of the service, every page of the command',
    ask: { path: '/feature-sets?page%5Bsize%5D=4' },
    answer: { status: 200, body: toPage('/feature-sets', FEATURE_SETS.slice(0, 4), { size: 4, total: 6 }) },
    argv: 'feature-sets list --page-size 4',
    requests: ['GET /feature-sets?page%5Bsize%5D=4', 'GET /feature-sets?page%5Bnumber%5D=2&page%5Bsize%5D=4'],
    prints: records(FEATURE_SETS),
  },
  {
    operation: ALL,
    parameters: ['page[number]', 'page[size]'],
    given: '2 and 2',
    ask: { path: '/feature-sets?page%5Bnumber%5D=2&page%5Bsize%5D=2' },
    answer: {
      status: 200,
      body: toPage('/feature-sets', FEATURE_SETS.slice(2, 4), { number: 2, size: 2, total: 6 }),
    },
    argv: 'feature-sets list --page 2 --page-size 2',
    requests: ['GET /feature-sets?page%5Bnumber%5D=2&page%5Bsize%5D=2'],
    prints: records(FEATURE_SETS.slice(2, 4)),
  },

  {
    operation: ELIGIBLE,
    parameters: [':organization_name'],
    given: 'acme',
    ask: { path: OF_ACME },
    answer: { status: 200, body: { data: ELIGIBLE_FEATURE_SETS } },
    argv: 'feature-sets list --org acme',
    requests: [`GET ${OF_ACME}`],
    prints: records(ELIGIBLE_FEATURE_SETS),
  },
  {
    operation: ELIGIBLE,
    parameters: [':organization_name'],
    given: 'globex, which has had its trial',
    ask: { path: '/organizations/globex/feature-sets' },
    answer: { status: 200, body: { data: withoutTrial } },
    argv: 'feature-sets list --org globex',
    requests: ['GET /organizations/globex/feature-sets'],
    prints: records(withoutTrial),
  },
  {
    operation: ELIGIBLE,
    parameters: ['page[number]', 'page[size]'],
    given: 'neither: everything, unpaginated',
    ask: { path: OF_ACME },
    answer: { status: 200, body: { data: ELIGIBLE_FEATURE_SETS } },
    argv: 'feature-sets list --eligible',
    requests: [`GET ${OF_ACME}`],
    prints: records(ELIGIBLE_FEATURE_SETS),
  },
  {
    operation: ELIGIBLE,
    parameters: ['page[number]'],
    given: '1, with 20 a page',
    ask: { path: `${OF_ACME}?page%5Bnumber%5D=1` },
    answer: { status: 200, body: toPage(OF_ACME, ELIGIBLE_FEATURE_SETS) },
    argv: 'feature-sets list --eligible --page 1',
    requests: [`GET ${OF_ACME}?page%5Bnumber%5D=1`],
    prints: records(ELIGIBLE_FEATURE_SETS),
  },
  {
    operation: ELIGIBLE,
    parameters: ['page[size]'],
    given: '5: the first page of the service, every page of the command',
    ask: { path: `${OF_ACME}?page%5Bsize%5D=5` },
    answer: { status: 200, body: toPage(OF_ACME, ELIGIBLE_FEATURE_SETS.slice(0, 5), { size: 5, total: 6 }) },
    argv: 'feature-sets list --eligible --page-size 5',
    requests: [`GET ${OF_ACME}?page%5Bsize%5D=5`, `GET ${OF_ACME}?page%5Bnumber%5D=2&page%5Bsize%5D=5`],
    prints: records(ELIGIBLE_FEATURE_SETS),
  },
  {
    operation: ELIGIBLE,
    parameters: ['page[number]', 'page[size]'],
    given: '3 and 2',
    ask: { path: `${OF_ACME}?page%5Bnumber%5D=3&page%5Bsize%5D=2` },
    answer: {
      status: 200,
      body: toPage(OF_ACME, ELIGIBLE_FEATURE_SETS.slice(4), { number: 3, size: 2, total: 6 }),
    },
    argv: 'feature-sets list --eligible --page 3 --page-size 2',
    requests: [`GET ${OF_ACME}?page%5Bnumber%5D=3&page%5Bsize%5D=2`],
    prints: records(ELIGIBLE_FEATURE_SETS.slice(4)),
  },
];
