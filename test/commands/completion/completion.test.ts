import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readWord } from '../../../src/old/commands/completion/quoting.ts';
import { SHELLS, type ShellName } from '../../../src/old/commands/completion/shells.ts';
import { createFolder } from '../../support/files.ts';
import { findFreePort } from '../../support/ports.ts';
import { NOW, run } from '../../support/run.ts';
import { answer, startScripted, type Turn } from '../../support/scripted.ts';
import { startService } from '../../support/service.ts';

async function words(before: string, word: string, shell = 'bash'): Promise<readonly string[]> {
  const result = await run(['completion', shell, `--word=${word}`, '--', ...before.split(' ').filter(Boolean)]);
  expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' });
  return result.stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t')[0] ?? '');
}

describe('what can stand at a position', () => {
  test.each([
    ['', 'audit', ['audit-token', 'audit-trail']],
    ['members', 'i', ['invite']],
    ['members ls', '--page', ['--page', '--page-size']],
    ['member', '', 'nouns'],
    ['--as owner', 'te', ['teams']],
    ['members list --include', 'user,t', ['user,teams']],
    ['providers list --registry', '', ['public', 'private']],
    ['members list --org', '', []],
    ['members list --limit', '', []],
    ['members list --', '--st', []],
    ['completion', 'p', ['powershell']],
    ['sandbox serve --like', '', ['document', 'hosted', 'enterprise']],
    ['sandbox serve --seed', 'd', ['demo']],
    ['sandbox reset --seed', 'm', ['members=1000']],
    ['--sandbox members list --orgs', 'acme,', ['acme,globex', 'acme,initech']],
    ['sandbox accept', '', ['ivan.invitee@example.com']],
    ['audit-token rotate --to', '', ['file:', 'env-file:', 'exec:', 'github-output:', 'stdout']],
    ['audit-token rotate --to', 'e', ['env-file:', 'exec:']],
    ['audit-token rotate --to', 'file:./a', [':files file:']],
    ['audit-token rotate', '--to=env-file:', [':files --to=env-file:']],
    ['audit-token rotate --to', 'exec:v', []],
    ['', '--vers', ['--version']],
    ['members list', '--vers', []],
    ['', '--quiet=', []],
    ['', '--unknown=', []],
  ])('orgctl %s %s', async (before, word, expected) => {
    const found = await words(before, word);
    if (expected === 'nouns') expect(found).toContain('members');
    else expect(found).toEqual(expected);
  });

  test('every option that is offered has a description', async () => {
    const { stdout } = await run(['completion', 'fish', '--word=--', '--', 'members', 'list']);
    for (const line of stdout.trimEnd().split('\n')) expect(line).toMatch(/^--[a-z\d-]+\t\S/);
  });
});

describe('a word as it is typed', () => {
  test.each<[shell: ShellName, typed: string, word: string]>([
    ['bash', 'a\\ b', 'a b'],
    ['bash', '"a b', 'a b'],
    ['bash', "'a\\b'c", 'a\\bc'],
    ['bash', '"a\\"b"', 'a"b'],
    ['bash', 'a\\', 'a'],
    ['fish', "'a b'", 'a b'],
    ['powershell', 'a` b', 'a b'],
    ['powershell', 'a\\b', 'a\\b'],
    ['zsh', 'a\\ b', 'a b'],
  ])('%s: %s', (shell, typed, word) => {
    expect(readWord(typed, shell).text).toBe(word);
  });
});

