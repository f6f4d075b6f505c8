import { describe, expect, test } from 'vitest';
import { isWrite, startRecorder } from '../support/recorder.ts';
import { type Served, serve } from '../support/served.ts';
import { type Environment, orgctl } from '../support/shipped.ts';
import { CONTROL_C, CONTROL_D, ENTER, openTerminal, withoutStyle } from '../support/terminal.ts';

const IVAN = 'ivan.invitee@example.com';
const STYLE = /\u001b\[[0-9;]*m/;

describe('results at a terminal', () => {
  test('are a table, its head set apart', async () => {
    const served = await serve();
    const { code, screen } = await openTerminal(['members', 'list', '-q'], { env: served.as('owner') }).ended;
    expect(code).toBe(0);
    expect(screen).toMatch(STYLE);
    const lines = withoutStyle(screen).trimEnd().split('\r\n');
    expect(lines[0]).toMatch(/^┌─+┬/);
    expect(lines[1]).toMatch(/^│ id +│ status +│ email +│ user\.username +│ teams +│$/);
    expect(lines.at(-1)).toMatch(/^└─+┴.*┘$/);
    expect(lines.filter((line) => line.includes(IVAN))).toHaveLength(1);
  });

  test.each([
    { name: 'NO_COLOR', argv: [], variables: { NO_COLOR: '1' } },
    { name: '--no-color', argv: ['--no-color'], variables: {} },
    { name: 'TERM=dumb', argv: [], variables: {}, prepare: 'TERM=dumb && export TERM' },
  ])('have no colours with $name', async ({ argv, variables, ...rest }) => {
    const served = await serve();
    const env = { ...served.as('owner'), ...variables };
    const { code, screen } = await openTerminal(['members', 'list', ...argv], { env, ...rest }).ended;
    expect(code).toBe(0);
    expect(screen).toContain(IVAN);
    expect(screen).not.toMatch(STYLE);
  });

  test('ten thousand rows are one table', async () => {
    const served = await serve(['--seed', 'members=10000', '--rate-limit', '100000']);
    const { code, screen } = await openTerminal(['members', 'list'], { env: served.as('owner') }).ended;
    expect(code).toBe(0);
    const rows = withoutStyle(screen).match(/^│ ou-\w+ .*│\r$/gm) ?? [];
    expect(rows.filter((row) => row.includes('member-'))).toHaveLength(10_000);
    expect(new Set(rows.map((row) => row.length)).size).toBe(1);
  });

  test('an empty list says so', async () => {
    const served = await serve();
    const argv = ['providers', 'list', '--search', 'nothing-has-this-name'];
    const { code, screen } = await openTerminal(argv, { env: served.as('owner') }).ended;
    expect(code).toBe(0);
    // A slow machine shows before it what is being read.
    expect(screen).toMatch(/No providers found\.\r\n$/);
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

describe('a confirmation', () => {
  test.each([
    { answer: 'y', keys: `y${ENTER}`, code: 0, removed: true },
    { answer: 'yes', keys: `yes${ENTER}`, code: 0, removed: true },
    { answer: 'n', keys: `n${ENTER}`, code: 3, removed: false },
    { answer: 'Enter alone', keys: ENTER, code: 3, removed: false },
    { answer: 'something else', keys: `yellow${ENTER}`, code: 3, removed: false },
    { answer: 'Ctrl-C', keys: CONTROL_C, code: 130, removed: false },
    { answer: 'Ctrl-D', keys: CONTROL_D, code: 3, removed: false },
  ])('of a removal, answered by $answer, ends with $code', async ({ keys, code, removed }) => {
    const served = await serve();
    const terminal = openTerminal(['members', 'remove', IVAN], { env: served.as('owner') });
    await terminal.until('removing this membership from acme? [y/N] ');
    expect(terminal.screen()).toContain(`${IVAN} (ou-`);
    terminal.type(keys);
    const ended = await terminal.ended;
    expect(ended.code).toBe(code);
    // What went wrong has a line of its own, however the question was left.
    if (code !== 0) expect(ended.screen).toContain('\r\norgctl: ');
    expect(await isThere(served, IVAN)).toBe(!removed);
  });

  test.each([
    { typed: 'acme', code: 0 },
    { typed: 'ACME', code: 0 },
    { typed: 'y', code: 3 },
    { typed: 'globex', code: 3 },
  ])(
    'of deleting the audit trail token takes the organization’s name: $typed ends with $code',
    async ({ typed, code }) => {
      const served = await serve();
      const terminal = openTerminal(['audit-token', 'delete'], { env: served.as('owner') });
      await terminal.until('deleting the audit trail token of acme? Type acme to confirm: ');
      terminal.type(typed + ENTER);
      expect((await terminal.ended).code).toBe(code);
      const shown = await orgctl(['audit-token', 'show'], { env: served.as('owner') });
      expect(shown.code).toBe(code === 0 ? 5 : 0);
    },
  );

  test.each([
    { name: 'CI is set', variables: { CI: 'true' }, argv: [] },
    { name: '--no-input is given', variables: {}, argv: ['--no-input'] },
    { name: 'ORGCTL_NO_INPUT is set', variables: { ORGCTL_NO_INPUT: '1' }, argv: [] },
  ])('is not asked for where $name', async ({ variables, argv }) => {
    const served = await serve();
    const recorder = await startRecorder({ behind: served.url });
    const env: Environment = { ...served.as('owner'), ...variables, ORGCTL_BASE_URL: recorder.url };
    const { code, screen } = await openTerminal(['members', 'remove', IVAN, ...argv], { env }).ended;
    expect(code).toBe(2);
    expect(screen).toContain('needs confirmation, and there is nobody to ask');
    expect(screen).not.toContain('[y/N]');
    expect(recorder.requests.filter(isWrite)).toEqual([]);
  });

  test('is asked for on a terminal that has no columns too', async () => {
    const served = await serve();
    const terminal = openTerminal(['members', 'remove', IVAN], { env: served.as('owner'), prepare: 'stty cols 0' });
    await terminal.until('[y/N] ');
    terminal.type(`n${ENTER}`);
    expect((await terminal.ended).code).toBe(3);
  });

  test.each(['--dry-run', '--yes'])('is not asked for with %s', async (option) => {
    const served = await serve();
    const { code, screen } = await openTerminal(['members', 'remove', IVAN, option], { env: served.as('owner') }).ended;
    expect(code).toBe(0);
    expect(screen).not.toContain('[y/N]');
    expect(await isThere(served, IVAN)).toBe(option === '--dry-run');
  });
});

describe('text of the service', () => {
  const HOSTILE = 'in\u001b]0;owned\u0007ven\u001b[2Jtory\u009b31m\u202e\u0008\u007f\u2066end';
  const CONTROLS = ['\u001b]', '\u001b[2J', '\u0007', '\u0008', '\u007f', '\u009b', '\u202e', '\u2066'];

  test.each(['table', 'tsv', 'csv', 'json', 'ndjson', 'jsonapi'])('steers no terminal as %s', async (format) => {
    const screen = await showHostile(['providers', 'list', '-o', format], 0);
    expect(CONTROLS.filter((control) => screen.includes(control))).toEqual([]);
    expect(screen).toContain('ven');
  });

  test.each(['table', 'json'])('steers no terminal in an error as %s', async (format) => {
    const screen = await showHostile(['members', 'list', '-o', format], 6);
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

async function isThere(served: Served, email: string): Promise<boolean> {
  const { stdout } = await orgctl(['members', 'list', '--fields', 'email'], { env: served.as('owner') });
  return stdout.split('\n').includes(email);
}
