import type { Command } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { registerList } from './list.ts';

export function registerTeams(noun: Command, open: OpenContext): void {
  registerList(noun, open);
  addDocumentation(noun, { examples: ['orgctl teams list', 'orgctl teams list -o csv > teams.csv'] });
}
