import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { parseSetting, type SettingName, type StoredValue, toSettingName } from '../../settings/settings.ts';
import { addExamples } from '../options.ts';
import { changeSetting } from './change.ts';

export function registerSet(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('set')
    .description('store a value for this user')
    .argument('<name>', 'named like the long option')
    .argument('<value...>', 'as the option takes it; several for a list');
  addExamples(verb, {
    'orgctl settings set org acme': 'the organization, when --org is left out',
    'orgctl settings --profile work set org globex': 'the same for what is done with --profile work',
  }).action(async (name: string, values: readonly string[]) => {
    const setting = toSettingName(name);
    await storeSetting(open(verb, { newProfile: true }), setting, parseSetting(setting, ...values));
  });
}

async function storeSetting(context: Context, name: SettingName, value: StoredValue): Promise<void> {
  const { screen, places } = context;
  const profile = await changeSetting(context, name, value);
  screen.note(`${name}${profile} is stored in ${places.store.configPath}`);
}
