import { plural } from '../../lib/text.ts';
import {
  type Column,
  type Columns,
  ERROR,
  type FormatCell,
  formatAge,
  formatDate,
  formatYes,
  RESULT,
  STATUS,
} from '../../output/columns.ts';

const formatMinutes: FormatCell = (value) => (typeof value === 'number' ? plural(value, 'minute') : '');

const ORGANIZATION: Column = { header: 'ORGANIZATION', field: 'organization.id' };
const SSO: Column = { header: 'SSO', field: 'saml-enabled', format: formatYes, isFlag: true };
const PLAN: Column = { header: 'PLAN', field: 'plan-identifier' };
const EXTERNAL_ID: Column = { header: 'ID', field: 'external-id' };
const REST: Column[] = [
  { header: '2FA', field: 'collaborator-auth-policy' },
  SSO,
  PLAN,
  { header: 'CREATED', field: 'created-at', format: formatAge },
  EXTERNAL_ID,
];

export const ORGANIZATION_COLUMNS: Columns = {
  empty: 'no organizations found',
  table: [{ header: 'ORGANIZATION', field: 'name' }, ...REST],
  fields: 'id type',
  hasOtherFields: true,
};

export const SHOWN_COLUMNS: Columns = {
  table: [ORGANIZATION, ...REST],
  lines: [
    { header: 'Organization', field: 'name' },
    { header: 'Email', field: 'email' },
    PLAN,
    { header: 'Two-factor', field: 'collaborator-auth-policy' },
    SSO,
    { header: 'Session', field: 'session-timeout', format: formatMinutes },
    { header: 'Tokens of users', field: 'user-tokens-enabled', format: formatYes, isFlag: true },
    { header: 'Created', field: 'created-at', format: formatDate },
    EXTERNAL_ID,
  ],
  fields: 'id type error.code error.message',
  hasOtherFields: true,
};

export const UPDATED_COLUMNS: Columns = {
  table: [RESULT, ORGANIZATION, { header: 'ATTRIBUTES', field: 'attributes' }, ...ERROR],
  fields: 'changed before after',
};

export const CHECK_COLUMNS: Columns = {
  table: [
    ORGANIZATION,
    { header: 'RULE', field: 'rule' },
    STATUS,
    { header: 'FOUND', field: 'found' },
    { header: 'EXPECTED', field: 'expected' },
    { header: 'FIX', field: 'fix' },
  ],
};
