import { addVerb, type RegisterNoun } from '../../cli/command.ts';
import { accept } from './accept.ts';
import { info } from './info.ts';
import { reset } from './reset.ts';
import { serve } from './serve.ts';

export const register: RegisterNoun = (noun, open) => {
  addVerb(noun, 'serve', serve, open);
  addVerb(noun, 'info', info, open);
  addVerb(noun, 'accept', accept, open);
  addVerb(noun, 'reset', reset, open);
};
