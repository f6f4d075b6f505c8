import type { SettingRow } from '../../settings/resolve-settings.ts';
import type { Columns } from '../../stdout/columns.ts';

export const SETTING_COLUMNS: Columns<SettingRow> = {
  name: 'settings',
  shape: 'record',
  shown: ['name', 'value', 'source'],
  screen: [
    { head: 'SETTING', field: 'name', priority: 0 },
    { head: 'VALUE', field: 'value', priority: 0, wraps: true },
    { head: 'SOURCE', field: 'source', priority: 1, wraps: true },
  ],
  lines: [
    { label: 'Setting', field: 'name' },
    { label: 'Value', field: 'value' },
    { label: 'Source', field: 'source' },
  ],
};
