import type { Host, HostOutput } from '../host.ts';

/**
 * `--no-color` decides, then FORCE_COLOR, NO_COLOR, CLICOLOR_FORCE and CLICOLOR in this order, then whether the stream is
 * a terminal that knows colours.
 */
export function toColorLevel({ env }: Pick<Host, 'env'>, stream: HostOutput, noColorOption: boolean): 0 | 1 | 2 | 3 {
  const { FORCE_COLOR: force, NO_COLOR: no, CLICOLOR_FORCE: olderForce, CLICOLOR: older, TERM: terminal } = env;
  if (noColorOption || force === '0' || force === 'false') return 0;
  if (force) return force === '2' ? 2 : force === '3' ? 3 : 1;
  if (no) return 0;
  if (olderForce && olderForce !== '0') return 1;
  return older !== '0' && stream.isTTY === true && terminal !== 'dumb' ? 1 : 0;
}
