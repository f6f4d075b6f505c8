import { OrgctlError } from '../../errors.ts';
import { toSettingRow } from '../../settings/resolve-settings.ts';
import { toSettingText } from '../../settings/settings.ts';
import { toPlainBlock } from '../../text/plain-text.ts';
import { verb } from '../verb.ts';
import { SETTING_COLUMNS } from './columns.ts';
import { NAME } from './name.ts';

export const get = verb({
  name: 'settings get',
  help: 'Print the current value of a setting',
  effect: 'own',
  args: NAME,
  examples: ['orgctl settings get base-url', 'orgctl settings get base-url -o json'],
  columns: SETTING_COLUMNS,
  printsOne: true,
  async run({ identity, screen, places }, { name }) {
    const { value } = identity.settings[name];
    if (value === undefined) {
      throw new OrgctlError('not-found', `${name} is not set`, {
        hint: `Set it: ${identity.nextCommand(['orgctl', 'settings', 'set', name])} <value>`,
      });
    }
    if (screen.requested.format !== undefined || screen.requested.fields !== undefined) {
      await (await screen.output()).one(SETTING_COLUMNS, toSettingRow(identity.settings, name));
      return;
    }
    const text = toSettingText(name, value);
    // A script gets it as it is.
    await (await screen.output()).raw(places.host.stdout.isTTY === true ? toPlainBlock(text) : text);
  },
});
