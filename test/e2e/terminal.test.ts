import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { spawn } from '@lydell/node-pty';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type RunOptions, run } from '../support/run.ts';
import { renderScreen } from '../support/screen.ts';
import { answer, silence, startScripted, type Turn } from '../support/scripted.ts';
import { serve, startService } from '../support/service.ts';
import { createPlace, ORGCTL, orgctl } from '../support/shipped.ts';
import { readStored } from '../support/stored.ts';
import { CONTROL_C, CONTROL_D, ENTER, openTerminal } from '../support/terminal.ts';

/** orgctl at real terminals. What it prints there is compared in `test/commands`. */

const LIST = ['feature-sets', 'list'];
const SETS = {
  data: ['Free', 'Plus'].map((name) => ({
    id: `fs-${name.toLowerCase()}`,
    type: 'feature-sets',
    attributes: { name, cost: 0, 'user-limit': 5, 'audit-logging': true, 'is-current': name === 'Plus' },
  })),
};
const TABLE = [
  'PLAN  PRICE  USERS  AUDIT LOGGING  CURRENT  ID',
  'Free  $0.00      5  yes                     fs-free',
  'Plus  $0.00      5  yes            current  fs-plus',
];
const TSV = ['Free\t0\t5\ttrue\tfalse\tfs-free', 'Plus\t0\t5\ttrue\ttrue\tfs-plus'];

/** A service that does this for each request, and how to reach it. */
async function openService(turn: Turn) {
  const [{ origin, port }, { env, home }] = [await startScripted(turn), createPlace()];
  const login = { ORGCTL_BASE_URL: `${origin}/api/v2`, ORGCTL_TOKEN: 'a-token', ORGCTL_ORG: 'acme' };
  return { host: `127.0.0.1:${port}`, home, env: { ...env, ...login } };
}

/** The lines of a screen, the last of them with the cursor. */
async function show(output: string) {
  const { text, sane } = await renderScreen(output, 120);
  return { lines: text.split('\n'), sane };
}

test('a result is a table at a terminal, and tsv without a header elsewhere', async () => {
  const { env } = await openService(answer(200, SETS));
  const { screen } = await openTerminal(LIST, { env }).ended;
  expect(await show(screen)).toEqual({ lines: [...TABLE, '█'], sane: true });
  expect(await orgctl(LIST, { env })).toEqual({ code: 0, stdout: `${TSV.join('\n')}\n`, stderr: '' });
});

test.each<[hasColours: boolean, argv: string[], options: RunOptions]>([
  [true, [], { tty: { stdout: true }, env: { CI: 'true' } }],
  [false, [], { tty: { stdout: true }, env: { NO_COLOR: '1' } }],
  [false, ['--no-color'], { tty: { stdout: true } }],
  [false, [], { tty: { stdout: true }, env: { TERM: 'dumb' } }],
  [false, ['-o', 'table'], {}],
  [true, ['-o', 'table'], { env: { FORCE_COLOR: '1' } }],
])('a table has colours: %j, %j %j', async (hasColours, argv, options) => {
  const { env } = await openService(answer(200, SETS));
  const { stdout } = await run([...LIST, ...argv], { ...options, env: { ...env, ...options.env } });
  expect(stdout.includes('\u001b[1mPLAN')).toBe(hasColours);
});

