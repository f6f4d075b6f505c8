import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { SHELLS } from '../../src/commands/completion/shells.ts';
import { readCommandTree } from '../support/command-tree.ts';
import { findExamples } from '../support/examples.ts';
import { parseJsonLines } from '../support/formats.ts';
import { type Served, serve } from '../support/served.ts';
import { createPlace, orgctl, shell, start } from '../support/shipped.ts';
import { RELEASE } from '../support/verbs.ts';

const { nouns, verbs } = await readCommandTree();
const place = createPlace(afterAll);
const helps = await readHelps(['', ...nouns, ...verbs]);

describe('every help', () => {
  test.each(helps)('of "$words" says how it is called, and has an example', ({ words, text, examples }) => {
    expect(text).toContain(`\nUsage: ${`orgctl ${words}`.trim()}`);
    expect(examples.length).toBeGreaterThan(0);
  });

  test.each(nouns)('of "%s" lists its verbs', (noun) => {
    const text = helps.find(({ words }) => words === noun)?.text ?? '';
    const own = verbs.filter((verb) => verb.startsWith(`${noun} `)).map((verb) => verb.slice(noun.length + 1));
    expect(own.filter((verb) => !new RegExp(`^ {2}${verb}\\b`, 'm').test(text))).toEqual([]);
  });

  // There is a topic of the name sandbox too.
  test.each([...nouns, ...verbs].filter((words) => words !== 'sandbox'))(
    'of "%s" is the same by the word help',
    async (words) => {
      const asked = await orgctl(['help', ...words.split(' ')], place);
      expect(asked).toEqual({ code: 0, stdout: helps.find((help) => help.words === words)?.text, stderr: '' });
    },
  );
});

