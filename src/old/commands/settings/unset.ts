import { changeSetting } from '../change-setting.ts';
import { verb } from '../verb.ts';
import { NAME, requireOwn } from './name.ts';

export const unset = verb({
  name: 'settings unset',
  help: 'Remove a stored setting',
  effect: 'own',
  args: NAME,
  examples: ['orgctl settings unset org'],
  run(context, { name }) {
    requireOwn(context, name);
    return changeSetting(context, name, undefined);
  },
});
