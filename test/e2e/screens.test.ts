import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startRecorder } from '../support/recorder.ts';
import { toScreen } from '../support/screen.ts';
import { type Served, serve } from '../support/served.ts';
import { createPlace, orgctl } from '../support/shipped.ts';
import { CONTROL_C, CONTROL_D, ENTER, openTerminal, type Terminal } from '../support/terminal.ts';

/** What a person sees, compared as whole screens. `█` is the cursor. */

const IVAN = 'ivan.invitee@example.com';
const ASKED = 'Remove ivan.invitee@example.com (invited; platform) from acme? [y/N]';
const DECLINED = ['Cancelled. Nothing was changed.', '█'];

const CONTROL_Z = '\u001a';
/** A shell that takes up again what is put aside, and ends as that does. */
const ASIDE = `set -m; "$@"; echo aside; fg; set -- sh -c "exit $?"`;
const toPrepare = (prepare: string | undefined) => (prepare === undefined ? {} : { prepare });

const toLines = (...lines: readonly string[]): string => lines.join('\n');

describe('the screen while something is asked', () => {
  test('a confirmation, answered with yes', async () => {
    const { served, terminal } = await openRemoval();
    terminal.type(`yes${ENTER}`);
    expect(await end(terminal, served)).toEqual({
      code: 0,
      screen: toLines(
        `${ASKED} yes`,
        'ID                   CHANGED  EMAIL',
        'ou-XXXXXXXXXXXXXXXX  true     ivan.invitee@example.com',
        '█',
      ),
    });
  });

  test.each([
    { name: 'no', keys: `n${ENTER}`, code: 3, after: ['n', ...DECLINED] },
    { name: 'Ctrl-C', keys: `y${CONTROL_C}`, code: 130, after: ['y', 'Interrupted.', '  Nothing was changed.', '█'] },
    { name: 'Ctrl-D', keys: CONTROL_D, code: 3, after: ['', ...DECLINED] },
  ])('a confirmation, answered with $name', async ({ keys, code, after: [typed, ...told] }) => {
    const { served, terminal } = await openRemoval();
    terminal.type(keys);
    expect(await end(terminal, served)).toEqual({
      code,
      screen: toLines(`${ASKED} ${typed}`.trimEnd(), ...told),
    });
  });

  test('a confirmation, put aside with Ctrl-Z and taken up again', async () => {
    const { served, terminal } = await openRemoval(ASIDE);
    terminal.type(`y${CONTROL_Z}`);
    await terminal.until(/aside[\s\S]*\[y\/N\] y\S*G$/);
    terminal.type(`es${ENTER}`);
    const { code, screen } = await end(terminal, served);
    expect(code).toBe(0);
    expect(screen).toContain(`\n${ASKED} yes\nID                   CHANGED  EMAIL\nou-`);
  });

  async function openRemoval(prepare?: string): Promise<{ served: Served; terminal: Terminal }> {
    const served = await serve();
    const argv = ['members', 'remove', IVAN, '--fields', 'id,changed,email'];
    const terminal = openTerminal(argv, { env: served.as('owner'), columns: 120, ...toPrepare(prepare) });
    await terminal.until(/\[y\/N\] \S*G$/);
    expect(await see(terminal, served)).toBe(`${ASKED} █`);
    return { served, terminal };
  }
});

