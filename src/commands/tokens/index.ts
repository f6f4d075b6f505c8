import { addVerb, type RegisterNoun } from '../../cli/command.ts';
import { deletion } from './delete.ts';
import { list } from './list.ts';
import { rotate } from './rotate.ts';

export const register: RegisterNoun = (noun, open) => {
  addVerb(noun, 'list', list, open);
  addVerb(noun, 'rotate', rotate, open);
  addVerb(noun, 'delete', deletion, open);
};
