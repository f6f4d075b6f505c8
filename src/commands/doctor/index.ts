import type { Command } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { addExamples } from '../options.ts';
import { examine } from './examine.ts';

/** `orgctl doctor`. */
export function registerDoctor(command: Command, open: OpenContext): void {
  command.usage('[options]');
  addExamples(command, [
    { command: 'orgctl doctor --org acme', shows: 'network, token, organization, files, unfinished rotations' },
    { command: 'orgctl --sandbox doctor -o json', shows: 'the same of the embedded service, for programs' },
  ]).action(async function (this: Command) {
    await examine(open(this));
  });
}
