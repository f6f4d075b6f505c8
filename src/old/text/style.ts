import { Chalk } from 'chalk';
import type { Host, HostOutput } from '../host.ts';
import { toColorLevel } from './color-level.ts';

export type Style = ReturnType<typeof createStyle>;

export function createStyle(host: Pick<Host, 'env'>, stream: HostOutput, noColorOption: boolean) {
  // Never chalk's own detection: it ignores NO_COLOR, and looks for options of its own in the command line.
  const chalk = new Chalk({ level: toColorLevel(host, stream, noColorOption) });
  // One argument each: chalk would print further ones too, such as the index `map` passes along.
  return {
    bold: (text: string): string => chalk.bold(text),
    dim: (text: string): string => chalk.dim(text),
    red: (text: string): string => chalk.red(text),
    green: (text: string): string => chalk.green(text),
    yellow: (text: string): string => chalk.yellow(text),
    cyan: (text: string): string => chalk.cyan(text),
  };
}
