import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { toScreen } from '../support/screen.ts';
import { answer, silence, startScripted, type Turn } from '../support/scripted.ts';
import { serve } from '../support/served.ts';
import { createPlace, type Environment, ORGCTL, orgctl, type Running, shell, start } from '../support/shipped.ts';
import { CONTROL_C, openTerminal } from '../support/terminal.ts';

const STYLE = /\u001b\[[0-9;]*m/;
const BOLD = '\u001b[1mPLAN\u001b[22m';
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

/** A service that does what the turns say, and how to reach it. */
async function openService(turns: readonly [Turn, ...Turn[]] | Turn, more: Environment = {}) {
  const server = await startScripted(turns);
  const place = createPlace();
  const login = { ORGCTL_BASE_URL: `${server.origin}/api/v2`, ORGCTL_TOKEN: 'a-token', ORGCTL_ORG: 'acme' };
  return { host: `127.0.0.1:${server.port}`, home: place.home, env: { ...place.env, ...login, ...more } };
}

/** The lines of a screen, the last of them with the cursor. */
async function show(output: string, columns = 120) {
  const { text, sane } = await toScreen(output, columns);
  return { lines: text.split('\n'), sane };
}

describe('a result', () => {
  test('is a table at a terminal, and tsv without a header elsewhere', async () => {
    const { env } = await openService(answer(200, SETS));
    const { code, screen } = await openTerminal(LIST, { env }).ended;
    expect(code).toBe(0);
    expect(await show(screen)).toEqual({ lines: [...TABLE, '█'], sane: true });
    const rows = ['Free\t0\t5\ttrue\tfalse\tfs-free\n', 'Plus\t0\t5\ttrue\ttrue\tfs-plus\n'];
    expect(await orgctl(LIST, { env })).toEqual({ code: 0, stdout: rows.join(''), stderr: '' });
  });

  test('loses columns from the right at 40 columns, and one note names them', async () => {
    const { env } = await openService(answer(200, SETS));
    for (const [more, note] of [
      [[], ['not shown: CURRENT, ID (use --fields or', '-o json)']],
      [['-q'], []],
    ] as const) {
      const { screen } = await openTerminal([...LIST, ...more], { env, columns: 40 }).ended;
      const { lines } = await show(screen, 40);
      expect(lines.filter((line) => !TABLE.some((row) => row.startsWith(line)))).toEqual([...note, '█']);
      expect(lines).toContain('PLAN  PRICE  USERS  AUDIT LOGGING');
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
    expect((await piped({ FORCE_COLOR: '1' })).stdout).toContain(BOLD);
  });

  test('is a labelled line for each field with --accessible', async () => {
    const { env } = await openService(answer(200, SETS));
    const { screen } = await openTerminal([...LIST, '--accessible', '--fields', 'name,cost'], { env }).ended;
    expect((await show(screen)).lines).toEqual(['PLAN: Free', 'PRICE: $0.00', '', 'PLAN: Plus', 'PRICE: $0.00', '█']);
  });
});

describe('a slow answer', () => {
  /** Nothing is answered before the terminal says so. */
  test.each([[LIST], [['api', 'feature-sets']]])('%j: one line says what is waited for, and goes', async (argv) => {
    const turn: Turn = async (socket, request) => {
      await terminal.until(`Waiting for ${host}`);
      waiting = (await show(terminal.screen())).lines;
      answer(200, SETS)(socket, request);
    };
    let waiting: string[] = [];
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
    const { code, screen } = await openTerminal([...LIST, ...argv], { env: { ...slow.as('owner'), ...more }, prepare })
      .ended;
    expect(code).toBe(0);
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
    const { lines, sane } = await show(screen);
    expect({ code, sane }).toEqual({ code: 130, sane: true });
    expect(lines.map((line) => line.replace('^C', ''))).toEqual(['Interrupted.', '█']);
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
    expect(ended.code).toBe(code);
    expect(await show(ended.screen)).toEqual({ lines: ['Interrupted.', '█'], sane: true });

    const service = await openService(() => running?.child.kill(signal));
    const running: Running = start(process.execPath, [ORGCTL, ...LIST, '-o', 'json'], { env: service.env });
    const stderr = `{"error":{"code":"${name}","exit":${code},"message":"Interrupted."}}\n`;
    expect(await running.ended).toEqual({ code, stdout: '', stderr });
  });
});

describe.each(['feature-sets list', 'feature-sets current -o json', 'api feature-sets'])('orgctl %s', (command) => {
  test('ends with 0 and no word if nobody reads on', async () => {
    for (const reader of ['head -n 1', 'true']) {
      const line = `{ orgctl ${command}; echo "ended with $?" >&2; } | ${reader}`;
      expect((await shell(line, live)).stderr).toBe('ended with 0\n');
    }
  });

  test('ends with 1 and a sentence if the disk is full', async () => {
    const { code, stderr } = await shell(`orgctl ${command} > /dev/full`, live);
    expect(code).toBe(1);
    expect(stderr).toContain('the result could not be written: no space is left');
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
    const text = await orgctl(argv, { env });
    expect(text).toMatchObject({ code: exit, stderr: expect.stringContaining(`orgctl: ${said}\n`) });
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
    if (exit === 10) expect(error.items).toMatchObject([{ item: 'nope', code: 'not-found', exit: 5 }]);
  });
});
