import type { Command } from 'commander';
import type { OpenContext } from '../../context.ts';
import { addExamples } from '../options.ts';
import { registerList } from './list.ts';

export function registerAuditTrail(program: Command, open: OpenContext): void {
  const noun = program.command('audit-trail').description('what happened in the organization the token belongs to');
  registerList(noun, open);
  addExamples(noun, [{ command: 'orgctl audit-trail list --since 2d', shows: 'what happened in the last two days' }]);
}
