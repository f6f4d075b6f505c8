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
  addExamples(verb, [{ command: 'orgctl settings unset org', shows: 'no organization is assumed any more' }]).action(
    async function (this: Command, name: string) {
      await forgetSetting(open(this), toSettingName(name));
    },
  );
}

async function forgetSetting(
  context: Pick<Context, 'identity' | 'screen' | 'places'>,
  name: SettingName,
): Promise<void> {
  const { screen, places } = context;
  const profile = await changeSetting(context, name, undefined);
  screen.note(`${name}${profile} is no longer stored in ${places.store.configPath}`);
}
