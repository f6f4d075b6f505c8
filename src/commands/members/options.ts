import type { Command } from 'commander';
import type { Context } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import type { RosterInput, RosterReader } from '../../roster/plan-roster.ts';
import { type FileFlags, toFileReader } from '../people.ts';

export function toRosterReader(context: Context): RosterReader {
  const { screen, services } = context;
  return { ...toFileReader(context), service: services.current, progress: screen.progress };
}

export interface RosterFlags extends FileFlags {
  readonly prune?: boolean;
  readonly allowOwners?: boolean;
}

export function addRosterOptions(command: Command): Command {
  return command
    .option('--file <path>', 'The roster: YAML, JSON or CSV; - is stdin')
    .option('--prune', 'Remove people who are not in the roster (never owners, never you)')
    .option('--allow-owners', 'With --prune: remove owners too (never the last one, never you)')
    .addHelpText('after', '\nA roster:\n  members:\n    - email: ana@example.com\n      teams: [platform, security]');
}

export function toRosterInput({ file, prune = false, allowOwners = false }: RosterFlags): RosterInput {
  if (file === undefined) {
    throw new UsageError('missing --file: the roster', {
      hint: 'To print a roster of the current members:',
      next: [['orgctl', 'members', 'plan', '--init']],
    });
  }
  if (allowOwners && !prune) {
    throw new UsageError('--allow-owners works only with --prune', { hint: 'Without --prune no one is removed.' });
  }
  return { file, prune, allowOwners };
}
