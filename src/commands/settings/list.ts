import { defineVerb } from '../../cli/command.ts';
import { SETTINGS } from '../../config/settings.ts';
import { SETTING_COLUMNS } from './columns.ts';
import { listEnvironmentValues } from './environment.ts';
import { formatSetting } from './format.ts';

export const verb = defineVerb({
  columns: SETTING_COLUMNS,
  examples: ['settings list', 'settings list --profile work -o json'],
  async run({ output, settings, profile, runtime }) {
    const rows = SETTINGS.map(({ name }) => {
      const { value, source } = settings[name];
      return { name, value: formatSetting(name, name === 'profile' ? profile.name : value), source };
    });
    await output.list(
      SETTING_COLUMNS,
      (async function* () {
        yield [...rows, ...listEnvironmentValues(runtime.env)];
      })(),
    );
  },
});
