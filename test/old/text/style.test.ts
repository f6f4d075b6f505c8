import { describe, expect, it } from 'vitest';
import type { Host, HostOutput } from '../../../src/old/host.ts';
import { createStyle } from '../../../src/old/text/style.ts';

const terminal = { isTTY: true } as HostOutput;
const pipe = {} as HostOutput;

const isColoured = (env: Record<string, string>, stream: HostOutput, noColorOption = false) =>
  createStyle({ env } as unknown as Host, stream, noColorOption).bold('x') !== 'x';

describe('createStyle', () => {
  it.each<[string, Record<string, string>, HostOutput, boolean]>([
    ['colours at a terminal', {}, terminal, true],
    ['no colours in a pipe', {}, pipe, false],
    ['NO_COLOR, which chalk ignores', { NO_COLOR: '1' }, terminal, false],
    ['NO_COLOR, whatever its value', { NO_COLOR: '0' }, terminal, false],
    ['an empty NO_COLOR is unset', { NO_COLOR: '' }, terminal, true],
    ['TERM=dumb', { TERM: 'dumb' }, terminal, false],
    ['TERM=xterm', { TERM: 'xterm' }, terminal, true],
    ['FORCE_COLOR=1 in a pipe', { FORCE_COLOR: '1' }, pipe, true],
    ['FORCE_COLOR=true in a pipe', { FORCE_COLOR: 'true' }, pipe, true],
    ['FORCE_COLOR=3 in a pipe', { FORCE_COLOR: '3' }, pipe, true],
    ['FORCE_COLOR=0 at a terminal', { FORCE_COLOR: '0' }, terminal, false],
    ['FORCE_COLOR=false at a terminal', { FORCE_COLOR: 'false' }, terminal, false],
    ['an empty FORCE_COLOR is unset', { FORCE_COLOR: '' }, pipe, false],
    ['FORCE_COLOR before NO_COLOR', { FORCE_COLOR: '1', NO_COLOR: '1' }, pipe, true],
    ['FORCE_COLOR=1 before TERM=dumb', { FORCE_COLOR: '1', TERM: 'dumb' }, terminal, true],
    ['CLICOLOR=0 at a terminal', { CLICOLOR: '0' }, terminal, false],
    ['CLICOLOR=1 at a terminal', { CLICOLOR: '1' }, terminal, true],
    ['CLICOLOR=1 in a pipe', { CLICOLOR: '1' }, pipe, false],
    ['CLICOLOR=1 with TERM=dumb', { CLICOLOR: '1', TERM: 'dumb' }, terminal, false],
    ['an empty CLICOLOR is unset', { CLICOLOR: '' }, terminal, true],
    ['CLICOLOR_FORCE=1 in a pipe', { CLICOLOR_FORCE: '1' }, pipe, true],
    ['CLICOLOR_FORCE=1 before CLICOLOR=0', { CLICOLOR_FORCE: '1', CLICOLOR: '0' }, pipe, true],
    ['CLICOLOR_FORCE=1 before TERM=dumb', { CLICOLOR_FORCE: '1', TERM: 'dumb' }, terminal, true],
    ['CLICOLOR_FORCE=0 forces nothing', { CLICOLOR_FORCE: '0' }, pipe, false],
    ['CLICOLOR_FORCE=0 forbids nothing', { CLICOLOR_FORCE: '0' }, terminal, true],
    ['CLICOLOR_FORCE=0 leaves it to CLICOLOR', { CLICOLOR_FORCE: '0', CLICOLOR: '0' }, terminal, false],
    ['an empty CLICOLOR_FORCE is unset', { CLICOLOR_FORCE: '' }, pipe, false],
    ['NO_COLOR before CLICOLOR_FORCE', { NO_COLOR: '1', CLICOLOR_FORCE: '1' }, terminal, false],
    ['FORCE_COLOR=0 before CLICOLOR_FORCE', { FORCE_COLOR: '0', CLICOLOR_FORCE: '1' }, terminal, false],
    ['FORCE_COLOR=1 before CLICOLOR=0', { FORCE_COLOR: '1', CLICOLOR: '0' }, pipe, true],
  ])('%s', (_name, env, stream, coloured) => {
    expect(isColoured(env, stream)).toBe(coloured);
    expect(isColoured(env, stream, true)).toBe(false);
  });

  it('sets text apart, and takes one argument only', () => {
    const style = createStyle({ env: {} } as unknown as Host, terminal, false);
    expect(['a', 'b'].map(style.red)).toEqual(['\u001b[31ma\u001b[39m', '\u001b[31mb\u001b[39m']);
    const { bold, dim, green, yellow, cyan } = style;
    expect([bold, dim, green, yellow, cyan].map((paint) => paint('x'))).toEqual(
      [
        [1, 22],
        [2, 22],
        [32, 39],
        [33, 39],
        [36, 39],
      ].map(([on, off]) => `\u001b[${on}mx\u001b[${off}m`),
    );
  });
});
