import type { Command } from 'commander';
import { type Include, NO_INCLUDE, USUAL_INCLUDE } from '../../service/include.ts';
import { collectNames } from '../options.ts';

export interface IncludeFlags {
  readonly include?: readonly string[];
}

/** `--include` of the membership reads. Which names a service accepts is not documented: they are sent as given. */
export function addIncludeOption(command: Command): Command {
  return command.option('--include <names>', 'related resources: user (the default), teams; or none', collectNames);
}

export function toInclude(flags: IncludeFlags): Include {
  if (flags.include === undefined) return USUAL_INCLUDE;
  const names = flags.include.filter((name) => name !== 'none');
  return names.length === 0 ? NO_INCLUDE : { names, asked: true };
}
