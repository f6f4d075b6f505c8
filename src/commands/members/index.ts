import { apply } from './apply.ts';
import { invite } from './invite.ts';
import { list } from './list.ts';
import { mine } from './mine.ts';
import { plan } from './plan.ts';
import { remove } from './remove.ts';
import { report } from './report.ts';
import { resend } from './resend.ts';
import { show } from './show.ts';

export const verbs = { list, mine, show, invite, remove, resend, plan, apply, report };
