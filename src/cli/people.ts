import { completeMembers } from './completers.ts';
import { argument, option } from './options.ts';

export const MEMBER_ARGUMENTS = [
  argument('[members...]', 'email, user name, ou-… or user-…; email:, name: and id: decide', {
    complete: completeMembers,
  }),
] as const;
export const FILE_OPTION = option('--file <path>', 'CSV with a header, one email a line, or JSON; - is stdin');
