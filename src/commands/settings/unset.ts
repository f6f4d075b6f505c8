import type { Command } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { toSettingName } from '../../settings/settings.ts';
import { addExamples } from '../options.ts';
import { changeSetting } from './change.ts';

export function registerUnset(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('unset')
    .description('forget a stored value')
    .argument('<name>', 'named like the long option');
  addExamples(verb, {
    'orgctl settings unset org': 'no organization is assumed any more',
  }).action(async (name: string) => {
    await changeSetting(open(verb), toSettingName(name), undefined);
  });
}
