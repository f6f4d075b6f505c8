import { addVerb, type RegisterNoun } from '../../cli/command.ts';
import { add } from './add.ts';
import { list } from './list.ts';
import { members } from './members.ts';
import { remove } from './remove.ts';

export const register: RegisterNoun = (noun, open) => {
  addVerb(noun, 'list', list, open);
  addVerb(noun, 'members', members, open);
  addVerb(noun, 'add', add, open);
  addVerb(noun, 'remove', remove, open);
};
