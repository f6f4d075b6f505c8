import type { Command } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { parseSetting, toSettingName } from '../../settings/settings.ts';
import { changeSetting } from './change.ts';
import { SETTING_HELP } from './columns.ts';

export function registerSet(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('set')
    .description('Store a setting')
    .argument('<name>', SETTING_HELP)
    .argument('<value...>', 'What the option of that name takes; several for a list');
  addDocumentation(verb, {
    examples: ['orgctl settings set org acme', 'orgctl settings set org globex --profile work'],
  }).action(async (name: string, values: readonly string[]) => {
    const setting = toSettingName(name);
    await changeSetting(open(verb, { newProfile: true }), setting, parseSetting(setting, ...values));
  });
}
