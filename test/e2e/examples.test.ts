import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCommandTree } from '../support/command-tree.ts';
import { readBlocks, readDocument } from '../support/documents.ts';
import { parseJsonLines } from '../support/formats.ts';
import { serveOrgctl } from '../support/inside-shell.ts';
import { findFreePort } from '../support/ports.ts';
import { startService } from '../support/service.ts';
import { createPlace, start } from '../support/shipped.ts';
import { RELEASE } from '../support/verbs.ts';

const { examples: ofVerbs } = await readCommandTree();
const examples = [...new Set(Object.values(ofVerbs).flat())].map((line) => `orgctl ${line}`);

/** Runs lines of sh in a folder with the files that examples name. Their orgctl is this process, if it serves nothing. */
async function openShell(example: string) {
  const { home, env: plain } = createPlace();
  const service = await startService();
  const folder = mkdtempSync(join(home, 'work-'));
  const isServer = example.includes('sandbox serve');
  const env = {
    ...plain,
    PATH: [folder, ...(isServer ? [] : [await serveOrgctl(home)]), plain['PATH']].join(delimiter),
    ORGCTL_BASE_URL: service.url,
    ORGCTL_ORG: 'acme',
    // The examples of audit-trail need another token than an owner's; nothing else does.
    ORGCTL_TOKEN: service.sandbox.tokenFor(/^orgctl audit-trail/.test(example) ? 'org-token' : 'owner', 'acme') ?? '',
    PID_FILE: isServer ? join(home, 'pid') : '',
  };
  writeFiles(folder, env.ORGCTL_TOKEN);
  const open = (text: string) => start('bash', ['-euo', 'pipefail', '-c', text], { env, cwd: folder });
  return { env, folder, open, shell: (text: string) => open(text).ended };
}

