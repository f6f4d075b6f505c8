import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { pass, refuse } from '../support/faults.ts';
import { type Front, type Passing, startFront } from '../support/front.ts';
import { toScreen } from '../support/screen.ts';
import { type Served, serve } from '../support/served.ts';
import { createPlace } from '../support/shipped.ts';
import { ENTER, openTerminal, type Terminal } from '../support/terminal.ts';

/**
 * What a person sees while answers are on their way. No answer comes before the terminal says what is waited for, so that a
 * command that says nothing never ends.
 */

const COLUMNS = 80;
const LINE = /^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏|/\\-] (.+?)█?$/;
const FRAME = '\u001b[?2026h';
const IVAN = 'ivan.invitee@example.com';

describe('while an answer is on its way, the terminal says so', () => {
  const WAITING = expect.stringMatching(/^Waiting for 127\.0\.0\.1:\d+$/);
  test.each<{ argv: readonly string[]; said: readonly string[] }>([
    { argv: ['members', 'invite', 'ana@example.com', '--team', 'platform'], said: [WAITING] },
    { argv: ['audit-token', 'show'], said: [WAITING] },
    { argv: ['auth', 'status'], said: [WAITING] },
  ])('$argv', async ({ argv, said }) => {
    const stage = await openStage(argv);
    const { code, screen } = await stage.end();
    expect({ code, leaves: screen.split('\n').filter((line) => LINE.test(line)) }).toEqual({ code: 0, leaves: [] });
    expect(stage.said).toEqual(expect.arrayContaining([...said]));
  });

  test('and leaves the line of a question to it', async () => {
    const stage = await openStage(['members', 'remove', IVAN]);
    await stage.terminal.until('[y/N]');
    expect((await see(stage.terminal)).text).toBe(`Remove ${IVAN} (invited; platform) from acme? [y/N] █`);
    stage.terminal.type(`y${ENTER}`);
    expect((await stage.end()).code).toBe(0);
  });
});

describe('what keeps it longer is said with its count', () => {
  test.each([
    { status: 503, headers: {}, said: 'HOST answered 503; trying again (2 of 5)' },
    { status: 429, headers: { 'retry-after': '1' }, said: 'HOST answered 429; trying again (2 of 5)' },
  ])('$status', async ({ status, headers, said }) => {
    let isFirst = true;
    const stage = await openStage(['members', 'list', '--status', 'invited', '--fields', 'email'], {
      async answer(passing, front) {
        const fault = isFirst ? refuse(status, headers as Record<string, string>) : pass;
        if (!isFirst) await stage.terminal.until(said.replace('HOST', new URL(front.url).host));
        isFirst = false;
        await fault(passing, front);
      },
    });
    const { code, screen } = await stage.end();
    expect({ code, screen }).toEqual({
      code: 0,
      screen: 'EMAIL\nivan.invitee@example.com\n█',
    });
  });
});

describe('nothing of it is left in what is piped, nor drawn beside it', () => {
  const ARGV = ['members', 'list', '--page-size', '2', '-o', 'csv', '--fields', 'email'];
  const ROWS = ['email', 'olive.owner@example.com', 'milo.member@example.com'];

  test.each([
    { name: '| cat', shell: 'orgctl "$@" | cat' },
    { name: '| grep @', shell: 'orgctl "$@" | grep -e email -e @' },
    { name: '| head -1', shell: 'orgctl "$@" | head -1', rows: 1 },
    { name: '| less', shell: 'orgctl "$@" | less -FX' },
  ])('$name', async ({ shell, rows = 7 }) => {
    const served = await serve(['--latency', '700ms']);
    const terminal = openTerminal(ARGV, { env: served.as('owner'), prepare: toPrepare(shell) });
    await terminal.until('Waiting for');
    const { screen } = await terminal.ended;
    const lines = (await toScreen(screen, COLUMNS)).text.split('\n');
    expect(lines.slice(0, 3)).toEqual(rows === 1 ? [ROWS[0], '█'] : ROWS);
    expect(lines).toHaveLength(rows + 1);
    expect(screen.slice(screen.indexOf('email\r\n'))).not.toContain('Waiting');
  });

  test('2> file', async () => {
    const served: Served = await serve(['--latency', '700ms']);
    const file = join(served.home, 'errors');
    const terminal = openTerminal(ARGV, { env: served.as('owner'), prepare: toPrepare(`orgctl "$@" 2> "${file}"`) });
    expect((await terminal.ended).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe('');
  });
});

/** The first two words are Node and the file, for which `orgctl` stands. */
function toPrepare(shell: string): string {
  return `shift 2; set -- sh -c '${shell}' sh "$@"`;
}

interface Stage {
  readonly terminal: Terminal;
  readonly home: string;
  /** What the line said, each text once, in the order in which answers waited for it. */
  readonly said: readonly string[];
  /** Resolves when the line says it. */
  untilSaid(text: string | RegExp): Promise<void>;
  end(): Promise<{ readonly code: number; readonly screen: string }>;
}

/** A command at a terminal, and a service that answers once the terminal says what is waited for. */
async function openStage(
  argv: readonly string[],
  { answer = pass }: { answer?: (passing: Passing, front: Front) => Promise<void> | void } = {},
): Promise<Stage> {
  const sandbox = openSandbox({ state: ':memory:', now: Date.now, randomBytes });
  onTestFinished(() => sandbox.close());
  const said: string[] = [];
  const untilSaid = async (text: string | RegExp): Promise<void> => {
    for (;;) {
      const seen = terminal.screen().length;
      const shown = (await see(terminal)).line;
      if (shown !== undefined && (typeof text === 'string' ? shown === text : text.test(shown))) {
        const plain = shown.replace(/\bou-\w+/g, 'ou-…');
        if (!said.includes(plain)) said.push(plain);
        return;
      }
      await terminal.until((screen) => screen.length > seen);
    }
  };
  const front = await startFront(sandbox, async (passing, self) => {
    // What was drawn before the request came may still be on its way.
    const frames = terminal.screen().split(FRAME).length;
    await terminal.until((screen) => screen.split(FRAME).length > frames + 1);
    await untilSaid(/./);
    await answer(passing, self);
  });
  const place = createPlace();
  const token = sandbox.tokens().find(({ kind }) => kind === 'owner')?.token ?? '';
  const env = { ...place.env, ORGCTL_BASE_URL: front.url, ORGCTL_ORG: 'acme', ORGCTL_TOKEN: token };
  const prepare = `cd '${place.home}'`;
  const terminal = openTerminal(argv, { env, columns: COLUMNS, prepare });
  return {
    terminal,
    home: place.home,
    said,
    untilSaid,
    async end() {
      const { code, screen } = await terminal.ended;
      const { text, sane } = await toScreen(screen, COLUMNS);
      expect(sane).toBe(true);
      return { code, screen: text };
    },
  };
}

/** The screen, and what its line says, which may go on on the next rows. */
async function see(terminal: Terminal): Promise<{ readonly text: string; readonly line: string | undefined }> {
  const { text } = await toScreen(terminal.screen(), COLUMNS);
  const lines = text.split('\n');
  const start = lines.findLastIndex((line) => LINE.test(line));
  const line = start < 0 ? undefined : LINE.exec(lines.slice(start).join(' ').replace(/ +/g, ' '))?.[1];
  return { text, line };
}
