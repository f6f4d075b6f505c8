import { noun } from '../verb.ts';
import { apply } from './apply.ts';
import { invite } from './invite.ts';
import { list } from './list.ts';
import { mine } from './mine.ts';
import { plan } from './plan.ts';
import { remove } from './remove.ts';
import { report } from './report.ts';
import { resend } from './resend.ts';
import { show } from './show.ts';

export const registerMembers = noun(
  [list, mine, show, invite, remove, resend, plan, apply, report],
  ['orgctl members list --search olive', 'orgctl members invite ana@example.com --team platform'],
  'files',
);
