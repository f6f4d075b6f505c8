import type { Command } from 'commander';
import { UsageError } from '../../errors.ts';
import { collectNames } from '../../input/repeatable.ts';
import { type Include, NO_INCLUDE, USUAL_INCLUDE } from '../../service/include.ts';

export interface IncludeFlags {
  readonly include?: readonly string[];
}

/** `--include` of the membership reads. Which names a service accepts is not documented: they are sent as given. */
export function addIncludeOption(command: Command): Command {
  return command.option(
    '--include <names>',
    'related resources, in place of the usual user: user,teams for both; none for none',
    collectNames,
  );
}

export function toInclude(flags: IncludeFlags): Include {
  if (flags.include === undefined) return USUAL_INCLUDE;
  const names = flags.include;
  if (names.length === 0 || (names.includes('none') && names.length > 1)) {
    throw new UsageError(`--include takes names or none, not '${names.join(',')}'`, {
      hint: 'For example: --include user,teams',
    });
  }
  return names[0] === 'none' ? NO_INCLUDE : { names, asked: true };
}
