import { verb } from '../verb.ts';

/** The same as `--version`. */
export const registerVersion = verb({
  name: 'version',
  effect: 'own',
  examples: ['orgctl version'],
  run: ({ screen }, _, { command }) => screen.print(command.parent?.version() ?? ''),
});
