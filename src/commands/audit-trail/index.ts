import { addVerb, type RegisterNoun } from '../../cli/command.ts';
import { follow } from './follow.ts';
import { list } from './list.ts';

export const registerAuditTrail: RegisterNoun = (noun, open) => {
  addVerb(noun, 'list', list, open);
  addVerb(noun, 'follow', follow, open);
};
