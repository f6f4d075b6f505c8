import { addVerb, type RegisterNoun } from '../../cli/command.ts';
import { apply } from './apply.ts';
import { invite } from './invite.ts';
import { list } from './list.ts';
import { mine } from './mine.ts';
import { plan } from './plan.ts';
import { remove } from './remove.ts';
import { report } from './report.ts';
import { resend } from './resend.ts';
import { show } from './show.ts';

export const register: RegisterNoun = (noun, open) => {
  addVerb(noun, 'list', list, open);
  addVerb(noun, 'mine', mine, open);
  addVerb(noun, 'show', show, open);
  addVerb(noun, 'invite', invite, open);
  addVerb(noun, 'remove', remove, open);
  addVerb(noun, 'resend', resend, open);
  addVerb(noun, 'plan', plan, open);
  addVerb(noun, 'apply', apply, open);
  addVerb(noun, 'report', report, open);
};
