import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context.ts';
import { parseSetting, type SettingName, type StoredValue, toSettingName } from '../../settings/settings.ts';
import { addExamples } from '../options.ts';

export function registerSet(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('set')
    .description('store a value for this user')
    .argument('<name>', 'named like the long option')
    .argument('<value>', 'as the option takes it');
  addExamples(verb, [
    { command: 'orgctl settings set org acme', shows: 'the organization, when --org is left out' },
  ]).action(async function (this: Command, name: string, value: string) {
    const setting = toSettingName(name);
    await storeSetting(open(this), setting, parseSetting(setting, value));
  });
}

async function storeSetting(context: Context, name: SettingName, value: StoredValue): Promise<void> {
  await context.store.writeConfig({ [name]: value });
  context.note(`${name} is stored in ${context.store.configPath}`);
}
