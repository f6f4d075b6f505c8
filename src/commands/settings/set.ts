import { defineVerb } from '../../cli/command.ts';
import { argument } from '../../cli/options.ts';
import { listProfiles } from '../../config/resolve.ts';
import { findSetting, parseStored } from '../../config/settings.ts';
import { assertNoStoredToken } from '../../config/token.ts';
import { UsageError } from '../../lib/errors.ts';
import { suggest } from '../../lib/text.ts';
import { changeSetting } from './change.ts';
import { CHANGE_COLUMNS } from './columns.ts';
import { NAME_ARGUMENT } from './name.ts';

export const verb = defineVerb({
  isForNewProfile: true,
  columns: CHANGE_COLUMNS,
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
    const profiles = listProfiles(store.readConfig());
    if (setting.name === 'profile' && !profiles.includes(String(value))) {
      throw new UsageError(`no profile named '${value}'`, { hint: suggest(String(value), profiles) });
    }
    if (setting.name === 'token-command') assertNoStoredToken(store, profile);
    await changeSetting(session, setting, value);
  },
});
