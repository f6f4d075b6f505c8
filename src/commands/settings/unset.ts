import { verb } from '../verb.ts';
import { changeSetting } from './change.ts';
import { NAME } from './name.ts';

export const unset = verb({
  name: 'settings unset',
  help: 'Remove a stored setting',
  effect: 'own',
  args: NAME,
  examples: ['orgctl settings unset org'],
  run: (context, { name }) => changeSetting(context, name, undefined),
});
