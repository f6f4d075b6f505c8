import { parseSetting } from '../../settings/settings.ts';
import { text } from '../param.ts';
import { verb } from '../verb.ts';
import { changeSetting } from './change.ts';
import { NAME } from './name.ts';

export const set = verb({
  name: 'settings set',
  help: 'Store a setting',
  effect: 'own',
  args: { ...NAME, values: text('<value...>', 'What the option of that name takes; several for a list') },
  examples: ['orgctl settings set org acme', 'orgctl settings set org globex --profile work'],
  allowed: { newProfile: true },
  run: (context, { name, values }) => changeSetting(context, name, parseSetting(name, ...values)),
});
