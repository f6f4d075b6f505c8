import type { Command } from 'commander';
import type { OpenContext } from '../../context.ts';
import { registerList } from './list.ts';

export function registerAuditTrail(program: Command, open: OpenContext): void {
  const noun = program.command('audit-trail').description('what happened in the organization the token belongs to');
  registerList(noun, open);
}
