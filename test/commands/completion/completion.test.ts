import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readWord } from '../../../src/old/commands/completion/quoting.ts';
import { SHELLS, type ShellName } from '../../../src/old/commands/completion/shells.ts';
import { createFolder } from '../../support/files.ts';
import { run } from '../../support/run.ts';

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
    ['members list --org', '', []],
    ['members list --limit', '', []],
    ['members list --', '--st', []],
    ['completion', 'p', ['powershell']],
    ['sandbox serve --like', '', ['document', 'hosted', 'enterprise']],
    ['sandbox serve --seed', 'd', ['demo']],
    ['sandbox reset --seed', 'm', ['members=1000']],
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
      const file = join(createFolder(), 'script');
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
