import type { Command } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { addExamples } from '../options.ts';
import { PATH_COLUMNS } from './columns.ts';

export function registerPath(noun: Command, open: OpenContext): void {
  const verb = noun.command('path').description('the file that settings are stored in');
  addExamples(verb, {
    'orgctl settings path': 'where config.json is',
  }).action(async () => {
    const context = open(verb);
    const { configPath } = context.places.store;
    if (context.screen.requested.format === undefined && context.screen.requested.fields === undefined)
      return await context.screen.print(configPath);
    await (await context.screen.output()).one(PATH_COLUMNS, { path: configPath });
  });
}