describe('every example works as printed', () => {
  const examples = [...new Set(helps.flatMap((help) => help.examples))];
  const isServer = (example: string): boolean => example.includes('sandbox serve');
  const isOfShell = (example: string): boolean => example.includes('completion');

  test.each(examples.filter((example) => !isServer(example) && !isOfShell(example)))('%s', async (example) => {
    const served = await serve();
    const folder = mkdtempSync(join(served.home, 'work-'));
    writeFiles(folder, served);
    // Where an example names a server of the sandbox, it is this one.
    const line = example
      .replace('http://127.0.0.1:8480', new URL(served.url).origin)
      // It would ask for the token at a terminal.
      .replace(/^orgctl auth login$/, '$& < token');
    if (example.includes('billing@')) {
      const publish = 'orgctl providers publish billing 1.2.0 --dir dist --public-key key.asc';
      await shell(publish, { env: environmentOf(served, example, folder), cwd: folder });
    }
    const ended = await shell(line, { env: environmentOf(served, example, folder), cwd: folder });
    // The service is near, and has no certificate: doctor says so.
    const finds =
      /^orgctl (?:doctor|members plan --file \S+(?! -o json)|members report .*--against|providers plan --file)/.test(
        example,
      );
    expect(finds ? [0, 13] : [0], ended.stderr).toContain(ended.code);
    const [, file] = / > (\S+)$/.exec(example) ?? [];
    // It may be empty: perhaps nothing has happened yet that an audit trail would show.
    if (file === 'events.ndjson') expect(() => parseJsonLines(readFileSync(join(folder, file), 'utf8'))).not.toThrow();
    else if (file !== undefined) expect(readFileSync(join(folder, file), 'utf8')).not.toBe('');
    else if (!example.endsWith(' -q')) expect(ended.stdout + ended.stderr).not.toBe('');
  });

  test.each(examples.filter(isOfShell))('%s', async (example) => {
    const { home, env } = createPlace();
    const name = SHELLS.find((each) => example.includes(each)) ?? '';
    const program = name === 'powershell' ? 'pwsh' : name;
    if (spawnSync(program, ['-c', '']).status !== 0) return;
    const line = `${BEFORE_COMPLETION[name] ?? ''}${example}\n${SHOWS_COMPLETION[name] ?? ''}`;
    const { code, stderr } = await start(program, ['-c', line], { env, cwd: home }).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test.each(examples.filter(isServer))('%s', async (example) => {
    const { home, env } = createPlace();
    const pidFile = join(home, 'pid');
    const server = start('sh', ['-c', example], { env: { ...env, PID_FILE: pidFile } });
    await server.untilStdout((text) => text.includes('audit-token'));
    expect(server.stdout()).toMatch(/^ORGCTL_BASE_URL=(http:\/\/127\.0\.0\.1:\d+)\/api\/v2\nTFE_ADDRESS=\1\nsandbox\./);
    process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGTERM');
    expect((await server.ended).code).toBe(143);
  });
});

describe('the first steps', () => {
  test('--help is one screen', () => {
    expect(helps[0]?.text).toMatchInlineSnapshot(`
      "orgctl administers organizations on HCP Terraform and Terraform Enterprise.

      Usage: orgctl <noun> <verb> [arguments] [options]

      Start
        orgctl --sandbox members list   Try it: no account, no network
        orgctl auth login               Log in to your service
        orgctl doctor                   Check connection, token and settings

      Commands
        members        List, invite and remove people; compare with a roster
        teams          List teams and who is in them; add and remove people
        providers      List, add and delete registry providers
        audit-token    Show, rotate, generate and delete the audit trail token
        audit-trail    Read and follow the audit trail
        feature-sets   List and compare plans; show yours
        api            Send any request
        auth settings sandbox doctor completion version   Set up orgctl

      Options everywhere: --org --profile -o --fields --dry-run --yes -q --sandbox
      Help: orgctl <noun> --help, orgctl <noun> <verb> --help
            orgctl help options | environment | output | exit-codes | rotation
      "
    `);
  });

  test.each(['', ...nouns])('"%s" without a verb is its help', async (words) => {
    const text = helps.find((help) => help.words === words)?.text;
    expect(await orgctl(words.split(' ').filter(Boolean), place)).toEqual({ code: 0, stdout: text, stderr: '' });
  });

  test('--version is that of the package, and nothing else', async () => {
    expect(await orgctl(['--version'], place)).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' });
  });

  test('none of it leaves a file behind', () => {
    expect(existsSync(join(place.home, '.config')) || existsSync(join(place.home, '.local'))).toBe(false);
  });
});

const BEFORE_COMPLETION: Readonly<Record<string, string>> = { zsh: 'autoload -Uz compinit; compinit -u -D\n' };
/** Fails where the shell would not complete orgctl. */
const SHOWS_COMPLETION: Readonly<Record<string, string>> = {
  bash: 'complete -p orgctl',
  zsh: '(( $+functions[_orgctl] ))',
  fish: 'complete orgctl',
};

interface Help {
  /** What calls the command, without `orgctl`. */
  readonly words: string;
  readonly text: string;
  readonly examples: readonly string[];
}

async function readHelps(commands: readonly string[]): Promise<readonly Help[]> {
  const helps: Help[] = [];
  for (const words of commands) {
    const argv = words === '' ? [] : words.split(' ');
    const { code, stdout, stderr } = await orgctl([...argv, '--help'], place);
    if (code !== 0 || stderr !== '') throw new Error(`orgctl ${words} --help ended with ${code}: ${stderr}`);
    helps.push({ words, text: stdout, examples: findExamples(stdout) });
  }
  return helps;
}

/** The files that examples name, and programs that take a secret. */
function writeFiles(folder: string, served: Served): void {
  writeFileSync(join(folder, 'token'), `${served.tokenOf('owner')}\n`);
  writeFileSync(join(folder, 'people.csv'), 'email,teams\nana@example.com,platform\n');
  writeFileSync(join(folder, 'movers.csv'), 'user\nada-auditor\n');
  writeFileSync(join(folder, 'leavers.csv'), 'email\nada.auditor@example.com\n');
  writeFileSync(join(folder, 'roster.yaml'), 'members:\n  - email: ada.auditor@example.com\n');
  writeFileSync(join(folder, '.terraform.lock.hcl'), 'provider "registry.terraform.io/hashicorp/aws" {}\n');
  writeFileSync(join(folder, 'providers.yaml'), 'providers: [hashicorp/aws, hashicorp/google]\n');
  cpSync(RELEASE, join(folder, 'dist'), { recursive: true });
  cpSync(join(RELEASE, 'key.asc'), join(folder, 'key.asc'));
  const rows = ['acme', 'globex', 'initech'].map((name) => `${name},ben@example.com\n`);
  writeFileSync(join(folder, 'january.csv'), `organization.id,email\n${rows.join('')}`);
  for (const program of ['vault', 'gh'])
    writeFileSync(join(folder, program), '#!/bin/sh\nexec cat > stored\n', { mode: 0o755 });
}

/** The examples of audit-trail need another token than an owner's; nothing else does. */
function environmentOf(served: Served, example: string, folder: string) {
  return {
    ...served.env,
    PATH: [folder, served.env['PATH']].join(delimiter),
    ORGCTL_BASE_URL: served.url,
    ORGCTL_ORG: 'acme',
    ORGCTL_TOKEN: served.tokenOf(example.includes('audit-trail') ? 'org-token' : 'owner'),
  };
}
