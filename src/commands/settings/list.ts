import type { Command } from 'commander';
import type { OpenContext } from '../../context.ts';
import { toSettingRows } from '../../settings/resolve.ts';
import { addExamples } from '../options.ts';
import { SETTING_VIEW } from '../views/settings.ts';

export function registerList(noun: Command, open: OpenContext): void {
  const verb = noun.command('list').alias('ls').description('every value in force, and where it comes from');
  addExamples(verb, [{ command: 'orgctl settings list', shows: 'what is in force, and why' }]).action(async function (
    this: Command,
  ) {
    const context = open(this);
    await context.records(SETTING_VIEW, toSettingRows(context.settings));
  });
}
