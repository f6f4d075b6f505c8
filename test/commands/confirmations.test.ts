import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { findCommandName } from '../../src/old/input/about.ts';
import { CONFIRMATIONS, type ConfirmationName } from '../../src/old/input/confirmations.ts';
import { hang, wrap, wrapLine } from '../../src/old/text/wrap.ts';
import { toRequestLines } from '../support/demo.ts';
import { createFolder } from '../support/files.ts';
import { createNames } from '../support/names.ts';
import { failed, run as plainRun, type RunOptions, toText } from '../support/run.ts';
import { startService } from '../support/service.ts';
import { RELEASE } from '../support/verbs.ts';

interface Row {
  readonly argv: string;
  readonly consequences: readonly string[];
  readonly question: string;
  /** What is typed to agree. */
  readonly agreed: readonly string[];
  readonly declined: readonly string[];
  /** What an agreed one says and prints, besides the question. */
  readonly says?: string | readonly string[];
  /** What it says with `--yes`, where that differs. */
  readonly saysUnasked?: string | readonly string[];
  readonly prints: string;
  /** The request that must not be sent unless agreed. */
  readonly write: string;
}

const PLANNED = /^planned\t.*\n|^.*\tdelete acme's audit trail token .*\n/gm;

const TOKEN = '/organizations/acme/authentication-token?token=audit-trails';

const HINT = [
  'To have the next one delivered and checked:',
  '  $ orgctl --org acme audit-token rotate --to file:./audit-token --expires 90d',
];

const ROWS: readonly Row[] = [
  {
    argv: 'audit-token generate',
    consequences: [
      "acme's current token (created 20 days ago, never used) stops working at once.",
      'The new token never expires.',
    ],
    question: "Replace acme's audit trail token?",
    agreed: ['y', 'Y', 'yes', ' YES '],
    declined: ['n', 'no', '', 'acme', 'yess'],
    says: [
      "✓ Replaced acme's audit trail token; it never expires. This is the only time the secret is shown.",
      ...HINT,
    ],
    // What was there before is not read.
    saysUnasked: [
      "✓ Created acme's new audit trail token; it never expires. This is the only time the secret is shown.",
      ...HINT,
    ],
    prints: 'SECRET-1\n',
    write: `POST ${TOKEN} {"data":{"type":"authentication-token","attributes":{}}}`,
  },
  {
    argv: 'audit-token delete',
    consequences: [
      "Everything that reads acme's audit trail with it stops working at once. Without audit logging you can't create a new one.",
    ],
    question: "Delete acme's audit trail token?",
    agreed: ['y'],
    declined: ['n', '', 'acme'],
    prints: 'at-1\tacme\ttrue\n',
    write: `DELETE ${TOKEN}`,
  },
  {
    argv: 'tokens delete team:platform/ci',
    consequences: ['Last used today, created by olive-owner.', 'Everything that uses it stops working at once.'],
    question: "Delete acme's token ci of team platform?",
    agreed: ['y', 'yes'],
    declined: ['n', '', 'ci'],
    prints: 'deleted\tacme\tteam\tplatform\tci\tat-1\t\t\n',
    write: 'DELETE /authentication-tokens/at-1',
  },
  {
    argv: 'tokens delete organization team:platform/ci',
    consequences: [
      "acme's organization token (never used, created by acme)",
      "acme's token ci of team platform (last used today, created by olive-owner)",
      'Everything that uses them stops working at once.',
    ],
    question: 'Delete these 2 tokens of acme?',
    agreed: ['y'],
    declined: ['n'],
    prints: 'deleted\tacme\torganization\t\t\tat-1\t\t\ndeleted\tacme\tteam\tplatform\tci\tat-2\t\t\n',
    write: 'DELETE /organizations/acme/authentication-token',
  },
];

const AT_TERMINAL = { stdin: true, stderr: true };

