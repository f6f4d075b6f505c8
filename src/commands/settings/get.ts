import { defineVerb } from '../../cli/command.ts';
import { findSetting } from '../../config/settings.ts';
import { formatValue } from '../../output/columns.ts';
import { describeSetting, NAME_ARGUMENT, SETTING_COLUMNS } from './setting.ts';

export const verb = defineVerb({
  columns: SETTING_COLUMNS,
  arguments: [NAME_ARGUMENT],
  examples: ['settings get org', 'settings get timeout -o json'],
  async run(session, { output: format, fields, query }, given) {
    const { output } = session;
    const row = describeSetting(session, findSetting(given));
    // A script gets only the value.
    const isBare = format === undefined && fields === undefined && query === undefined;
    if (!isBare) return output.one(SETTING_COLUMNS, row);
    const text = formatValue(row.value, '\n');
    if (text !== '') await output.text(`${text}\n`);
  },
});
