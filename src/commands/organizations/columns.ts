import { listSome, plural } from '../../lib/text.ts';
import { type Column, type Columns, ERROR, formatValue, ORGANIZATION, RESULT, STATUS } from '../../output/columns.ts';

const formatMinutes = (value: unknown): string => (typeof value === 'number' ? plural(value, 'minute') : '');

/** A terminal has room for one name. */
function formatFound(value: unknown, _record: unknown, now: number | undefined): string {
  return now === undefined ? formatValue(value, ', ') : listSome([value].flat().map(String), 1);
}

const NAME: Column = { header: 'ORGANIZATION', field: 'name' };
const POLICIES = new Map(Object.entries({ two_factor_mandatory: 'required', password: 'not required' }));
const formatPolicy = (value: unknown): string => POLICIES.get(formatValue(value)) ?? formatValue(value);
const TWO_FACTOR: Column = { header: '2FA', field: 'collaborator-auth-policy', format: formatPolicy };
const CREATED: Column = { header: 'CREATED', field: 'created-at', format: 'age' };
const SSO: Column = { header: 'SSO', field: 'saml-enabled', format: 'flag' };
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
    { header: 'Tokens of users', field: 'user-tokens-enabled', format: 'flag' },
    { ...CREATED, format: 'date' },
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
