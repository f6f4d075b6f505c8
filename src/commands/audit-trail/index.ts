import { addVerb, type RegisterNoun } from '../../cli/command.ts';
import { follow } from './follow.ts';
import { list } from './list.ts';

export const register: RegisterNoun = (noun, open) => {
  addVerb(noun, 'list', list, open);
  addVerb(noun, 'follow', follow, open);
};
