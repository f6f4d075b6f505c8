import { defineVerb } from '../../cli/command.ts';
import { argument } from '../../cli/options.ts';
import { assertProfileExists, findProfile } from '../../config/resolve.ts';
import { findSetting, parseStored } from '../../config/settings.ts';
import { assertNoStoredToken } from '../../config/token.ts';
import { changeSetting, NAME_ARGUMENT, SETTING_RESULT_COLUMNS } from './setting.ts';

export const verb = defineVerb({
  isForNewProfile: true,
  columns: SETTING_RESULT_COLUMNS,
  arguments: [
    NAME_ARGUMENT,
    argument('<value...>', 'its value; several for a list', {
      complete: ({ operands: [name = ''] }) => findSetting(name).choices ?? [],
    }),
  ],
  examples: ['settings set org acme', 'settings set to file:/run/secrets/audit --profile work'],
  async run(session, _options, name, values) {
    const setting = findSetting(name);
    const { store, profile, runtime } = session;
    const value = parseStored(setting, values, runtime.cwd);
    const config = store.readConfig();
    if (setting.name === 'profile') assertProfileExists(findProfile(String(value), {}, config), config);
    if (setting.name === 'token-command') assertNoStoredToken(store, profile);
    await changeSetting(session, setting, value);
  },
});
