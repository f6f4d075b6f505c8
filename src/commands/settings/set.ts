import { resolve } from 'node:path';
import { parseSetting, SETTINGS } from '../../settings/settings.ts';
import { FORMAT_NAMES } from '../../stdout/formats/index.ts';
import { type Completion, text } from '../param.ts';
import { verb } from '../verb.ts';
import { changeSetting } from './change.ts';
import { NAME } from './name.ts';

function completeValue(name: string): Completion | undefined {
  switch (SETTINGS.find((setting) => setting.name === name)?.kind) {
    case 'format':
      return FORMAT_NAMES;
    case 'flag':
      return ['true', 'false'];
    default:
      return SHOWN[name];
  }
}

const SHOWN: Readonly<Record<string, Completion>> = {
  org: 'organizations',
  'ca-file': 'files',
  'client-cert': 'files',
  'client-key': 'files',
  to: 'places',
};

export const set = verb({
  name: 'settings set',
  help: 'Store a setting',
  near: ['use', 'switch', 'select'].flatMap((word) =>
    ['org', 'organization'].map((thing) => ({ words: `${thing} ${word}`, rest: 'org <name>' })),
  ),
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
    const value = parseSetting(name, ...values);
    // A stored path is used from every folder.
    const isPath = SHOWN[name] === 'files' && typeof value === 'string';
    return changeSetting(context, name, isPath ? resolve(context.places.host.cwd, value) : value);
  },
});
