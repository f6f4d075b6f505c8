import { noun } from '../verb.ts';
import { add } from './add.ts';
import { list } from './list.ts';
import { members } from './members.ts';
import { remove } from './remove.ts';

export const registerTeams = noun(
  [list, members, add, remove],
  ['orgctl teams list', 'orgctl teams add platform ada.auditor@example.com --from audit --yes'],
  'files',
);