describe('the scripts', () => {
  test.each(SHELLS)('%s: it calls orgctl', async (shell) => {
    const { code, stdout, stderr } = await run(['completion', shell]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`orgctl completion ${shell} `);
  });

  const check = { bash: ['-n'], zsh: ['-n'], fish: ['--no-execute'] } as const;
  for (const [shell, flags] of Object.entries(check)) {
    test.skipIf(spawnSync(shell, ['-c', '']).status !== 0)(`${shell} can read its own`, async () => {
      const file = join(openHome(), 'script');
      writeFileSync(file, (await run(['completion', shell])).stdout);
      const { status, stderr } = spawnSync(shell, [...flags, file], { encoding: 'utf8' });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    });
  }

  const isPowerShellThere = spawnSync('pwsh', ['-NoProfile', '-Command', 'exit 0']).status === 0;
  test.skipIf(!isPowerShellThere)('powershell can read its own', async () => {
    const { stdout } = await run(['completion', 'powershell']);
    const { status, stderr } = spawnSync('pwsh', ['-NoProfile', '-Command', stdout], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  // Where there is no PowerShell, its script can only be read.
  describe('powershell, as far as reading tells', () => {
    const readScript = async (): Promise<string> => (await run(['completion', 'powershell'])).stdout;
    const STRINGS = /'(?:[^']|'')*'|"(?:[^"`]|`.|"")*"/g;

    test('brackets and quotation marks are closed', async () => {
      const open: string[] = [];
      for (const mark of (await readScript())
        .replace(/^#.*$/gm, '')
        .replace(STRINGS, '')
        .match(/["'{}()[\]]/g) ?? []) {
        if ('{(['.includes(mark)) open.push(mark);
        else expect(`${open.pop()}${mark}`).toMatch(/^(\{\}|\(\)|\[\])$/);
      }
      expect(open).toEqual([]);
    });

    test('what ends the options is in quotation marks, or it would not arrive', async () => {
      const [call = ''] = /^ *orgctl .*$/m.exec(await readScript()) ?? [];
      expect(call).toContain(` completion powershell "--word=$word" '--' @before `);
      expect(call.replace(STRINGS, '')).not.toMatch(/ -- /);
    });

    test.each<readonly [word: string, bare: boolean]>([
      ['platform', true],
      ['--org=acme', true],
      ['hashicorp/aws', true],
      ['ana@example.com', true],
      ['env-file:./a.env', true],
      ...[
        '',
        'a b',
        'a,b',
        '@a',
        "it's",
        '$(id)',
        'a;b',
        'a|b',
        'a`b',
        '{a}',
        '(a)',
        '#a',
        'a&b',
        '"a',
        '<a',
        '*',
        'é a',
      ].map((word) => [word, false] as const),
    ])('%j goes to the command line as it is: %s', async (word, bare) => {
      const [, pattern = ''] = /\$text -match '([^']+)'/.exec(await readScript()) ?? [];
      expect(new RegExp(pattern).test(word)).toBe(bare);
    });

    test('in quotation marks a quotation mark is doubled, and a path stays behind its option', async () => {
      const script = await readScript();
      expect(script).toContain(`{ "'" + ($text -replace "'", "''") + "'" }`);
      expect(script).toContain("$head = $text -replace '^:files ?', ''");
      expect(script).toContain('::new($head + $_.CompletionText, ');
    });
  });

  test.each([
    [
      ['completion', 'tcsh'],
      "orgctl: command-argument value 'tcsh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish, powershell.\n",
    ],
    [['completion'], "orgctl: missing required argument 'shell'\n"],
    [['completion', 'bash', 'members'], 'orgctl: too many arguments for orgctl completion\n'],
  ])('%j is refused', async (argv, why) => {
    const result = await run(argv);
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 2, stdout: '' });
    expect(result.stderr).toContain(why);
  });
});

