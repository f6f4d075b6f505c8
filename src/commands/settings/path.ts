import type { Command } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { PATH_COLUMNS } from './columns.ts';

export function registerPath(noun: Command, open: OpenContext): void {
  const verb = noun.command('path').description('Print the path of the settings file');
  addDocumentation(verb, { examples: ['orgctl settings path'], columns: PATH_COLUMNS }).action(async () => {
    const context = open(verb);
    const { configPath } = context.places.store;
    if (context.screen.requested.format === undefined && context.screen.requested.fields === undefined)
      return await context.screen.print(configPath);
    await (await context.screen.output()).one(PATH_COLUMNS, { path: configPath });
  });
}
