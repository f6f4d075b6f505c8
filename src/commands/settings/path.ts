import { verb } from '../verb.ts';
import { PATH_COLUMNS } from './columns.ts';

export const path = verb({
  name: 'settings path',
  help: 'Print the path of the settings file',
  effect: 'own',
  examples: ['orgctl settings path'],
  columns: PATH_COLUMNS,
  printsOne: true,
  async run({ screen, places }) {
    const { configPath } = places.store;
    if (screen.requested.format === undefined && screen.requested.fields === undefined)
      return await screen.print(configPath);
    await (await screen.output()).one(PATH_COLUMNS, { path: configPath });
  },
});
