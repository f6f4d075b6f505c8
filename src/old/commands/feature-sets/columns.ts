import type { MemberCounts } from '../../service/memberships.ts';
import { showCount, showYes, toCellText } from '../../stdout/cell.ts';
import { type Columns, listFields, type ScreenColumn, type Show } from '../../stdout/columns.ts';
import type { FeatureSetRow, Placed } from '../../wire/flat.ts';
import type { Named } from '../../wire/resources.ts';
import { ORGANIZATION_FIELDS } from '../known-fields.ts';
import { ORGANIZATION } from '../organizations.ts';
import { ERROR_FIELDS, type RowError } from '../row-error.ts';

/** Names repeat, so that a set is identified by its id alone. */
const PLAN: ScreenColumn<Named<'name'>> = { head: 'PLAN', field: 'name', priority: 0 };

/** The service counts cents. */
const showPrice: Show = (cents) => (typeof cents === 'number' ? `$${(cents / 100).toFixed(2)}` : toCellText(cents));

/** A limit that is null is none; one that the service leaves out is unknown. */
const showLimit: Show<FeatureSetRow> = (value, record) =>
  value === null && Object.hasOwn(record, 'user-limit') ? 'no limit' : toCellText(value);

export const FEATURE_SET_COLUMNS: Columns<FeatureSetRow> = {
  name: 'plans',
  shape: 'resource',
  shown: ['id', 'identifier', 'name', 'cost', 'is-current'],
  screen: [
    PLAN,
    { head: 'PRICE', field: 'cost', priority: 0, align: 'right', show: showPrice },
    { head: 'USERS', field: 'user-limit', priority: 0, show: showLimit },
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

/** `Standard ($0.00)` */
const showPlan: Show<CurrentRow> = (name, record, now) => {
  if (name === null || name === undefined) return 'unknown';
  const price = showPrice(record.cost, record, now);
  return price === '' ? toCellText(name) : `${toCellText(name)} (${price})`;
};

/** `8 (3 invited), no limit`; `5 (1 invited), limit 5, none left` */
const showUsers: Show<CurrentRow> = (used, record, now) => {
  const { invited, inactive, limit, left } = record;
  const parts = [
    ...(invited === 0 ? [] : [`${showCount(invited, record, now)} invited`]),
    ...(inactive === 0 ? [] : [`beside ${showCount(inactive, record, now)} inactive`]),
  ];
  const count = `${showCount(used, record, now)}${parts.length === 0 ? '' : ` (${parts.join(', ')})`}`;
  if (!Object.hasOwn(record, 'limit')) return `${count}, limit unknown`;
  if (limit === null) return `${count}, no limit`;
  return `${count}, limit ${showCount(limit, record, now)}, ${left === 0 ? 'none' : showCount(left, record, now)} left`;
};

/** `--fields` and programs read `no`, where a list leaves the cell empty. */
const showYesOrNo: Show = (value) => (value === true ? 'yes' : value === false ? 'no' : 'unknown');

/** The plan that an organization has, as far as that is known, and how many users it has. */
export type CurrentRow = FeatureSetRow &
  Placed &
  Partial<Use> &
  Named<'entitlements'> & { readonly 'plan-from'?: 'only-current' | 'organization' | 'subscription' | 'unknown' };

interface Use extends MemberCounts {
  readonly used: number;
  /** Null for none, left out where the service doesn't say. */
  readonly limit?: number | null;
  readonly left?: number | null;
}

/** The plan of one organization. */
export const CURRENT_COLUMNS: Columns<CurrentRow> = {
  name: 'plans',
  shape: 'resource',
  shown: ['organization.id', 'name', 'active', 'invited', 'inactive', 'used', 'limit', 'left', 'audit-logging'],
  lines: [
    { label: 'Organization', field: 'organization.id' },
    { label: 'Plan', field: 'name', show: showPlan },
    { label: 'Users', field: 'used', show: showUsers },
    { label: 'Audit logging', field: 'audit-logging', show: showYesOrNo },
    { label: 'ID', field: 'id' },
  ],
  fields: [
    'id',
    'identifier',
    'cost',
    'is-current',
    ...ORGANIZATION_FIELDS,
    'plan-from',
    'entitlements',
    ...(FEATURE_SET_COLUMNS.fields ?? []).filter((field) => field !== 'audit-logging'),
  ],
};

export type CurrentStatusRow = CurrentRow & {
  readonly status: 'failed' | 'ok' | 'refused';
  readonly error?: RowError;
};

/** The plans of several: a row for each. */
export const CURRENT_STATUS_COLUMNS: Columns<CurrentStatusRow> = {
  ...CURRENT_COLUMNS,
  shown: [...CURRENT_COLUMNS.shown, 'status', 'error.code'],
  screen: [
    ORGANIZATION,
    { head: 'PLAN', field: 'name', priority: 1 },
    { head: 'USERS', field: 'used', priority: 0, align: 'right', show: showCount },
    { head: 'INVITED', field: 'invited', priority: 3, align: 'right', show: showCount },
    { head: 'LIMIT', field: 'limit', priority: 2, align: 'right', show: showRowLimit },
    { head: 'LEFT', field: 'left', priority: 1, align: 'right', show: showCount },
    { head: 'STATUS', field: 'status', priority: 1, tone: true },
    { head: 'ID', field: 'id', priority: 'spare' },
  ],
  fields: [...listFields(CURRENT_COLUMNS), ...ERROR_FIELDS],
};

function showRowLimit(...[limit, record, now]: Parameters<Show<CurrentRow>>): string {
  if (!Object.hasOwn(record, 'used')) return '';
  if (!Object.hasOwn(record, 'limit')) return 'unknown';
  return limit === null ? 'none' : showCount(limit, record, now);
}
