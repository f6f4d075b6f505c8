import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { type SettingName, toSettingName } from '../../settings/settings.ts';
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
    await forgetSetting(open(verb), toSettingName(name));
  });
}

async function forgetSetting(context: Context, name: SettingName): Promise<void> {
  const { screen, places } = context;
  const profile = await changeSetting(context, name, undefined);
  screen.note(`${name}${profile} is no longer stored in ${places.store.configPath}`);
}
