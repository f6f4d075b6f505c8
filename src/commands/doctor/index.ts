import type { Command } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { addExamples } from '../options.ts';
import { examine } from './examine.ts';

/** `orgctl doctor`. */
export function registerDoctor(command: Command, open: OpenContext): void {
  command.usage('[options]');
  addExamples(command, {
    'orgctl doctor --org acme': 'network, token, organization, files, unfinished rotations',
    'orgctl --sandbox doctor -o json': 'the same of the embedded service, for programs',
  }).action(() => examine(open(command)));
}