describe('what is waited for', () => {
  test('counts pages', async () => {
    const served = await serve({ faults: ['* *: delay=700ms'] });
    const terminal = openTerminal(['members', 'list', '--page-size', '2', '-o', 'json'], { env: served.as('owner') });
    await terminal.until('Reading members of acme: page 3 of 3');
    expect((await terminal.ended).code).toBe(0);
  });

  test('is shown in one line, which disappears before the first row', async () => {
    const served = await serve({ faults: ['* *: delay=700ms'] });
    const { host } = new URL(served.url);
    const argv = ['members', 'list', '--page-size', '2', '-o', 'csv', '--fields', 'email'];
    const prepare = `shift 2; set -- sh -c 'orgctl "$@" | cat' sh "$@"`;
    const terminal = openTerminal(argv, { env: served.as('owner'), prepare });
    await terminal.until(`Waiting for ${host}`);
    expect((await show(terminal.screen())).lines).toEqual([expect.stringMatching(`^\\S Waiting for ${host}$`)]);
    const { code, screen } = await terminal.ended;
    const { lines, sane } = await show(screen);
    expect({ code, sane, first: lines[0], rows: lines.length }).toEqual({
      code: 0,
      sane: true,
      first: 'email',
      rows: 8,
    });
    expect(screen.slice(screen.indexOf('email\r\n'))).not.toContain('Waiting');
  });

  test('is shown nowhere else', async () => {
    let release = (): void => undefined;
    const isShown = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { env } = await openService(async (socket, request) => {
      await isShown;
      answer(200, SETS)(socket, request);
    });
    const wait = async (argv: string[], more: Record<string, string>, isTTY = true) => {
      let text = '';
      const write: Writable['_write'] = (piece, _encoding, done) => {
        text += piece;
        if (text.includes('Waiting')) release();
        done();
      };
      const functions = { clearLine: () => true, cursorTo: () => true, moveCursor: () => true };
      const stderr = Object.assign(new Writable({ write }), { isTTY, columns: 80, ...functions });
      await run([...LIST, ...argv], { env: { ...env, ...more }, host: { stderr, sleep: async () => undefined } });
      return text;
    };
    // They wait until the last one has said it.
    const texts = [
      wait([], { CI: 'true' }),
      wait(['-q'], {}),
      wait(['--accessible'], {}),
      wait([], { TERM: 'dumb' }),
      wait([], {}, false),
      wait([], {}),
    ];
    expect(await Promise.all(texts)).toEqual([...Array(5).fill(''), expect.stringContaining('Waiting')]);
  });
});

test('a question is alone on its line, and text of the service steers no terminal', async () => {
  const hostile = 'in\u001b]0;owned\u0007ven\u001b[2Jtory\u009b31m\u202e\u0008\u007f\u2066end';
  const service = await startService({
    async alter(given) {
      if (service.requests.length === 1) await terminal.until('Waiting for');
      const text = (await given.text()).replaceAll('ivan.invitee', JSON.stringify(hostile).slice(1, -1));
      return Response.json(JSON.parse(text), { headers: { 'content-type': 'application/vnd.api+json' } });
    },
  });
  const { body } = await service.ask('GET', '/organizations/acme/organization-memberships?q=ivan');
  const [{ id }] = (body as { data: [{ id: string }] }).data;
  const token = service.sandbox.tokenFor('owner', 'acme') ?? '';
  const env = { ...createPlace().env, ORGCTL_BASE_URL: service.url, ORGCTL_ORG: 'acme', ORGCTL_TOKEN: token };
  const terminal = openTerminal(['members', 'remove', id], { env });
  await terminal.until('[y/N]');
  const question = 'Remove inventoryend@example.com (invited; platform) from acme? [y/N]';
  expect(await show(terminal.screen())).toMatchObject({ lines: [`${question} █`] });
  terminal.type(`n${ENTER}`);
  const { code, screen } = await terminal.ended;
  expect({ code, sane: (await show(screen)).sane }).toEqual({ code: 3, sane: true });
  const controls = ['\u001b]', '\u001b[2J', '\u0007', '\u0008', '\u007f', '\u009b', '\u202e', '\u2066'];
  expect(controls.filter((control) => screen.includes(control))).toEqual([]);
});

const HOSTILE = 'gl\u001b]0;owned\u0007o\u001b[2Jb\u009b31m\u202e\u0008\u007f\u2066\nex';

/** A service where globex has a name, and team platform too, that would steer a terminal. */
const serveHostile = () =>
  serve({
    async alter(given) {
      const text = (await given.text()).replaceAll(/"(globex|platform)"/g, JSON.stringify(HOSTILE));
      return Response.json(JSON.parse(text), { headers: { 'content-type': 'application/vnd.api+json' } });
    },
  });

