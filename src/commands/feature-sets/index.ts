import type { Command } from 'commander';
import type { OpenContext } from '../../context.ts';
import { addExamples } from '../options.ts';
import { registerList } from './list.ts';

export function registerFeatureSets(program: Command, open: OpenContext): void {
  const noun = program.command('feature-sets').description('the plans of the service, and what each holds');
  registerList(noun, open);
  addExamples(noun, [{ command: 'orgctl feature-sets list --eligible --org acme', shows: 'what acme may have' }]);
}
