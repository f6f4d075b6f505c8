import type { Command } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { registerApply } from './apply.ts';
import { registerInvite } from './invite.ts';
import { registerList } from './list.ts';
import { registerMine } from './list-own.ts';
import { registerPlan } from './plan.ts';
import { registerRemove } from './remove.ts';
import { registerReport } from './report.ts';
import { registerResend } from './resend.ts';
import { registerShow } from './show.ts';

export function registerMembers(noun: Command, open: OpenContext): void {
  registerList(noun, open);
  registerMine(noun, open);
  registerShow(noun, open);
  registerInvite(noun, open);
  registerRemove(noun, open);
  registerResend(noun, open);
  registerPlan(noun, open);
  registerApply(noun, open);
  registerReport(noun, open);
  addDocumentation(noun, {
    examples: ['orgctl members list --search olive', 'orgctl members invite ana@example.com --team platform'],
  });
}
