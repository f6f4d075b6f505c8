import { type Columns, formatValue } from '../../output/columns.ts';

export const PROFILE_COLUMNS: Columns = {
  table: [
    { header: 'PROFILE', field: 'profile' },
    { header: 'SERVICE', field: 'base-url' },
    { header: 'ACCOUNT', field: 'account', format: (value, { error }) => formatValue(value ?? error) },
    { header: 'ORGANIZATION', field: 'org' },
    { header: 'DEFAULT', field: 'default', format: (value) => (value === true ? 'default' : '') },
  ],
  lines: [
    { header: 'Service', field: 'base-url' },
    { header: 'Organization', field: 'org' },
    { header: 'Account', field: 'account' },
    { header: 'Token from', field: 'token-source' },
  ],
  fields: 'status error',
};
