import type { Command } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { addExamples } from '../options.ts';
import { registerList } from './list.ts';

export function registerTeams(noun: Command, open: OpenContext): void {
  registerList(noun, open);
  addExamples(noun, {
    'orgctl teams list --org acme': 'the teams of acme',
  });
}