/** What colours and layout need, and a choice. */
const OWN_SEQUENCES = /\u001b\[[\d;?]*[mABCDGKJhl]/g;
const ONE_SCREEN = /\u001b\[2J|[\u0007\u0008\u007f-\u009f\u202e\u2066]|\u001b\]/;

test.each([
  ['auth login', 'Default organization', CONTROL_C],
  ['members plan --file roster.yaml --prune --prune-teams', undefined, ''],
  ['members plan --init', undefined, ''],
  ['members plan --init -o json', undefined, ''],
  ['teams list', undefined, ''],
  ['members list -o markdown', undefined, ''],
  ['api organizations/acme/teams', undefined, ''],
])('no name of the service steers the terminal of %s', async (line, question, keys) => {
  const served = await serveHostile();
  writeFileSync(join(served.home, 'roster.yaml'), 'members: [{email: ana@example.com, teams: [security]}]\n');
  const login = { ...served.env, ORGCTL_BASE_URL: served.url };
  const env = question === undefined ? served.as('owner') : login;
  const terminal = openTerminal(line.split(' '), { env, prepare: 'cd "$HOME"' });
  if (question !== undefined) {
    await terminal.until('input is hidden');
    terminal.type(`${served.sandbox.tokenFor('owner', 'acme')}${ENTER}`);
    await terminal.until(question);
    terminal.type(keys);
  }
  const { screen } = await terminal.ended;
  expect(screen).toContain('ex');
  expect(screen.replace(OWN_SEQUENCES, (sequence) => (sequence === '\u001b[2J' ? sequence : ''))).not.toMatch(
    ONE_SCREEN,
  );
  expect(screen).not.toMatch(/^ex/m);
});

test('a dumb terminal gets no escape sequences, hides a token, and takes y and yes alone', async () => {
  const served = await serve({});
  const dumb = { prepare: 'export TERM=dumb' };
  const login = openTerminal(['auth', 'login'], { env: { ...served.env, ORGCTL_BASE_URL: served.url }, ...dumb });
  await login.until('input is hidden):');
  login.type(`${served.sandbox.tokenFor('owner', 'acme')}${ENTER}`);
  await login.until('[1-3]');
  login.type(`7${ENTER}`);
  await login.until('Choose 1 to 3.\r\nDefault organization (Enter takes 1) [1-3]');
  login.type(`2${ENTER}`);
  const { code, screen } = await login.ended;
  expect({ code, screen }).toEqual({
    code: 0,
    screen: expect.stringContaining('✓ globex is the default organization'),
  });
  const remove = openTerminal(['members', 'remove', 'ivan.invitee@example.com'], { env: served.as('owner'), ...dumb });
  await remove.until('[y/N]');
  remove.type(`yep${ENTER}`);
  const ended = await remove.ended;
  expect(ended.code).toBe(3);
  expect(screen + ended.screen).not.toMatch(/\u001b|sandbox\./);
});

test('asks and waits at a terminal without columns', async () => {
  const served = await serve({ faults: ['* *: delay=500ms'] });
  const argv = ['members', 'remove', 'ivan.invitee@example.com'];
  const terminal = openTerminal(argv, { env: served.as('owner'), prepare: 'stty cols 0' });
  await terminal.until('[y/N]');
  terminal.type(`y${ENTER}`);
  const { code, screen } = await terminal.ended;
  expect({ code, screen }).toEqual({ code: 0, screen: expect.stringContaining('Removed') });
  expect(screen).not.toContain('Waiting');
});

test('Ctrl-C ends what waits for an answer, and leaves the terminal as it was', async () => {
  const { env, host } = await openService(silence);
  const terminal = openTerminal(LIST, { env });
  await terminal.until(`Waiting for ${host}`);
  terminal.type(CONTROL_C);
  const { code, screen } = await terminal.ended;
  const shown = await show(screen.replace('^C', ''));
  expect({ code, ...shown }).toEqual({ code: 130, lines: ['Interrupted.', '█'], sane: true });
});

test('a refusal ends the command while another request waits', async () => {
  const served = await serve({ faults: ['* *: delay=500ms'] });
  const terminal = openTerminal(['teams', 'delete', 'owners', 'platform'], { env: served.as('owner') });
  const { code, screen } = await terminal.ended;
  const lines = ["orgctl: owners of acme can't be deleted: every organization needs it", '█'];
  expect({ code, ...(await show(screen)) }).toEqual({ code: 2, lines, sane: true });
});

test('closing the terminal while a token is created loses no token', async () => {
  const { home, env } = createPlace();
  const target = join(home, 'token');
  const { url, sandbox } = await startService({
    alter(given, { method }) {
      if (method === 'POST') {
        pty.kill('SIGHUP');
        (pty as unknown as { destroy(): void }).destroy();
      }
      return given;
    },
  });
  const argv = ['audit-token', 'rotate', '--expires', '2099-01-01', '--to', `file:${target}`, '--yes'];
  const service = { ORGCTL_BASE_URL: url, ORGCTL_ORG: 'acme', ORGCTL_TOKEN: sandbox.tokenFor('owner', 'acme') };
  const pty = spawn(process.execPath, [ORGCTL, ...argv], {
    cwd: home,
    env: { ...env, ...service, TERM: 'xterm-256color' },
  });
  onTestFinished(() => pty.kill('SIGKILL'));
  await vi.waitFor(() => expect(readFileSync(target, 'utf8')).toMatch(/^sandbox\.\S+$/), { timeout: 60_000 });
});

describe('auth login', () => {
  /** When it has asked for the token. */
  async function openLogin() {
    const served = await serve();
    const { origin, host } = new URL(served.url);
    const terminal = openTerminal(['auth', 'login'], { env: { ...served.env, ORGCTL_BASE_URL: served.url } });
    const question = `Token for ${origin} (input is hidden):`;
    await terminal.until(question);
    const folder = join(served.home, '.config', 'orgctl');
    return { served, terminal, question, host, origin, folder };
  }

  test('never shows a typed token, and lets the default organization be chosen', async () => {
    const { terminal, question, host, origin, folder, served } = await openLogin();
    const token = served.sandbox.tokenFor('owner', 'acme') ?? '';
    for (const key of [...token, 'x', '\u007f', ENTER]) terminal.type(key);
    await terminal.until('[1-3]');
    terminal.type(`2${ENTER}`);
    const { code, screen } = await terminal.ended;
    expect(code, screen).toBe(0);
    expect(screen).not.toContain(token);
    const { lines, sane } = await show(screen);
    expect(sane).toBe(true);
    expect(lines.map((line) => line.replace('█', '').trimEnd())).toEqual([
      `Create a token at ${origin}/app/settings/tokens if you have none.`,
      question,
      `✓ Logged in to ${host} as olive-owner`,
      'Your organizations: acme, globex and initech',
      '1. acme',
      '2. globex',
      '3. initech',
      'Default organization (Enter takes 1) [1-3] 2',
      '✓ globex is the default organization',
      '',
    ]);
    expect(readStored(join(folder, 'config.json'))).toEqual({ 'base-url': served.url, org: 'globex' });
    expect(readStored(join(folder, 'credentials.json'))).toEqual({ credentials: { [origin]: { token } } });
  });

  test.each([
    ['Ctrl-C in the middle of a token', `s3cret${CONTROL_C}`, 130, 'Interrupted.'],
    ['Ctrl-D', CONTROL_D, 3, 'Cancelled.'],
  ])('stores nothing after %s, and the terminal is as it was', async (_name, keys, expected, message) => {
    const { terminal, folder } = await openLogin();
    terminal.type(keys);
    const { code, screen } = await terminal.ended;
    expect({ code, screen }).toEqual({ code: expected, screen: expect.stringContaining(message) });
    expect(screen).not.toContain('s3cret');
    expect((await show(screen)).sane).toBe(true);
    expect(existsSync(folder)).toBe(false);
  });
});

test('the fixes of a check, pasted, ask and repair', async () => {
  const served = await serve();
  const env = served.as('owner');
  const role = "it's `id` $(touch pasted) -x";
  const stdin = `settings: ${JSON.stringify({ 'owners-team-saml-role-id': role })}`;
  const check = async () => {
    const { stdout } = await served.run(['organizations', 'check', '--rules', '-', '-o', 'json'], { stdin });
    const rows: { rule: string; status: string; fix: string | null }[] = JSON.parse(stdout);
    return rows.filter(({ rule }) => ['two-factor-required', 'admin-teams', 'settings'].includes(rule));
  };
  for (const { fix } of await check()) {
    const prepare = 'cd "$HOME" && set -- sh -c "$FIX"';
    const terminal = openTerminal([], { env: { ...env, FIX: fix ?? '' }, prepare });
    await terminal.until('[y/N]');
    terminal.type(`y${ENTER}`);
    expect(await terminal.ended).toMatchObject({ code: 0 });
  }
  expect((await check()).map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
  expect(readdirSync(env['HOME'] ?? '')).not.toContain('pasted');
});
