import { defineVerb } from '../../cli/command.ts';
import { findSetting } from '../../config/settings.ts';
import { formatValue } from '../../output/columns.ts';
import { SETTING_COLUMNS } from './columns.ts';
import { formatSetting } from './format.ts';
import { NAME_ARGUMENT } from './name.ts';

export const verb = defineVerb({
  columns: SETTING_COLUMNS,
  arguments: [NAME_ARGUMENT],
  examples: ['settings get org', 'settings get timeout -o json'],
  async run({ output, settings, profile }, { output: format, fields, query }, given) {
    const { name } = findSetting(given);
    const { value, source } = settings[name];
    const shown = formatSetting(name, name === 'profile' ? profile.name : value);
    // A script gets only the value.
    const isBare = format === undefined && fields === undefined && query === undefined;
    if (!isBare) return output.one(SETTING_COLUMNS, { name, value: shown, source });
    const text = formatValue(shown, '\n');
    if (text !== '') await output.text(`${text}\n`);
  },
});
