import { toCellText } from '../../stdout/cell.ts';
import type { Columns, ScreenColumn, Show } from '../../stdout/columns.ts';
import { showYes } from '../../stdout/show.ts';

/** Names repeat, so that a set is identified by its id alone. */
const PLAN: ScreenColumn = { head: 'PLAN', field: 'name', priority: 0 };

/** The service counts cents. */
const showPrice: Show = (cents) => (typeof cents === 'number' ? `$${(cents / 100).toFixed(2)}` : toCellText(cents));

/** A limit that is null is none; one that the service leaves out is unknown. */
const showLimit: Show = (value, record) =>
  value === null && Object.hasOwn(record, 'user-limit') ? 'no limit' : toCellText(value);

/** One side of a comparison, in which null is no limit. */
const showSide: Show = (value, record) =>
  record['attribute'] === null ? '' : value === null ? 'no limit' : toCellText(value);

export const FEATURE_SET_COLUMNS: Columns = {
  name: 'plans',
  shape: 'resource',
  shown: ['id', 'identifier', 'name', 'cost', 'is-current'],
  screen: [
    PLAN,
    { head: 'PRICE', field: 'cost', priority: 2, align: 'right', show: showPrice },
    { head: 'USERS', field: 'user-limit', priority: 3, show: showLimit },
    { head: 'AUDIT LOGGING', field: 'audit-logging', priority: 4, show: showYes },
    {
      head: 'CURRENT',
      field: 'is-current',
      priority: 1,
      tone: true,
      show: (value) => (value === true ? 'current' : ''),
    },
    { head: 'ID', field: 'id', priority: 0 },
  ],
  fields: [
    'type',
    'description',
    'comparison-description',
    'plan',
    'is-free-tier',
    'self-serve-billing',
    'user-limit',
    'audit-logging',
    'cost-estimation',
    'sentinel',
    'policy-enforcement',
    'run-tasks',
    'teams',
    'sso',
    'private-networking',
    'assessments',
    'no-code-modules',
    'default-agents-ceiling',
    'default-runs-ceiling',
    'policy-limit',
    'policy-set-limit',
    'policy-mandatory-enforcement-limit',
    'versioned-policy-set-limit',
    'run-task-limit',
    'run-task-workspace-limit',
    'run-task-mandatory-enforcement-limit',
    'global-run-tasks',
    'module-tests-generation',
    'private-policy-agents',
    'private-run-tasks',
    'private-vcs',
  ],
};

/** What an organization is offered, against what there is. */
export function toOfferColumns(organization: string): Columns {
  return {
    name: 'differences',
    shape: 'record',
    shown: ['id', 'identifier', 'name', 'difference', 'attribute', 'everybody', 'organization'],
    screen: [
      PLAN,
      { head: 'ATTRIBUTE', field: 'attribute', priority: 0, show: showAttribute },
      { head: organization.toUpperCase(), field: 'organization', priority: 1, show: showSide },
      { head: 'EVERYONE', field: 'everybody', priority: 1, show: showSide },
      { head: 'ID', field: 'id', priority: 'spare' },
    ],
  };
}

const showAttribute: Show = (value, { difference }) =>
  difference === 'not-offered' ? '(not offered)' : difference === 'not-listed' ? '(only here)' : toCellText(value);

/** Two feature sets side by side, under their names. */
export function toPairColumns(first: string, second: string): Columns {
  return {
    name: 'differences',
    shape: 'record',
    shown: ['attribute', 'first', 'second'],
    screen: [
      { head: 'ATTRIBUTE', field: 'attribute', priority: 0 },
      { head: first.toUpperCase(), field: 'first', priority: 0, wraps: true, show: showSide },
      { head: second.toUpperCase(), field: 'second', priority: 0, wraps: true, show: showSide },
    ],
  };
}
