import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SCRIPTS } from '../../src/commands/completion/scripts.ts';
import { parseJsonLines } from '../support/formats.ts';
import { readHelps } from '../support/helps.ts';
import { type Served, serve } from '../support/served.ts';
import { createPlace, shell, start } from '../support/shipped.ts';
import { RELEASE } from '../support/verbs.ts';

const helps = await readHelps();

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
      .replace('--host tfe.example.com', `--base-url ${served.url}`)
      // At a terminal it asks.
      .replace(/^orgctl (?:audit-token|tokens) rotate (?!.*--yes).*$/, '$& --yes')
      // It would ask for the token at a terminal.
      .replace(/^orgctl auth login[^<]*$/, '$& < token');
    const env = environmentOf(served, example, folder);
    if (/auth (?:logout|use)|--profile work/.test(example)) {
      await shell('orgctl auth login < token; orgctl auth login --profile work < token', { env, cwd: folder });
    }
    if (example.includes('billing@')) {
      const publish = 'orgctl providers publish billing 1.2.0 --dir dist --public-key key.asc';
      await shell(publish, { env, cwd: folder });
    }
    if (example.includes('--plan plan.json')) {
      await shell('orgctl members plan --file roster.yaml --prune -o json > plan.json', { env, cwd: folder });
    }
    const ended = await shell(line, { env, cwd: folder });
    // The service is near, and has no certificate: doctor says so.
    const finds =
      /^orgctl (?:doctor|audit-token rotate .*--if-|members plan --file \S+(?! -o json)|members report .*--against|providers check)/.test(
        example,
      );
    // initech has no audit trail token.
    const isHidden = /--all-orgs --fail-if-expires-within/.test(example);
    expect(finds ? [0, 13] : isHidden ? [10] : [0], ended.stderr).toContain(ended.code);
    const [, file] = / >>? (\S+)$/.exec(example) ?? [];
    // It may be empty: perhaps nothing has happened yet that an audit trail would show.
    if (file === 'events.ndjson') expect(() => parseJsonLines(readFileSync(join(folder, file), 'utf8'))).not.toThrow();
    else if (file !== undefined) expect(readFileSync(join(folder, file), 'utf8')).not.toBe('');
    else if (!example.endsWith(' -q')) expect(ended.stdout + ended.stderr).not.toBe('');
  });

  test.each(examples.filter(isOfShell))('%s', async (example) => {
    const { home, env } = createPlace();
    const name = Object.keys(SCRIPTS).find((each) => example.includes(each)) ?? '';
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

const BEFORE_COMPLETION: Readonly<Record<string, string>> = { zsh: 'autoload -Uz compinit; compinit -u -D\n' };
/** Fails where the shell would not complete orgctl. */
const SHOWS_COMPLETION: Readonly<Record<string, string>> = {
  bash: '. ~/.bashrc\ncomplete -p orgctl',
  zsh: '(( $+functions[_orgctl] ))',
  fish: 'complete orgctl',
};

/** The files that examples name, and programs that take a secret. */
function writeFiles(folder: string, served: Served): void {
  writeFileSync(join(folder, 'token'), `${served.tokenOf('owner')}\n`);
  writeFileSync(join(folder, 'team.json'), '{"data":{"type":"teams","attributes":{"name":"data"}}}');
  writeFileSync(join(folder, 'people.csv'), 'email,teams\nana@example.com,platform\n');
  writeFileSync(join(folder, 'movers.csv'), 'user\nada-auditor\n');
  writeFileSync(join(folder, 'leavers.csv'), 'email\nada.auditor@example.com\n');
  writeFileSync(join(folder, 'roster.yaml'), 'members:\n  - email: ada.auditor@example.com\n');
  mkdirSync(join(folder, 'network'));
  for (const name of ['.terraform.lock.hcl', 'network/.terraform.lock.hcl'])
    writeFileSync(join(folder, name), 'provider "registry.terraform.io/hashicorp/aws" {}\n');
  writeFileSync(join(folder, 'providers.yaml'), 'providers: [hashicorp/aws, hashicorp/google]\n');
  cpSync(RELEASE, join(folder, 'dist'), { recursive: true });
  cpSync(join(RELEASE, 'key.asc'), join(folder, 'key.asc'));
  const rows = ['acme', 'globex', 'initech'].map((name) => `${name},ben@example.com,false\n`);
  writeFileSync(join(folder, 'january.csv'), `organization.id,email,owner\n${rows.join('')}`);
  writeFileSync(join(folder, 'import-events'), '#!/bin/sh\nexec wc -l\n', { mode: 0o755 });
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
