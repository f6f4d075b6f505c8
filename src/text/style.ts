import { Chalk } from 'chalk';
import type { Host, HostOutput } from '../host.ts';

export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

/**
 * `--no-color` decides, then FORCE_COLOR, NO_COLOR, CLICOLOR_FORCE and CLICOLOR in this order, then whether the stream is
 * a terminal that knows colours.
 */
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

function toColorLevel({ env }: Pick<Host, 'env'>, stream: HostOutput, noColorOption: boolean): 0 | 1 | 2 | 3 {
  const { FORCE_COLOR: force, NO_COLOR: no, CLICOLOR_FORCE: olderForce, CLICOLOR: older, TERM: terminal } = env;
  if (noColorOption || force === '0' || force === 'false') return 0;
  if (force) return force === '2' ? 2 : force === '3' ? 3 : 1;
  if (no) return 0;
  if (olderForce && olderForce !== '0') return 1;
  return older !== '0' && stream.isTTY === true && terminal !== 'dumb' ? 1 : 0;
}
