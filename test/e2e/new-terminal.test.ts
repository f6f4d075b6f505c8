import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { toScreen } from '../support/screen.ts';
import { answer, silence, startScripted, type Turn } from '../support/scripted.ts';
import { serve } from '../support/served.ts';
import { createPlace, type Environment, ORGCTL, orgctl, type Running, shell, start } from '../support/shipped.ts';
import { CONTROL_C, openTerminal } from '../support/terminal.ts';

const STYLE = /\u001b\[[0-9;]*m/;
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

const shared = await serve(['--rate-limit', '0'], afterAll);
const live = { host: new URL(shared.url).host, env: shared.as('owner') };

/** A service that does this for each request, and how to reach it. */
async function openService(turn: Turn) {
  const [{ origin, port }, { env, home }] = [await startScripted(turn), createPlace()];
  const login = { ORGCTL_BASE_URL: `${origin}/api/v2`, ORGCTL_TOKEN: 'a-token', ORGCTL_ORG: 'acme' };
  return { host: `127.0.0.1:${port}`, home, env: { ...env, ...login } };
}

/** The lines of a screen, the last of them with the cursor. */
async function show(output: string, columns = 120) {
  const { text, sane } = await toScreen(output, columns);
  return { lines: text.split('\n'), sane };
}

describe('a result', () => {
  test('is a table at a terminal, and tsv without a header elsewhere', async () => {
    const { env } = await openService(answer(200, SETS));
    const { screen } = await openTerminal(LIST, { env }).ended;
    expect(await show(screen)).toEqual({ lines: [...TABLE, '█'], sane: true });
    const stdout = 'Free\t0\t5\ttrue\tfalse\tfs-free\nPlus\t0\t5\ttrue\ttrue\tfs-plus\n';
    expect(await orgctl(LIST, { env })).toEqual({ code: 0, stdout, stderr: '' });
  });

  test('loses columns from the right at 40 columns, and one note names them', async () => {
    const { env } = await openService(answer(200, SETS));
    const head = 'PLAN  PRICE  USERS  AUDIT LOGGING';
    for (const [argv, note] of [
      [LIST, ['not shown: CURRENT, ID (use --fields or', '-o json)']],
      [[...LIST, '-q'], []],
    ] as const) {
      const { lines } = await show((await openTerminal(argv, { env, columns: 40 }).ended).screen, 40);
      expect(lines.filter((line) => !/ yes$/.test(line)).toSorted()).toEqual([...note, head, '█'].toSorted());
    }
  });

  test('has colours at a terminal, and where FORCE_COLOR asks for them', async () => {
    const { env } = await openService(answer(200, SETS));
    const isStyled = async (argv: string[], more: Environment = {}, prepare = 'true') =>
      STYLE.test((await openTerminal([...LIST, ...argv], { env: { ...env, ...more }, prepare }).ended).screen);
    expect(await isStyled([], { CI: 'true' })).toBe(true);
    expect(await isStyled([], { NO_COLOR: '1' })).toBe(false);
    expect(await isStyled(['--no-color'])).toBe(false);
    expect(await isStyled([], {}, 'export TERM=dumb')).toBe(false);
    const piped = (more: Environment) => orgctl([...LIST, '-o', 'table'], { env: { ...env, ...more } });
    expect((await piped({})).stdout).not.toMatch(STYLE);
    expect((await piped({ FORCE_COLOR: '1' })).stdout).toContain('\u001b[1mPLAN\u001b[22m');
  });

  test('is a labelled line for each field with --accessible', async () => {
    const { env } = await openService(answer(200, SETS));
    const { screen } = await openTerminal([...LIST, '--accessible', '--fields', 'name,cost'], { env }).ended;
    expect((await show(screen)).lines).toEqual(['PLAN: Free', 'PRICE: $0.00', '', 'PLAN: Plus', 'PRICE: $0.00', '█']);
  });
});

describe('a slow answer', () => {
  test.each([[LIST], [['api', 'feature-sets']]])('%j: one line says what is waited for, and goes', async (argv) => {
    const turn: Turn = async (socket, request) => {
      await terminal.until(`Waiting for ${host}`);
      waiting = (await show(terminal.screen())).lines;
      answer(200, SETS)(socket, request);
    };
    let waiting: string[] | undefined;
    const { env, host, home } = await openService(turn);
    // Into a file: what is left at the terminal is stderr.
    const prepare = `shift 2; set -- sh -c 'orgctl "$@" > "$HOME/result"' sh "$@"`;
    const terminal = openTerminal(argv, { env, prepare });
    const { code, screen } = await terminal.ended;
    expect(waiting).toEqual([expect.stringMatching(new RegExp(`^\\S Waiting for ${host}$`))]);
    expect({ code, ...(await show(screen)) }).toEqual({ code: 0, lines: ['█'], sane: true });
    expect(readFileSync(join(home, 'result'), 'utf8')).toContain('fs-plus');
  });

  test.each<[string, { argv?: string[]; env?: Environment; prepare?: string }]>([
    ['in CI', { env: { CI: 'true' } }],
    ['with -q', { argv: ['-q'] }],
    ['with --accessible', { argv: ['--accessible'] }],
    ['with TERM=dumb', { prepare: 'export TERM=dumb' }],
    ['at a terminal of 0 columns', { prepare: 'stty cols 0' }],
    ['if stderr is no terminal', { prepare: `shift 2; set -- sh -c 'orgctl "$@" 2> "$HOME/errors"' sh "$@"` }],
  ])('is not shown %s', async (_when, { argv = [], env: more = {}, prepare = 'true' }) => {
    const slow = await serve(['--latency', '700ms']);
    const env = { ...slow.as('owner'), ...more };
    const { screen } = await openTerminal([...LIST, ...argv], { env, prepare }).ended;
    expect(screen).toContain('Premium');
    expect(screen).not.toContain('Waiting');
  });
});

describe('a signal while an answer is waited for', () => {
  test('Ctrl-C ends the command and leaves the terminal as it was', async () => {
    const { env, host } = await openService(silence);
    const terminal = openTerminal(LIST, { env });
    await terminal.until(`Waiting for ${host}`);
    terminal.type(CONTROL_C);
    const { code, screen } = await terminal.ended;
    const shown = await show(screen.replace('^C', ''));
    expect({ code, ...shown }).toEqual({ code: 130, lines: ['Interrupted.', '█'], sane: true });
  });

  test.each([
    ['SIGINT', 130, 'interrupted'],
    ['SIGTERM', 143, 'terminated'],
    ['SIGHUP', 129, 'hangup'],
  ] as const)('%s ends it with %i', async (signal, code, name) => {
    const { env, home } = await openService(() => process.kill(Number(readFileSync(file, 'utf8')), signal));
    const file = join(home, 'pid');
    const prepare = 'shift 2; set -- orgctl "$@"';
    const ended = await openTerminal(LIST, { env: { ...env, PID_FILE: file }, prepare }).ended;
    const shown = await show(ended.screen);
    expect({ code: ended.code, ...shown }).toEqual({ code, lines: ['Interrupted.', '█'], sane: true });
    const service = await openService(() => running?.child.kill(signal));
    const running: Running = start(process.execPath, [ORGCTL, ...LIST, '-o', 'json'], { env: service.env });
    const stderr = `{"error":{"code":"${name}","exit":${code},"message":"Interrupted."}}\n`;
    expect(await running.ended).toEqual({ code, stdout: '', stderr });
  });
});

test('SIGTERM ends a command whose reader takes nothing', async () => {
  const { env, home } = await openService(answer(200, { data: 'x'.repeat(1_000_000) }));
  const reader = 'head -c 1; kill -TERM "$(cat "$PID_FILE")"; cat end';
  const line = `mkfifo end; { orgctl api big; echo "ended with $?" > end; } | { ${reader}; }`;
  const { stdout } = await start('sh', ['-c', line], { env: { ...env, PID_FILE: join(home, 'pid') }, cwd: home }).ended;
  expect(stdout).toBe('{ended with 143\n');
});

describe.each(['feature-sets list', 'feature-sets current -o json', 'api feature-sets'])('orgctl %s', (command) => {
  test('ends with 0 and no word if nobody reads on', async () => {
    for (const reader of ['head -n 1', 'true']) {
      const line = `{ orgctl ${command}; echo "ended with $?" >&2; } | ${reader}`;
      expect((await shell(line, live)).stderr).toBe('ended with 0\n');
    }
  });

  test('ends with 1 and a sentence if the disk is full', async () => {
    const stderr = expect.stringContaining('the result could not be written: no space is left');
    expect(await shell(`orgctl ${command} > /dev/full`, live)).toMatchObject({ code: 1, stderr });
  });
});

describe('an error is text, and one JSON line for programs', () => {
  const refuse = (status: number): Turn => answer(status, { errors: [{ status: String(status), detail: 'Why.' }] });
  const LISTING = "can't list the feature sets";

  test.each<[exit: number, code: string, command: string, turn: Turn | undefined, message: string]>([
    [2, 'usage', 'feature-sets lits', silence, "unknown command 'lits'"],
    [4, 'not-authenticated', 'feature-sets list', refuse(401), 'HOST rejected your token (from ORGCTL_TOKEN)'],
    [5, 'not-found', 'feature-sets list', refuse(404), `${LISTING}: not found, or you don't have permission`],
    [6, 'forbidden', 'feature-sets list', refuse(403), "you don't have permission to list the feature sets"],
    [7, 'rejected', 'api POST things', refuse(422), 'the service rejected the request'],
    [8, 'rate-limited', 'feature-sets list', refuse(429), `${LISTING}: too many requests`],
    [9, 'unavailable', 'feature-sets list', refuse(503), `${LISTING}: HOST answered 503`],
    [10, 'incomplete', 'feature-sets current --org acme,nope', undefined, '1 of 2 organizations failed'],
    [11, 'outcome-unknown', 'api POST things', refuse(500), 'unknown whether this happened: send POST /things'],
  ])('%i %s: %s', async (exit, code, command, turn, message) => {
    const { env, host } = turn ? await openService(turn) : live;
    const said = message.replace('HOST', host);
    const argv = [...command.split(' '), '--max-retries', '0'];
    expect(await orgctl(argv, { env })).toMatchObject({
      code: exit,
      stderr: expect.stringContaining(`orgctl: ${said}\n`),
    });
    const json = await orgctl([...argv, '-o', 'json'], { env });
    const { error } = JSON.parse(json.stderr);
    expect(json).toMatchObject({ code: exit, stderr: `${JSON.stringify({ error })}\n` });
    expect(error).toMatchObject({ code, exit, message: said });
    // At a terminal a person reads, whatever the result is.
    if (exit === 5) {
      const { screen } = await openTerminal([...argv, '-o', 'json'], { env }).ended;
      expect((await show(screen)).lines[0]).toBe(`orgctl: ${message}`);
      expect(error).toMatchObject({ status: 404, errors: [{ status: '404' }], request: { method: 'GET' } });
    }
  });
});
