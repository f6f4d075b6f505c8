import { describe, expect, test } from 'vitest';
import { FORMAT_NAMES } from '../../src/output/formats.ts';
import { startRecorder } from '../support/recorder.ts';
import { serve } from '../support/served.ts';
import { ENTER, openTerminal, withoutStyle } from '../support/terminal.ts';

const IVAN = 'ivan.invitee@example.com';
const STYLE = /\u001b\[[0-9;]*m/;

describe('results at a terminal', () => {
  test('have colours', async () => {
    const served = await serve();
    const { code, screen } = await openTerminal(['members', 'list', '-q'], { env: served.as('owner') }).ended;
    expect(code).toBe(0);
    expect(screen).toMatch(STYLE);
  });

  test.each([
    { name: 'NO_COLOR', argv: [], variables: { NO_COLOR: '1' } },
    { name: '--no-color', argv: ['--no-color'], variables: {} },
    { name: 'TERM=dumb', argv: [], variables: {}, prepare: 'TERM=dumb && export TERM' },
  ])('have no colours with $name', async ({ argv, variables, ...rest }) => {
    const served = await serve();
    const env = { ...served.as('owner'), ...(variables as Record<string, string>) };
    const { code, screen } = await openTerminal(['members', 'list', ...argv], { env, ...rest }).ended;
    expect(code).toBe(0);
    expect(screen).toContain(IVAN);
    expect(screen).not.toMatch(STYLE);
  });

  test('ten thousand rows are one table', async () => {
    const served = await serve(['--seed', 'members=10000', '--rate-limit', '100000']);
    const { code, screen } = await openTerminal(['members', 'list'], { env: served.as('owner') }).ended;
    expect(code).toBe(0);
    const lines = withoutStyle(screen).split('\r\n');
    // On a slow machine the line of its head begins with what wipes away what was being read.
    const heads = lines.filter((line) => line.includes('EMAIL ')).map((line) => line.slice(line.indexOf('EMAIL ')));
    expect(heads).toHaveLength(1);
    const rows = lines.filter((line) => /^member-\S+ /.test(line));
    expect(rows).toHaveLength(10_000);
    const status = heads[0]?.indexOf('STATUS');
    expect(new Set(rows.map((row) => row.search(/(?<= )(active|invited)\b/)))).toEqual(new Set([status]));
  });
});

describe('what takes long', () => {
  test('ends on a terminal that has no columns, and shows nothing there meanwhile', async () => {
    const served = await serve(['--latency', '700ms']);
    const terminal = openTerminal(['members', 'list'], { env: served.as('owner'), prepare: 'stty cols 0' });
    const { code, screen } = await terminal.ended;
    expect(code).toBe(0);
    expect(screen).toContain(IVAN);
    expect(screen).not.toContain('Reading');
  });

  test.each([{ CI: 'true' }, { TERM: 'dumb' }])('shows no moving line with %o', async (variables) => {
    const served = await serve(['--latency', '700ms']);
    const [[name, value] = ['', '']] = Object.entries(variables);
    const prepare = `${name}=${value} && export ${name}`;
    const { code, screen } = await openTerminal(['members', 'list'], { env: served.as('owner'), prepare }).ended;
    expect(code).toBe(0);
    expect(screen).not.toContain('Reading');
  });
});

test('a confirmation is asked for on a terminal that has no columns too', async () => {
  const served = await serve();
  const terminal = openTerminal(['members', 'remove', IVAN], { env: served.as('owner'), prepare: 'stty cols 0' });
  await terminal.until('[y/N]');
  terminal.type(`n${ENTER}`);
  expect((await terminal.ended).code).toBe(3);
});

describe('text of the service', () => {
  const HOSTILE = 'in\u001b]0;owned\u0007ven\u001b[2Jtory\u009b31m\u202e\u0008\u007f\u2066end';
  const CONTROLS = ['\u001b]', '\u001b[2J', '\u0007', '\u0008', '\u007f', '\u009b', '\u202e', '\u2066'];

  test.each([
    ...FORMAT_NAMES.map((format) => ['providers', format, 0] as const),
    ['members', 'table', 6],
    ['members', 'json', 6],
  ] as const)('of a list of %s steers no terminal as %s, nor in an error', async (noun, format, code) => {
    const screen = await showHostile([noun, 'list', '-o', format], code);
    expect(CONTROLS.filter((control) => screen.includes(control))).toEqual([]);
    expect(screen).toContain('ven');
  });

  test('steers no terminal in a question', async () => {
    const served = await serve();
    const recorder = await startRecorder({ behind: served.url, answer: ({ path }) => toMember(path) });
    const env = { ...served.as('owner'), ORGCTL_BASE_URL: recorder.url };
    const terminal = openTerminal(['members', 'remove', 'ou-1234567890'], { env });
    await terminal.until('[y/N]');
    terminal.type(`n${ENTER}`);
    const { code, screen } = await terminal.ended;
    expect(code).toBe(3);
    expect(screen).toContain('ven');
    // What is left are the keys' own sequences: to the first column, and clear to the end of the line.
    expect(CONTROLS.filter((control) => screen.includes(control))).toEqual([]);
  });

  async function showHostile(argv: readonly string[], expected: number): Promise<string> {
    const recorder = await startRecorder({
      answer: ({ path }) =>
        path.includes('registry-providers')
          ? { data: [{ id: 'prov-1', type: 'registry-providers', attributes: { name: HOSTILE, [HOSTILE]: 'x' } }] }
          : undefined,
      refusal: { errors: [{ status: '403', title: HOSTILE, detail: HOSTILE }] },
    });
    const served = await serve();
    const env = { ...served.as('owner'), ORGCTL_BASE_URL: recorder.url };
    const { code, screen } = await openTerminal(argv, { env, columns: 400 }).ended;
    expect(code, screen).toBe(expected);
    return screen;
  }

  function toMember(path: string): object | undefined {
    if (!path.includes('organization-memberships/ou-')) return undefined;
    return {
      data: { id: 'ou-1234567890', type: 'organization-memberships', attributes: { email: HOSTILE, status: HOSTILE } },
    };
  }
});
