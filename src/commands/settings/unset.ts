import type { Command } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { toSettingName } from '../../settings/settings.ts';
import { changeSetting } from './change.ts';
import { SETTING_HELP } from './columns.ts';

export function registerUnset(noun: Command, open: OpenContext): void {
  const verb = noun.command('unset').description('Remove a stored setting').argument('<name>', SETTING_HELP);
  addDocumentation(verb, { examples: ['orgctl settings unset org'] }).action(async (name: string) => {
    await changeSetting(open(verb), toSettingName(name), undefined);
  });
}
