import { Chalk } from 'chalk';
import type { Host, HostOutput } from '../host.ts';
import { toColorLevel } from './color-level.ts';

export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

export function createStyle(host: Pick<Host, 'env'>, stream: HostOutput, noColorOption: boolean): Style {
  // Never chalk's own detection: it ignores NO_COLOR, and looks for options of its own in the command line.
  const chalk = new Chalk({ level: toColorLevel(host, stream, noColorOption) });
  // One argument each: chalk would print further ones too, such as the index `map` passes along.
  return {
    bold: (text) => chalk.bold(text),
    dim: (text) => chalk.dim(text),
    red: (text) => chalk.red(text),
    green: (text) => chalk.green(text),
    yellow: (text) => chalk.yellow(text),
    cyan: (text) => chalk.cyan(text),
  };
}