describe('a table on the screen', () => {
  const PEOPLE = [
    ['ou-kanji', 'kanji@example.com', `漢字の${'太郎'.repeat(15)}`],
    ['ou-emoji', 'emoji@example.com', 'rocket🚀🎉'],
    ['ou-flag', 'flag@example.com', '🇩🇪 Jürgen'],
    ['ou-hebrew', 'hebrew@example.com', 'שלום עולם'],
    ['ou-arabic', 'arabic@example.com', 'مرحبا'],
    ['ou-long', 'somebody.with-a-long-name@department.example.com', 'somebody-with-a-long-name'],
  ] as const;

  test('of 200 columns is whole', async () => {
    expect(await showPeople(200)).toMatchInlineSnapshot(`
      "EMAIL                                             STATUS  USER                                                                ID
      kanji@example.com                                 active  漢字の太郎太郎太郎太郎太郎太郎太郎太郎太郎太郎太郎太郎太郎太郎太郎  ou-kanji
      emoji@example.com                                 active  rocket🚀🎉                                                          ou-emoji
      flag@example.com                                  active  🇩🇪 Jürgen                                                           ou-flag
      hebrew@example.com                                active  שלום עולם                                                           ou-hebrew
      arabic@example.com                                active  مرحبا                                                               ou-arabic
      somebody.with-a-long-name@department.example.com  active  somebody-with-a-long-name                                           ou-long
      █"
    `);
  });

  test('of 80 columns leaves out a column and says which', async () => {
    expect(await showPeople(80)).toMatchInlineSnapshot(`
      "EMAIL                                             STATUS
      kanji@example.com                                 active
      emoji@example.com                                 active
      flag@example.com                                  active
      hebrew@example.com                                active
      arabic@example.com                                active
      somebody.with-a-long-name@department.example.com  active
      (no room for user.username; use --fields or -o json)
      █"
    `);
  });

  test('of 40 columns is a paragraph a row, and whole', async () => {
    expect(await showPeople(40)).toMatchInlineSnapshot(`
      "EMAIL: kanji@example.com
      STATUS: active
      USER: 漢字の太郎太郎太郎太郎太郎太郎太郎
      太郎太郎太郎太郎太郎太郎太郎太郎
      ID: ou-kanji

      EMAIL: emoji@example.com
      STATUS: active
      USER: rocket🚀🎉
      ID: ou-emoji

      EMAIL: flag@example.com
      STATUS: active
      USER: 🇩🇪 Jürgen
      ID: ou-flag

      EMAIL: hebrew@example.com
      STATUS: active
      USER: שלום עולם
      ID: ou-hebrew

      EMAIL: arabic@example.com
      STATUS: active
      USER: مرحبا
      ID: ou-arabic

      EMAIL: somebody.with-a-long-name@departm
      ent.example.com
      STATUS: active
      USER: somebody-with-a-long-name
      ID: ou-long
      █"
    `);
  });

  test('of any width is such paragraphs for screen readers', async () => {
    const rows = PEOPLE.map(([id, email, name]) => `EMAIL: ${email}\nSTATUS: active\nUSER: ${name}\nID: ${id}\n`);
    expect(await showPeople(200, ['--accessible'])).toBe(`${rows.join('\n')}█`);
  });

  async function showPeople(columns: number, argv: readonly string[] = []): Promise<string> {
    const recorder = await startRecorder({
      answer: ({ path }) => (path.includes('/organization-memberships') ? toList(PEOPLE) : undefined),
    });
    const { env } = createPlace();
    const terminal = openTerminal(['members', 'list', ...argv], {
      env: { ...env, ORGCTL_BASE_URL: recorder.url, ORGCTL_ORG: 'acme', ORGCTL_TOKEN: 'unused' },
      columns,
    });
    const { code, screen } = await terminal.ended;
    expect(code, screen).toBe(0);
    return await read(screen, columns);
  }

  function toList(people: typeof PEOPLE): object {
    return {
      data: people.map(([id, email]) => ({
        id,
        type: 'organization-memberships',
        attributes: { email, status: 'active' },
        relationships: { user: { data: { id: `user-${id}`, type: 'users' } }, teams: { data: [] } },
      })),
      included: people.map(([id, , username]) => ({ id: `user-${id}`, type: 'users', attributes: { username } })),
      meta: { pagination: { 'current-page': 1, 'next-page': null, 'total-pages': 1, 'total-count': people.length } },
    };
  }
});

describe('a slow list', () => {
  const ARGV = ['members', 'list', '--fields', 'email,status', '--status', 'invited'];

  test('says on the screen what is being read, and wipes it away again', async () => {
    const served = await serve(['--latency', '700ms']);
    const terminal = openTerminal(ARGV, { env: served.as('owner'), columns: 80 });
    await terminal.until('Reading members');
    expect((await see(terminal, served)).replace(/^\S /, '* ')).toBe('* Reading members█');
    expect(await end(terminal, served)).toMatchInlineSnapshot(`
      {
        "code": 0,
        "screen": "EMAIL                     STATUS
      ivan.invitee@example.com  invited
      █",
      }
    `);
  });

  test('is stopped by Ctrl-C, and its line goes away', async () => {
    const served = await serve(['--fault', 'GET organization-memberships: delay=600s']);
    const terminal = openTerminal(ARGV, { env: served.as('owner'), columns: 80 });
    await terminal.until('Reading members');
    terminal.type(CONTROL_C);
    expect(await end(terminal, served)).toMatchInlineSnapshot(`
      {
        "code": 130,
        "screen": "Interrupted.
      █",
      }
    `);
  });

  test('leaves nothing of that in a file, nor on the screen', async () => {
    const served = await serve(['--latency', '700ms']);
    const file = join(served.home, 'list');
    // The first two words are Node and the file, for which `orgctl` stands.
    const prepare = `shift 2; set -- sh -c 'orgctl "$@" > "${file}"' sh "$@"`;
    const terminal = openTerminal(ARGV, { env: served.as('owner'), columns: 80, prepare });
    await terminal.until('Reading members');
    expect(await end(terminal, served)).toEqual({ code: 0, screen: '█' });
    expect(readFileSync(file, 'utf8')).toBe((await orgctl(ARGV, { env: served.as('owner') })).stdout);
  });
});

/** The screen as it is now, without what differs from run to run. */
async function see(terminal: Terminal, served: Served): Promise<string> {
  return toPlain((await toScreen(terminal.screen(), terminal.columns)).text, served);
}

/** The last screen. */
async function end(terminal: Terminal, served: Served): Promise<{ code: number; screen: string }> {
  const { code, screen } = await terminal.ended;
  return { code, screen: toPlain(await read(screen, terminal.columns), served) };
}

/** What stays on a terminal, which is as it was before; and lines that are drawn are straight. */
async function read(output: string, columns: number): Promise<string> {
  const { text, sane, bars } = await toScreen(output, columns);
  expect(sane).toBe(true);
  expect(new Set(bars.map(String)).size).toBeLessThanOrEqual(1);
  return text;
}

function toPlain(text: string, { url, home }: Served): string {
  return text
    .replaceAll(new URL(url).origin, 'ORIGIN')
    .replaceAll(new URL(url).host, 'HOST')
    .replaceAll(home, 'HOME')
    .replaceAll(/\b(at|ou|team)-[A-Za-z0-9]{16}\b/g, `$1-${'X'.repeat(16)}`);
}