describe('every example works as printed', () => {
  const isServer = (example: string): boolean => example.includes('sandbox serve');
  const isOfShell = (example: string): boolean => example.includes('completion');

  test.each(examples.filter((example) => !isServer(example) && !isOfShell(example)))('%s', async (example) => {
    const { env, folder, shell } = await openShell(example);
    // Where an example names a server of the sandbox, it is this one.
    const line = example
      .replace('--host tfe.example.com', `--base-url ${env.ORGCTL_BASE_URL}`)
      // At a terminal it asks.
      .replace(/^orgctl (?:audit-token|tokens) rotate (?!.*--yes).*$/, '$& --yes')
      // It would ask for the token at a terminal.
      .replace(/^orgctl auth login[^<]*$/, '$& < token');
    if (/auth (?:logout|use)|--profile work/.test(example))
      await shell('orgctl auth login < token; orgctl auth login --profile work < token');
    if (example.includes('billing@'))
      await shell('orgctl providers publish billing 1.2.0 --dir dist --public-key key.asc');
    if (example.includes('--plan plan.json'))
      await shell('orgctl members plan --file roster.yaml --prune -o json > plan.json');
    const ended = await shell(line);
    // The service is near, and has no certificate: doctor says so.
    const finds =
      /^orgctl (?:doctor|audit-token rotate .*--if-|members plan --file \S+(?! -o json)|members report .*--against|organizations check(?! --init)|providers check|tokens list .*--fail-if-)/.test(
        example,
      );
    // initech has no audit trail token.
    const isHidden = /audit-token show --all-orgs --fail-if-expires-within/.test(example);
    expect(finds ? [0, 13] : isHidden ? [10] : [0], ended.stderr).toContain(ended.code);
    const [, file] = / >>? (\S+)$/.exec(example) ?? [];
    // It may be empty: perhaps nothing has happened yet that an audit trail would show.
    if (file === 'events.ndjson') expect(() => parseJsonLines(readFileSync(join(folder, file), 'utf8'))).not.toThrow();
    else if (file !== undefined) expect(readFileSync(join(folder, file), 'utf8')).not.toBe('');
    else if (!example.endsWith(' -q')) expect(ended.stdout + ended.stderr).not.toBe('');
  });

  test.each(examples.filter(isOfShell))('%s', async (example) => {
    const name = ['bash', 'zsh', 'fish', 'powershell'].find((each) => example.includes(each)) ?? '';
    const program = name === 'powershell' ? 'pwsh' : name;
    if (spawnSync(program, ['-c', '']).status !== 0) return;
    const { env, folder } = await openShell(example);
    const line = `${example}\n${SHOWS_COMPLETION[name] ?? ''}`;
    const { code, stderr } = await start(program, ['-c', line], { env, cwd: folder }).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test.each(examples.filter(isServer))('%s', async (example) => {
    const { env, open } = await openShell(example);
    const server = open(example);
    await server.untilStdout((text) => text.includes('audit-token'));
    expect(server.stdout()).toMatch(
      /^ORGCTL_BASE_URL=(http:\/\/127\.0\.0\.1:\d+)\/api\/v2\nTFE_ADDRESS=\1\nORGCTL_TOKEN=sandbox\./,
    );
    process.kill(Number(readFileSync(env.PID_FILE, 'utf8')), 'SIGTERM');
    expect((await server.ended).code).toBe(143);
  });
});

const README = readDocument('README.md');
const readRows = (pattern: RegExp) => [...README.matchAll(pattern)].map(([, line = '']) => line.replaceAll('\\|', '|'));
const JOBS = readRows(/^\| [A-Z][^|]+ \| `(orgctl .*)` \|$/gm);
const BLOCKS = ['jobs', 'sandbox'].flatMap((topic) => readBlocks(`src/help/${topic}.md`));

test('README.md has ten daily jobs', () => expect(JOBS).toHaveLength(10));

test.each([
  ...JOBS,
  ...readRows(/^\| `[a-z-]+` \|[^|]*\| `([^`]+)` \|$/gm),
  ...BLOCKS.filter(({ language }) => language === 'sh').map(({ text }) => text),
])('as in a document: %s', async (text) => {
  const { shell } = await openShell(text);
  // A failure would leave its server behind.
  const line = `trap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n${text.replaceAll('8480', String(await findFreePort()))}`;
  const { code, stderr } = await shell(line);
  expect(code, stderr).toBe(0);
});

/** Fails where the shell would not complete orgctl. */
const SHOWS_COMPLETION: Record<string, string> = {
  bash: '. ~/.bashrc\ncomplete -p orgctl',
  zsh: '. ~/.zshrc\n(( $+functions[_orgctl] ))',
  fish: 'complete orgctl',
};

/** The files that examples name, and programs that take a secret. */
function writeFiles(folder: string, token: string): void {
  mkdirSync(join(folder, 'network'));
  const lockFile = readFileSync(new URL('../fixtures/lock-files/listed.hcl', import.meta.url), 'utf8');
  const rows = ['acme', 'globex', 'initech'].map((name) => `${name},ben@example.com,false,true\n`);
  for (const [name, text] of Object.entries({
    token: `${token}\n`,
    'team.json': '{"data":{"type":"teams","attributes":{"name":"data"}}}',
    'people.csv': 'email,teams\nana@example.com,platform\n',
    'movers.csv': 'user\nada-auditor\n',
    'leavers.csv': 'email\nada.auditor@example.com\n',
    'roster.yaml': 'members:\n  - email: ada.auditor@example.com\n',
    'january.csv': `organization.id,email,owner,user.two-factor.enabled\n${rows.join('')}`,
    'rules.yaml': 'owners: 1..5\n',
    '.terraform.lock.hcl': lockFile,
    'network/.terraform.lock.hcl': lockFile,
  }))
    writeFileSync(join(folder, name), text);
  cpSync(RELEASE, join(folder, 'dist'), { recursive: true });
  cpSync(join(RELEASE, 'key.asc'), join(folder, 'key.asc'));
  writeFileSync(join(folder, 'import-events'), '#!/bin/sh\nexec wc -l\n', { mode: 0o755 });
  for (const program of ['vault', 'gh'])
    writeFileSync(join(folder, program), '#!/bin/sh\nexec cat > stored\n', { mode: 0o755 });
}
