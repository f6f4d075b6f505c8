import { addVerb, type RegisterNoun } from '../../cli/command.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { status } from './status.ts';
import { use } from './use.ts';

export const register: RegisterNoun = (noun, open) => {
  addVerb(noun, 'login', login, open);
  addVerb(noun, 'logout', logout, open);
  addVerb(noun, 'status', status, open);
  addVerb(noun, 'use', use, open);
};
