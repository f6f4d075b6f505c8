import { addVerb, type RegisterNoun } from '../../cli/command.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { set } from './set.ts';
import { unset } from './unset.ts';

export const register: RegisterNoun = (noun, open) => {
  addVerb(noun, 'list', list, open);
  addVerb(noun, 'get', get, open);
  addVerb(noun, 'set', set, open);
  addVerb(noun, 'unset', unset, open);
};