describe('names from the service', () => {
  const TEAMS = ['completion', 'bash', '--word=', '--', 'members', 'invite', '--team'];
  const NOTHING = { code: 0, stdout: '', stderr: '' };
  const team = (name: string): object => ({ id: name, type: 'teams', attributes: { name } });

  async function withService(turn: Turn) {
    const server = await startScripted(turn);
    const env = {
      ORGCTL_BASE_URL: `${server.origin}/api/v2`,
      ORGCTL_TOKEN: 'a-token-of-tests',
      ORGCTL_ORG: 'acme',
    };
    return { server, env };
  }

  test('are what the caller may see, in one request', async () => {
    const service = await startService();
    const teams = await service.run(TEAMS);
    expect({ code: teams.code, stderr: teams.stderr }).toEqual({ code: 0, stderr: '' });
    expect(teams.stdout.split('\n')).toContain('platform');
    expect(service.requests.map(({ path }) => path)).toEqual([
      '/api/v2/organizations/acme/teams?page%5Bnumber%5D=1&page%5Bsize%5D=100',
    ]);
  });

  test('of the organization that is typed', async () => {
    const service = await startService();
    await service.run(['completion', 'bash', '--word=', '--', '--org', 'globex', 'providers', 'get']);
    expect(service.requests.map(({ path }) => path.split('?')[0])).toEqual([
      '/api/v2/organizations/globex/registry-providers',
    ]);
  });

  test.each([
    ['', 'audit-trail\norganization\nteam:platform\nteam:platform/ci\n'],
    ['team:', 'team:platform\nteam:platform/ci\n'],
  ])('tokens by how they are named: %s', async (word, expected) => {
    const { server, env } = await withService((socket, request) => {
      const isOfTokens = request.target.includes('/team-tokens');
      const relationships = { team: { data: { id: 'platform', type: 'teams' } } };
      const token = (description: string | null) => ({
        id: `at-${description}`,
        type: 'authentication-tokens',
        attributes: { description },
        relationships,
      });
      answer(200, { data: isOfTokens ? [token('ci 2026-11-20-0123456789abcdef'), token(null)] : [team('platform')] })(
        socket,
        request,
      );
    });
    const { stdout } = await run(['completion', 'fish', `--word=${word}`, '--', 'tokens', 'rotate'], { env });
    expect(stdout).toBe(expected);
    expect(server.requests.map(({ target }) => target.split('?')[0]).sort()).toEqual([
      '/api/v2/organizations/acme/team-tokens',
      '/api/v2/organizations/acme/teams',
    ]);
  });

  test('only private providers are published', async () => {
    const service = await startService();
    const { stdout } = await service.run(['completion', 'bash', '--word=', '--', 'providers', 'publish']);
    expect(stdout).toBe('private/acme/internal-dns\nprivate/acme/inventory\n');
  });

  test.each([
    [['members', 'show'], '', ['olive.owner@example.com', 'milo.member@example.com', 'ivan.invitee@example.com']],
    [['members', 'remove', 'milo.member@example.com'], 'milo', []],
    [['members', 'list', '--email'], 'a@example.com,olive', ['a@example.com,olive.owner@example.com']],
    [['members', 'resend'], '', ['ivan.invitee@example.com']],
  ] as const)('people: orgctl %j %s', async (before, word, expected) => {
    const service = await startService();
    const { stdout } = await service.run(['completion', 'bash', `--word=${word}`, '--', ...before]);
    const found = stdout.split('\n').filter(Boolean);
    expect(found).toEqual(expected.length > 2 ? expect.arrayContaining([...expected]) : expected);
  });

  test('people of a large organization are found by what was typed', async () => {
    const person = (name: string): object => ({
      id: `ou-${name}`,
      type: 'organization-memberships',
      attributes: { email: `${name}@example.com` },
    });
    const server = await startScripted([
      answer(200, { data: Array.from({ length: 100 }, (_, index) => person(`a${index}`)) }),
      answer(200, { data: [person('zed')] }),
    ]);
    const env = {
      ORGCTL_BASE_URL: `${server.origin}/api/v2`,
      ORGCTL_TOKEN: 'a-token-of-tests',
      ORGCTL_ORG: 'acme',
    };
    const home = openHome();
    const complete = (word: string) =>
      run(['completion', 'bash', `--word=${word}`, '--', 'members', 'show'], { home, env });
    expect((await complete('')).stdout.split('\n')).toHaveLength(101);
    expect((await complete('z')).stdout).toBe('zed@example.com\n');
    expect(server.requests[1]?.target).toContain('?q=z&');
  });

  test('are kept for two minutes, and asked for again after', async () => {
    const home = openHome();
    const { server, env } = await withService(answer(200, { data: [team('one')] }));
    for (const [later, requests] of [
      [0, 1],
      [120_000, 1],
      [120_001, 2],
    ] as const) {
      expect((await run(TEAMS, { home, env, now: NOW + later })).stdout).toBe('one\n');
      expect(server.requests).toHaveLength(requests);
    }
  });

  test('that are older are given where the service fails, for a day', async () => {
    const home = openHome();
    const server = await startScripted([answer(200, { data: [team('one')] }), answer(500)]);
    const env = {
      ORGCTL_BASE_URL: `${server.origin}/api/v2`,
      ORGCTL_TOKEN: 'a-token-of-tests',
      ORGCTL_ORG: 'acme',
    };
    await run(TEAMS, { home, env });
    const hour = 60 * 60 * 1000;
    expect(await run(TEAMS, { home, env, now: NOW + hour })).toEqual({ code: 0, stdout: 'one\n', stderr: '' });
    expect(await run(TEAMS, { home, env, now: NOW + 25 * hour })).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test.each<[what: string, turn: Turn]>([
    ['refuses', answer(404)],
    ['has a fault', answer(500)],
    ['is none', answer(200, '<html></html>', { 'content-type': 'text/html' })],
    ['answers with something else', answer(200, { data: [{ id: 'a', type: 'teams' }] })],
  ])('a service that %s gives none, is asked once, and nothing is said', async (_what, turn) => {
    const { server, env } = await withService(turn);
    expect(await run(TEAMS, { env })).toEqual(NOTHING);
    expect(server.requests).toHaveLength(1);
  });

  test('nobody is asked for anything, and nothing is said, where something is missing', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}/api/v2`;
    const env = { ORGCTL_BASE_URL: url, ORGCTL_TOKEN: 'a-token-of-tests', ORGCTL_ORG: 'acme' };
    const tty = { stdin: true, stdout: true, stderr: true };
    expect(await run(TEAMS, { env, tty })).toEqual(NOTHING);
    expect(await run(TEAMS, { env: { ...env, ORGCTL_TOKEN: undefined }, tty })).toEqual(NOTHING);
    expect(await run(TEAMS, { env: { ...env, ORGCTL_ORG: undefined }, tty })).toEqual(NOTHING);
    expect(await run(TEAMS, { env: { ...env, ORGCTL_BASE_URL: 'nonsense' }, tty })).toEqual(NOTHING);
    expect(await run(TEAMS.toSpliced(4, 0, '--sandbox', '--host', 'x'), { env, tty })).toEqual(NOTHING);
  });

  test.each<[typed: readonly [shell: ShellName, kept: string | undefined, word: string], name: string, text: string]>([
    [['bash', '', 'a'], "a b's", "a\\ b\\'s"],
    [
      ['bash', '', 'a'],
      'aé€ $(b)`c`\\!"',
      `a$'\\303\\251\\342\\202\\254'\\ $'\\044'\\(b\\)$'\\140'c$'\\140\\134\\041\\042'`,
    ],
    [['bash', 'ada', 'ada@'], 'ada@example.com', '@example.com'],
    [['bash', '--team=', '--team=a'], 'a;b', 'a\\;b'],
    [['bash', '--team="', '--team="a'], 'a b', 'a b'],
    [['bash', '--team="', '--team="a'], 'aé', ''],
    [['bash', 'x"', 'x"a'], 'xa;b', ''],
    [['bash', "$'", "$'a"], '$a', ''],
    [['bash', '$x', '$x@'], '$x@y', ''],
    // What earlier versions printed as a script quotes by itself, and not always well.
    [['bash', undefined, 'a'], 'a b', ''],
    [['zsh', '', 'a\\ '], 'a b', 'a\\ b'],
    [['zsh', '"', '"a'], 'a$b', ''],
    [['zsh', '', ''], '=ls', '\\=ls'],
    [['zsh', undefined, 'a'], 'aé', ''],
    [['fish', undefined, '"a'], 'a$(b)', 'a$(b)'],
    [['powershell', undefined, 'a'], "a 'b", "a 'b"],
    [['powershell', undefined, 'a'], 'a\u2019;b', ''],
    [['powershell', undefined, "'a"], 'a b', ''],
    [['fish', undefined, ''], ':files /', ''],
    [['fish', undefined, ''], '~', ''],
    [['fish', undefined, ''], '\u3000a', ''],
    [['bash', '--team=', '--team='], ':files /', ''],
    [['fish', undefined, ''], 'a\ud800', ''],
    [['fish', undefined, ''], 'a\u200f', ''],
  ])('%j: %s', async ([shell, kept, word], name, text) => {
    const { env } = await withService(answer(200, { data: [team(name)] }));
    const asked = [`--word=${word}`, ...(kept === undefined ? [] : [`--kept=${kept}`])];
    const before = word.startsWith('--team') ? ['members', 'list'] : ['members', 'list', '--team'];
    const { stdout } = await run(['completion', shell, ...asked, '--', ...before], { env });
    expect(stdout).toBe(text === '' ? '' : `${text}\n`);
  });
});

function openHome(): string {
  const home = createFolder();
  return home;
}
