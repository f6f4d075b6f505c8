import { listSome, plural } from '../../lib/text.ts';
import {
  type Column,
  type Columns,
  ERROR,
  type FormatCell,
  formatAge,
  formatDate,
  formatValue,
  formatYes,
  ORGANIZATION,
  RESULT,
  STATUS,
} from '../../output/columns.ts';

const formatMinutes: FormatCell = (value) => (typeof value === 'number' ? plural(value, 'minute') : '');

/** A terminal has room for one name. */
const formatFound: FormatCell = (value, _record, now) =>
  now === undefined ? formatValue(value, ', ') : listSome([value].flat().map(String), 1);

const NAME: Column = { header: 'ORGANIZATION', field: 'name' };
const POLICIES = new Map(Object.entries({ two_factor_mandatory: 'required', password: 'not required' }));
const formatPolicy: FormatCell = (value) => POLICIES.get(formatValue(value)) ?? formatValue(value);
const TWO_FACTOR: Column = { header: '2FA', field: 'collaborator-auth-policy', format: formatPolicy };
const CREATED: Column = { header: 'CREATED', field: 'created-at', format: formatAge };
const SSO: Column = { header: 'SSO', field: 'saml-enabled', format: formatYes, isFlag: true };
const PLAN: Column = { header: 'PLAN', field: 'plan-identifier' };
const EXTERNAL_ID: Column = { header: 'ID', field: 'external-id' };
const REST: Column[] = [TWO_FACTOR, SSO, PLAN, CREATED, EXTERNAL_ID];

export const ORGANIZATION_COLUMNS: Columns = {
  empty: 'no organizations found',
  table: [NAME, ...REST],
  fields: 'id type',
  hasOtherFields: true,
};

export const SHOWN_COLUMNS: Columns = {
  table: [ORGANIZATION, ...REST],
  lines: [
    NAME,
    { header: 'Email', field: 'email' },
    PLAN,
    { ...TWO_FACTOR, header: 'Two-factor' },
    SSO,
    { header: 'Session', field: 'session-timeout', format: formatMinutes },
    { header: 'Tokens of users', field: 'user-tokens-enabled', format: formatYes, isFlag: true },
    { ...CREATED, format: formatDate },
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
    { header: 'FOUND', field: 'found', format: formatFound },
    { header: 'EXPECTED', field: 'expected' },
    { header: 'FIX', field: 'fix' },
  ],
};
