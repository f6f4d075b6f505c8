import type { Command } from 'commander';
import type { OpenContext } from '../../context.ts';
import { addExamples } from '../options.ts';

/** `orgctl doctor`. What examines is loaded when it runs. */
export function registerDoctor(program: Command, prepare: (command: Command) => Promise<OpenContext>): Command {
  const verb = program
    .command('doctor')
    .description('check everything between here and the organization, and say what to do about what is wrong');
  return addExamples(verb, [
    { command: 'orgctl doctor --org acme', shows: 'network, token, organization, files, unfinished rotations' },
    { command: 'orgctl --sandbox doctor -o json', shows: 'the same of the embedded service, for programs' },
  ]).action(async function (this: Command) {
    const [open, { examine }] = await Promise.all([prepare(this), import('./examine.ts')]);
    await examine(open(this));
  });
}
