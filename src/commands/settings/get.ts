import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { OrgctlError } from '../../errors.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { toSettingRows } from '../../settings/resolve-settings.ts';
import { type SettingName, toSettingName, toSettingText } from '../../settings/settings.ts';
import { toPlainBlock } from '../../text/plain-text.ts';
import { SETTING_COLUMNS, SETTING_HELP } from './columns.ts';

export function registerGet(noun: Command, open: OpenContext): void {
  const verb = noun.command('get').description('Print the current value of a setting').argument('<name>', SETTING_HELP);
  addDocumentation(verb, {
    examples: ['orgctl settings get base-url', 'orgctl settings get base-url -o json'],
    columns: SETTING_COLUMNS,
  }).action(async (name: string) => {
    await getSetting(open(verb), toSettingName(name));
  });
}

async function getSetting({ identity, screen, places }: Context, name: SettingName): Promise<void> {
  const { value } = identity.settings[name];
  if (value === undefined) {
    throw new OrgctlError('not-found', `${name} is not set`, {
      hint: `Set it: ${identity.nextCommand(['orgctl', 'settings', 'set', name])} <value>`,
    });
  }
  if (screen.requested.format !== undefined || screen.requested.fields !== undefined) {
    const row = toSettingRows(identity.settings).find((one) => one.name === name) ?? {};
    await (await screen.output()).one(SETTING_COLUMNS, row);
    return;
  }
  const text = toSettingText(name, value);
  // A script gets it as it is.
  await (await screen.output()).raw(places.host.stdout.isTTY === true ? toPlainBlock(text) : text);
}
