import { SETTINGS } from '../../settings/settings.ts';
import { FORMAT_NAMES } from '../../stdout/formats/index.ts';
import { storeSetting } from '../change-setting.ts';
import { type Completion, text } from '../param.ts';
import { verb } from '../verb.ts';
import { NAME, requireOwn } from './name.ts';

function completeValue(name: string): Completion | undefined {
  switch (SETTINGS.find((setting) => setting.name === name)?.kind) {
    case 'format':
      return FORMAT_NAMES;
    case 'flag':
      return ['true', 'false'];
    case 'path':
      return 'files';
    default:
      return SHOWN[name];
  }
}

const SHOWN: Readonly<Record<string, Completion>> = {
  org: 'organizations',
  to: 'places',
};

export const set = verb({
  name: 'settings set',
  help: 'Store a setting',
  effect: 'own',
  args: {
    ...NAME,
    values: text('<value...>', 'What the option of that name takes; several for a list', {
      complete: ([name = '']) => completeValue(name),
    }),
  },
  examples: ['orgctl settings set org acme', 'orgctl settings set org globex --profile work'],
  allowed: { newProfile: true },
  run(context, { name, values }) {
    requireOwn(context, name);
    return storeSetting(context, name, ...values);
  },
});
