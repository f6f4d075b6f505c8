import { addVerb, type RegisterNoun } from '../../cli/command.ts';
import { rotate } from './rotate.ts';

export const registerTokens: RegisterNoun = (noun, open) => {
  addVerb(noun, 'rotate', rotate, open);
};
