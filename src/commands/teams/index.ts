import type { Command } from 'commander';
import type { OpenContext } from '../../context.ts';
import { addExamples } from '../options.ts';
import { registerList } from './list.ts';

export function registerTeams(program: Command, open: OpenContext): void {
  const noun = program.command('teams').description('the teams of an organization, to find their names and ids');
  registerList(noun, open);
  addExamples(noun, [{ command: 'orgctl teams list --org acme', shows: 'the teams of acme' }]);
}
