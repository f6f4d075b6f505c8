import { addVerb, type RegisterNoun } from '../../cli/command.ts';
import { current } from './current.ts';
import { list } from './list.ts';

export const register: RegisterNoun = (noun, open) => {
  addVerb(noun, 'list', list, open);
  addVerb(noun, 'current', current, open);
};
