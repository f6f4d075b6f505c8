import type { Command } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { addExamples } from '../options.ts';
import { registerList } from './list.ts';

export function registerAuditTrail(noun: Command, open: OpenContext): void {
  registerList(noun, open);
  addExamples(noun, {
    'orgctl audit-trail list --since 2d': 'what happened in the last two days',
  });
}