/** What a terminal shows: the sequences that move the cursor or clear the line are left out. */
const toScreen = (text: string): string =>
  text.replace(/\u001b\[(?:\d*[GJK]|\?2026[hl])/g, '').replaceAll('\r\n', '\n');
const COLUMNS = 80;
const toLines = (texts: readonly string[]): readonly string[] => texts.flatMap((text) => wrapLine(text, COLUMNS));

async function run(argv: string, options: RunOptions) {
  const service = await startService();
  const { plain, real } = await createNames(service.sandbox);
  const result = await service.run(real(argv).split(' '), { ...options, env: { NO_COLOR: '1', ...options.env } });
  return {
    result: { ...result, stdout: plain(result.stdout), stderr: toScreen(plain(result.stderr)) },
    requests: toRequestLines(service.requests, { plain }),
  };
}

for (const row of ROWS) {
  describe(`${row.argv} at a terminal`, () => {
    const consequences = toLines(row.consequences);
    const says = toLines([row.says ?? []].flat());
    const question = `${row.question} [y/N]`;
    for (const answer of row.agreed) {
      test(`typed ${JSON.stringify(answer)}: done`, async () => {
        const { result, requests } = await run(row.argv, { tty: AT_TERMINAL, stdin: `${answer}\n` });
        expect(result).toEqual({
          code: 0,
          stdout: row.prints,
          stderr: toText(...consequences, `${question} ${answer}`, ...says),
        });
        expect(requests).toContain(row.write);
      });
    }

    for (const answer of row.declined) {
      test(`typed ${JSON.stringify(answer)}: exit 3, nothing changed`, async () => {
        const { result, requests } = await run(row.argv, { tty: AT_TERMINAL, stdin: `${answer}\n` });
        expect(result).toEqual(
          failed(3, toText(...consequences, `${question} ${answer}`, 'Cancelled. Nothing was changed.')),
        );
        expect(requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
      });
    }

    test('Ctrl-D: exit 3, nothing changed', async () => {
      const { result, requests } = await run(row.argv, { tty: AT_TERMINAL, stdin: '\u0004' });
      expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 3, stdout: '' });
      expect(result.stderr.endsWith(`${question} \nCancelled. Nothing was changed.\n`), result.stderr).toBe(true);
      expect(requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
    });

    test('Ctrl-C: exit 130, nothing changed', async () => {
      const { result, requests } = await run(row.argv, { tty: AT_TERMINAL, stdin: '\u0003' });
      expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 130, stdout: '' });
      expect(requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
    });

    test('--yes: not asked', async () => {
      const unasked = [row.saysUnasked ?? row.says ?? []].flat();
      const { result, requests } = await run(`${row.argv} --yes`, { tty: AT_TERMINAL });
      expect(result).toEqual({ code: 0, stdout: row.prints, stderr: toText(...toLines(unasked)) });
      expect(requests).toContain(row.write);
    });

    test('--dry-run: not asked, nothing changed', async () => {
      const { result, requests } = await run(`${row.argv} --dry-run`, { tty: AT_TERMINAL });
      // Every line that is printed is of the plan.
      expect({ code: result.code, rest: result.stdout.replaceAll(PLANNED, '') }).toEqual({ code: 0, rest: '' });
      expect(requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
    });
  });

  describe(`${row.argv} where no one can be asked: exit 2, nothing changed`, () => {
    const PLACES: Readonly<
      Record<string, { readonly argv?: string; readonly why?: string; readonly options: RunOptions }>
    > = {
      'no terminal': { options: { stdin: 'y\n' } },
      'stdin is no terminal': { options: { tty: { stderr: true, stdout: true }, stdin: 'y\n' } },
      'stderr is no terminal': { options: { tty: { stdin: true, stdout: true }, stdin: 'y\n' } },
      'in CI': {
        why: 'prompts are off (CI is set)',
        options: { tty: AT_TERMINAL, stdin: 'y\n', env: { CI: 'true' } },
      },
      '--no-input': {
        argv: ' --no-input',
        why: 'prompts are off (--no-input)',
        options: { tty: AT_TERMINAL, stdin: 'y\n' },
      },
      ORGCTL_NO_INPUT: {
        why: 'prompts are off (ORGCTL_NO_INPUT)',
        options: { tty: AT_TERMINAL, stdin: 'y\n', env: { ORGCTL_NO_INPUT: '1' } },
      },
    };
    for (const [place, { argv = '', why = 'there is no terminal to ask at', options }] of Object.entries(PLACES)) {
      test(place, async () => {
        const columns = options.tty?.stderr === true ? COLUMNS : Number.POSITIVE_INFINITY;
        const { result, requests } = await run(`${row.argv}${argv}`, options);
        expect(result).toEqual(
          failed(
            2,
            toText(
              ...wrap(`orgctl: this needs confirmation, and ${why}: ${row.question}`, columns),
              ...row.consequences.flatMap((line) => hang('  ', line, columns)),
              '  → Add --yes, or --dry-run to preview.',
            ),
          ),
        );
        expect(requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
      });
    }
  });
}

describe('audit-token rotate of one token: a place is consent where no one can be asked', () => {
  const rotate = async (options: RunOptions, more = '') => {
    const env = { PATH: process.env['PATH'] ?? '' };
    const { result, requests } = await run(`audit-token rotate --expires never --to exec:wc${more}`, {
      ...options,
      env,
    });
    const posts = requests.filter((request) => request.startsWith('POST ')).length;
    return { code: result.code, asks: result.stderr.includes('[y/N]'), posts, stderr: result.stderr };
  };

  test.each([
    ['y', 0, 1],
    ['n', 3, 0],
  ])('at a terminal it asks: %s', async (answer, code, posts) => {
    const found = await rotate({ tty: AT_TERMINAL, stdin: `${answer}\n` });
    expect(found).toMatchObject({ code, posts, asks: true });
    expect(found.stderr).toContain(
      "acme's current token (created 20 days ago, never used) stops working at once.\nThe new token never expires.\n" +
        "Replace acme's audit trail token? [y/N]",
    );
  });

  test('not with --yes, nor where none is due, nor where no one can be asked', async () => {
    expect(await rotate({ tty: AT_TERMINAL }, ' --yes')).toMatchObject({ code: 0, posts: 1, asks: false });
    const old = ' --if-older-than 90d';
    expect(await rotate({ tty: AT_TERMINAL }, old)).toMatchObject({ posts: 0, asks: false });
    expect(await rotate({})).toMatchObject({ code: 0, posts: 1, asks: false });
  });
});

describe('who is asked', () => {
  const rotation = ['--expires', '30d', '--to', 'file:./{org}.token'];
  const several = ['--orgs', 'acme,globex', ...rotation];
  /** Of each row of the table a line for each of its verbs, as far as `src/old` has them. */
  const LINES: Partial<Record<ConfirmationName, readonly (readonly string[])[]>> = {
    generate: [['audit-token', 'generate']],
    rotate: [
      ['audit-token', 'rotate', ...rotation],
      ['tokens', 'rotate', 'organization', ...rotation],
    ],
    'rotate several': [
      ['audit-token', 'rotate', ...several],
      ['tokens', 'rotate', 'audit-trail', ...several],
    ],
    'delete audit token': [['audit-token', 'delete']],
    'delete tokens': [['tokens', 'delete', 'audit-trail']],
    reset: [['sandbox', 'reset']],
  };
  const ROWS_OF_TABLE = Object.entries(CONFIRMATIONS)
    .filter(([name]) => name in LINES)
    .map(([name, row]) => [name, { elsewhere: '--yes', ...row }] as const);
  const CASES = ROWS_OF_TABLE.flatMap(([name, { elsewhere, question }]) =>
    (LINES[name as ConfirmationName] ?? []).map((argv) => ({
      name,
      argv,
      elsewhere,
      asks: question,
    })),
  );

  test.each(ROWS_OF_TABLE)('each verb of the row %s has a line here', (name, { verbs }) => {
    const tried = (LINES[name as ConfirmationName] ?? []).map((argv) => findCommandName(argv));
    expect(tried.sort()).toEqual([...verbs].sort());
  });

  test('a script needs --yes, but for a token that has a place to go to', () => {
    const others = CASES.filter(({ elsewhere }) => elsewhere !== '--yes').map(({ name }) => name);
    expect([...new Set(others)]).toEqual(['rotate']);
  });

  /** What becomes of a line, on a service and a home of its own. */
  async function attempt(argv: readonly string[], options: RunOptions = {}) {
    const home = createFolder();
    if (argv[0] === 'sandbox') {
      const email = 'new@example.com';
      await plainRun(['--sandbox', 'members', 'invite', email, '--team', 'platform'], { home });
      const { code, stderr } = await plainRun(argv, { home, ...options });
      const left = await plainRun(['--sandbox', 'members', 'list', '--email', email], { home });
      return { code, stderr, changed: left.stdout === '' };
    }
    const service = await startService();
    const { code, stderr } = await service.run(argv, { home, host: { cwd: home }, ...options });
    return { code, stderr, changed: service.requests.some(({ method }) => method !== 'GET') };
  }

  test.each(CASES)(
    '$name, $argv: exit 3 where a person says no, $elsewhere elsewhere',
    async ({ argv, elsewhere, asks }) => {
      const refused = await attempt(argv, { tty: AT_TERMINAL, stdin: 'no\n' });
      expect(refused, refused.stderr).toMatchObject({ code: 3, changed: false });
      // Its own question, with something in each blank.
      const [first = '', ...rest] = asks.replace('?', '\\?').split(/\{\w+\}/);
      expect(refused.stderr.replace(/\s+/g, ' ')).toMatch(new RegExp(`${first}.+${rest.join('.+')}`));
      expect(await attempt([...argv, '--yes'], { tty: AT_TERMINAL })).toMatchObject({ code: 0, changed: true });
      const goesOn = elsewhere === 'nothing';
      expect(await attempt(argv)).toMatchObject({ code: goesOn ? 0 : 2, changed: goesOn });
      expect(await attempt([...argv, '--yes'])).toMatchObject({ code: 0, changed: true });
    },
  );

  test.each(CASES)('$name, $argv: fits 60 columns, and its bracket stands behind a word', async ({ argv }) => {
    const columns = 60;
    const { stderr } = await attempt(argv, { tty: AT_TERMINAL, stdin: 'no\n', columns });
    const lines = toScreen(stripVTControlCharacters(stderr)).split('\n');
    // A path may be wider than that, and stays whole with the bracket behind it.
    const isOneWord = (line: string): boolean => !line.split(' [', 1)[0]?.trim().includes(' ');
    expect(lines.filter((line) => line.length > columns && !isOneWord(line))).toEqual([]);
    expect(lines.filter((line) => line.startsWith('['))).toEqual([]);
  });

  test.each([
    [['members', 'invite', 'dan@example.com', '--team', 'audit']],
    [['providers', 'create', 'hashicorp/google', 'billing']],
    [['providers', 'publish', 'billing', '1.2.0', '--dir', RELEASE, '--public-key', `${RELEASE}/key.asc`]],
  ])('no one, by %j', async (argv) => {
    expect(await attempt(argv, { tty: AT_TERMINAL })).toMatchObject({ code: 0, changed: true });
    expect(await attempt(argv)).toMatchObject({ code: 0, changed: true });
  });

  test('no one, by auth logout', async () => {
    const home = createFolder();
    const { sandbox, url } = await startService();
    const stdin = `${sandbox.tokenFor('owner', 'acme')}\n`;
    await plainRun(['auth', 'login', '--base-url', url], { home, stdin });
    const readToken = () => readFileSync(join(home, 'config', 'credentials.json'), 'utf8').includes(stdin.trim());
    expect(readToken()).toBe(true);
    expect((await plainRun(['auth', 'logout'], { home, tty: AT_TERMINAL })).code).toBe(0);
    expect(readToken()).toBe(false);
  });
});

describe('in the new tree', () => {
  test.each([
    ['members remove ada-auditor', 'Remove ada.auditor@example.com (active; audit) from acme?'],
    [
      'members resend ou-ivan',
      'Revoke the invitation of ivan.invitee@example.com (platform) to acme, and invite again?',
    ],
    ['members invite dan@example.com --team owners', 'Make dan@example.com (acme) an owner?'],
    ['teams remove audit ada-auditor', ''],
    ['teams add security ada-auditor --from audit', ''],
    ['teams add owners ada-auditor', ''],
    ['providers delete public/hashicorp/aws', ''],
  ])('%s asks once; yes, no, --yes, a dry run and nobody to ask', async (argv, question) => {
    const asked = `${question.slice(0, -1)}? [y/N] `;
    const act = async (more: string, options: RunOptions = {}) => {
      const { result, requests } = await run(`${argv}${more}`, { columns: 200, ...options });
      const isChanged = requests.some((request) => !request.startsWith('GET '));
      return [result.code, result.stderr.split(asked).length - 1, isChanged];
    };
    expect(await act('', { tty: AT_TERMINAL, stdin: 'y\n' })).toEqual([0, 1, true]);
    expect(await act('', { tty: AT_TERMINAL, stdin: 'n\n' })).toEqual([3, 1, false]);
    expect(await act(' --yes', { tty: AT_TERMINAL })).toEqual([0, 0, true]);
    expect(await act(' --dry-run', { tty: AT_TERMINAL })).toEqual([0, 0, false]);
    expect(await act('')).toEqual([2, 0, false]);
  });

  test.each<[place: string, more: string, options: RunOptions]>([
    ['stdin is no terminal', '', { tty: { stdout: true, stderr: true } }],
    ['stderr is no terminal', '', { tty: { stdin: true, stdout: true } }],
    ['in CI', '', { tty: AT_TERMINAL, env: { CI: 'true' } }],
    ['--no-input', ' --no-input', { tty: AT_TERMINAL }],
    ['ORGCTL_NO_INPUT', '', { tty: AT_TERMINAL, env: { ORGCTL_NO_INPUT: '1' } }],
  ])('nobody is asked where %s: 2', async (_place, more, options) => {
    const { result, requests } = await run(`members remove ada-auditor${more}`, { ...options, stdin: 'y\n' });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain('this needs a confirmation: Remove ada.auditor@example.com (active; audit) from');
    expect(requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
  });
});
