import { addVerb, type RegisterNoun } from '../../cli/command.ts';
import { deletion } from './delete.ts';
import { generate } from './generate.ts';
import { rotate } from './rotate.ts';
import { show } from './show.ts';

export const register: RegisterNoun = (noun, open) => {
  addVerb(noun, 'show', show, open);
  addVerb(noun, 'generate', generate, open);
  addVerb(noun, 'rotate', rotate, open);
  addVerb(noun, 'delete', deletion, open);
};
