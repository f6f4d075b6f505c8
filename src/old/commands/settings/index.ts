import { noun } from '../verb.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { set } from './set.ts';
import { unset } from './unset.ts';

export const registerSettings = noun(
  [list, get, set, unset],
  ['orgctl settings list', 'orgctl settings set org acme'],
  'environment',
);
