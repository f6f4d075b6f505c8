import { type Column, type Columns, formatValue } from '../../output/columns.ts';

const SERVICE: Column = { header: 'SERVICE', field: 'base-url' };
const ORG: Column = { header: 'ORGANIZATION', field: 'org' };

export const PROFILE_COLUMNS: Columns = {
  table: [
    { header: 'PROFILE', field: 'profile' },
    SERVICE,
    { header: 'ACCOUNT', field: 'account', format: (value, { error }) => formatValue(value ?? error) },
    ORG,
    { header: 'DEFAULT', field: 'default', format: (value) => (value === true ? 'default' : '') },
  ],
  lines: [SERVICE, ORG, { header: 'ACCOUNT', field: 'account' }, { header: 'TOKEN FROM', field: 'token-source' }],
  fields: 'status error',
};
