import { defineVerb } from '../../cli/command.ts';
import { SETTINGS } from '../../config/settings.ts';
import { SETTING_COLUMNS } from './columns.ts';
import { listEnvironmentValues } from './environment.ts';
import { describeSetting } from './format.ts';

export const verb = defineVerb({
  columns: SETTING_COLUMNS,
  examples: ['settings list', 'settings list --profile work -o json'],
  async run(session) {
    const { output, runtime } = session;
    const rows = SETTINGS.map((setting) => describeSetting(session, setting));
    await output.list(SETTING_COLUMNS, [[...rows, ...listEnvironmentValues(runtime.env)]]);
  },
});
