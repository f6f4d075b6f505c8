import type { Command } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { parseSetting, toSettingName } from '../../settings/settings.ts';
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
    await changeSetting(open(verb, { newProfile: true }), setting, parseSetting(setting, ...values));
  });
}
