import { plural } from '../../lib/text.ts';
import {
  type Column,
  type Columns,
  ERROR,
  type FormatCell,
  formatAge,
  formatDate,
  formatValue,
  formatYes,
  RESULT,
  STATUS,
} from '../../output/columns.ts';

const formatMinutes: FormatCell = (value) => (typeof value === 'number' ? plural(value, 'minute') : formatValue(value));

const TWO_FACTOR: Column = { header: '2FA', field: 'collaborator-auth-policy' };
const SSO: Column = { header: 'SSO', field: 'saml-enabled', format: formatYes, isFlag: true };
const PLAN: Column = { header: 'PLAN', field: 'plan-identifier' };
const REST: Column[] = [
  TWO_FACTOR,
  SSO,
  PLAN,
  { header: 'CREATED', field: 'created-at', format: formatAge },
  { header: 'ID', field: 'external-id' },
];

export const ORGANIZATION_COLUMNS: Columns = {
  empty: 'no organizations found',
  table: [{ header: 'ORGANIZATION', field: 'name' }, ...REST],
  hasOtherFields: true,
  fields: ['id', 'type'],
};

export const SHOWN_COLUMNS: Columns = {
  table: [{ header: 'ORGANIZATION', field: 'organization.id' }, ...REST],
  lines: [
    { header: 'Organization', field: 'name' },
    { header: 'Email', field: 'email' },
    { ...PLAN, header: 'Plan' },
    { ...TWO_FACTOR, header: 'Two-factor' },
    SSO,
    { header: 'Session', field: 'session-timeout', format: formatMinutes },
    { header: 'Tokens of users', field: 'user-tokens-enabled', format: formatYes, isFlag: true },
    { header: 'Created', field: 'created-at', format: formatDate },
    { header: 'ID', field: 'external-id' },
  ],
  hasOtherFields: true,
  fields: ['id', 'type', 'session-remember', 'error.code', 'error.message'],
};

export const UPDATED_COLUMNS: Columns = {
  table: [
    RESULT,
    { header: 'ORGANIZATION', field: 'organization.id' },
    { header: 'ATTRIBUTES', field: 'attributes' },
    ...ERROR,
  ],
  fields: ['changed', 'before', 'after'],
};

export const CHECK_COLUMNS: Columns = {
  table: [
    { header: 'ORGANIZATION', field: 'organization.id' },
    { header: 'RULE', field: 'rule' },
    STATUS,
    { header: 'FOUND', field: 'found' },
    { header: 'EXPECTED', field: 'expected' },
    { header: 'FIX', field: 'fix' },
  ],
};
