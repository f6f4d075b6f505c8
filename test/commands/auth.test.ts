import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CallerKind } from '../../src/sandbox/callers.ts';
import { findFreePort } from '../support/ports.ts';
import { startRecorder } from '../support/recorder.ts';
import { failed, type RunOptions, run } from '../support/run.ts';
import { answer, startScripted } from '../support/scripted.ts';
import { startService, type TestService } from '../support/service.ts';
import { createHomeOf, readStored } from '../support/stored.ts';

const POSIX = process.platform !== 'win32';
const credentialsOf = (home: string): string => join(home, 'config', 'credentials.json');
const configOf = (home: string): string => join(home, 'config', 'config.json');
const read = readStored;

/** Logs in to this service with what is piped in. */
async function logIn(url: string, stdin: string, more: readonly string[] = [], options: RunOptions = {}) {
  return await run(['auth', 'login', '--base-url', url, ...more], { stdin, ...options });
}

function tokenOf(service: TestService, kind: CallerKind): string {
  return service.sandbox.tokenFor(kind, 'acme') ?? '';
}

describe('auth login', () => {
  test('checks the token, stores it for its origin, and says who it is of', async () => {
    const [service, home] = [await startService(), createHomeOf({})];
    const token = tokenOf(service, 'owner');
    const { origin, host } = new URL(service.url);
    expect(await logIn(service.url, `  ${token}\r\n`, [], { home })).toEqual(
      failed(
        0,
        `✓ Logged in to ${host} as olive-owner\n` +
          'Your organizations: acme, globex, initech\n' +
          'Set the default organization, or add --org <name> to each command:\n' +
          '  $ orgctl settings set org acme\n' +
          '  $ orgctl members list\n',
      ),
    );
    expect(read(credentialsOf(home))).toEqual({ credentials: { [origin]: { token } } });
    expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/v2/account/details',
      'GET /api/v2/organization-memberships',
    ]);
    expect(await run(['members', 'mine'], { home })).toMatchObject({ code: 0, stderr: '' });
  });

  test('stores what --org names, as the service spells it', async () => {
    const [service, home] = [await startService(), createHomeOf({})];
    const { stderr } = await logIn(service.url, tokenOf(service, 'owner'), ['--org', 'GLOBEX'], { home });
    expect(stderr.split('\n').slice(1)).toEqual([
      'Your organizations: acme, globex, initech',
      '✓ globex is the default. Another one for one command: --org acme',
      'Next:',
      '  $ orgctl members list',
      '  $ orgctl doctor',
      '',
    ]);
    expect(read(configOf(home))).toEqual({ 'base-url': service.url, org: 'globex' });
    expect(await run(['members', 'list'], { home })).toMatchObject({ code: 0 });
    // What is stored and reached stays.
    const again = await run(['auth', 'login'], { home, stdin: tokenOf(service, 'member') });
    expect(again.stderr).toContain('✓ globex is the default.');
  });

  test.each<[kind: CallerKind, message: string]>([
    ['owner', 'you are not a member of nope'],
    ['org-token', "this token can't read nope"],
  ])('stores nothing where the token of %s can not read what --org names', async (kind, message) => {
    const [service, home] = [await startService(), createHomeOf({})];
    const { code, stderr } = await logIn(service.url, tokenOf(service, kind), ['--org', 'nope'], { home });
    expect(code, stderr).toBe(5);
    expect(stderr).toContain(
      `orgctl: ${message}\n  Unknown: whether an organization named nope exists. Your organizations: acme`,
    );
    expect(existsSync(join(home, 'config'))).toBe(false);
  });

  test.each<[kind: CallerKind]>([['org-token'], ['owners-team']])(
    'takes the one organization of the token of %s',
    async (kind) => {
      const [service, home] = [await startService(), createHomeOf({})];
      const { code, stderr } = await logIn(service.url, tokenOf(service, kind), [], { home });
      expect(code, stderr).toBe(0);
      expect(stderr).toContain("The token's organization: acme\n✓ acme is the default.\n");
      expect(await run(['teams', 'list'], { home })).toMatchObject({ code: 0 });
    },
  );

  test('says so where there is no organization', async () => {
    const [service, home] = [await startService(), createHomeOf({})];
    const remove = ['members', 'remove', 'milo.member@example.com', '--all-orgs', '--yes'];
    expect(await service.run(remove)).toMatchObject({ code: 0 });
    const { code, stderr } = await logIn(service.url, tokenOf(service, 'member'), [], { home });
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('You are not a member of any organization.\nNext:\n  $ orgctl members mine\n');
    expect(read(configOf(home))).toEqual({ 'base-url': service.url });
  });

  test('leaves a stored organization that the token does not reach, and says so', async () => {
    const [service, home] = [await startService(), createHomeOf({ config: { org: 'umbrella' } })];
    const { stderr } = await logIn(service.url, tokenOf(service, 'org-token'), [], { home });
    expect(stderr).toContain("warning: umbrella is the default organization, and this token doesn't reach it\n");
    expect(stderr).toContain('  $ orgctl settings set org acme\n');
    expect(read(configOf(home))).toEqual({ org: 'umbrella', 'base-url': service.url });
  });

  test('stores no organization beside one that a variable names', async () => {
    const [service, home] = [await startService(), createHomeOf({})];
    const token = tokenOf(service, 'org-token');
    const known = await logIn(service.url, token, [], { home, env: { ORGCTL_ORG: 'acme' } });
    expect(known.stderr).toContain('\nORGCTL_ORG names acme.\n');
    const unknown = await logIn(service.url, token, [], { home, env: { ORGCTL_ORG: 'umbrella' } });
    expect(unknown.stderr).toContain("warning: ORGCTL_ORG names umbrella, which this token doesn't reach\n");
    expect(read(configOf(home))).toEqual({ 'base-url': service.url });
  });

  test('leaves the default service as it is where no one is asked', async () => {
    const service = await startService();
    const config = { 'base-url': 'https://tfe.example/api/v2', org: 'umbrella' };
    const home = createHomeOf({ config });
    const token = tokenOf(service, 'owner');
    const { code, stderr } = await logIn(service.url, token, ['--org', 'acme'], { home });
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(
      'tfe.example stays the default service. Name this one with --base-url, or log in with --profile <name>.\n' +
        `Next:\n  $ orgctl --base-url ${service.url} members list --org acme\n`,
    );
    expect(read(configOf(home))).toEqual(config);
    const argv = ['--base-url', service.url, 'members', 'list', '--org', 'acme'];
    expect(await run(argv, { home })).toMatchObject({ code: 0 });
  });

  test('leaves a default profile of another service as it is', async () => {
    const [recorder, config] = [await startRecorder(), { profiles: { work: { org: 'a' } }, profile: 'work' }];
    const home = createHomeOf({ config });
    const { host } = new URL(recorder.url);
    expect(await logIn(recorder.url, 's3cret', [], { home })).toEqual(
      failed(
        2,
        `orgctl: ${host} is not the service of your default profile work\n` +
          '  → Give it a profile of its own:\n' +
          `  $ orgctl --base-url ${recorder.url} auth login --profile ${host.replace(':', '-')}\n`,
      ),
    );
    expect([recorder.requests, read(configOf(home))]).toEqual([[], config]);
  });

  test.runIf(POSIX)('keeps the file from others', async () => {
    const [service, home] = [await startService(), createHomeOf({})];
    await logIn(service.url, tokenOf(service, 'owner'), ['--profile', 'work'], { home });
    expect(statSync(join(home, 'config')).mode & 0o777).toBe(0o700);
    expect(statSync(credentialsOf(home)).mode & 0o777).toBe(0o600);
  });

  test('replaces the token of its own origin alone', async () => {
    const others = { 'https://app.terraform.io': { token: 'theirs' } };
    const service = await startService();
    const { origin } = new URL(service.url);
    const profiles = { other: { origin, token: 'of-other' } };
    const home = createHomeOf({
      credentials: { credentials: { ...others, [`${origin}/`]: { token: 'old' } }, profiles },
    });
    const token = tokenOf(service, 'owner');
    expect(await logIn(service.url, token, [], { home })).toMatchObject({ code: 0 });
    expect(read(credentialsOf(home))).toEqual({ credentials: { ...others, [origin]: { token } }, profiles });
  });

  test.each<[kind: CallerKind, said: string]>([
    ['owner', ' as olive-owner'],
    ['owners-team', ' as api-team-owners-acme (team token)'],
    ['org-token', ' as api-org-acme (organization token)'],
    ['audit-token', ', with the audit trail token'],
  ])('with the token of %s: Logged in%s', async (kind, said) => {
    const service = await startService();
    const { code, stderr } = await logIn(service.url, tokenOf(service, kind), ['--profile', 'work']);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(`✓ Logged in to ${new URL(service.url).host}${said}\n`);
  });

  test('needs no route outside the document', async () => {
    const service = await startService({ documentOnly: true });
    const { code, stderr } = await logIn(service.url, tokenOf(service, 'owner'), ['--profile', 'work']);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^✓ Logged in to [\w.:]+\nYour organizations: acme, globex, initech\n/),
    });
  });

  test('stores a token that the service says nothing about, with a warning', async () => {
    const [service, home] = [await startService({ documentOnly: true }), createHomeOf({})];
    const { code, stderr } = await logIn(service.url, tokenOf(service, 'audit-token'), ['--profile', 'work'], { home });
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(
      `warning: ${new URL(service.url).host} did not reject the token, but doesn't say whose it is\n`,
    );
    expect(existsSync(credentialsOf(home))).toBe(true);
  });

  test.each([{ documentOnly: false }, { documentOnly: true }])(
    'stores nothing of a token that is refused: %o',
    async (options) => {
      const [service, home] = [await startService(options), createHomeOf({})];
      const { host } = new URL(service.url);
      expect(await logIn(service.url, 's3cret-unknown', ['--profile', 'work'], { home })).toEqual(
        failed(
          4,
          `orgctl: ${host} rejected this token\n` +
            '  It is wrong, expired or replaced, or belongs to another service.\n' +
            '  → Nothing was stored. Create a new token there, or name its service with --base-url or --host.\n',
        ),
      );
      expect(existsSync(join(home, 'config'))).toBe(false);
    },
  );

  test.each([
    { name: 'a web page for everything', turn: answer(200, '<!doctype html><title>Portal</title>'), code: 9 },
    { name: 'a web page that says 404', turn: answer(404, '<!doctype html>'), code: 5 },
    { name: 'nothing but 404', turn: answer(404), code: 5 },
    { name: 'a fault', turn: answer(500, { errors: [] }), code: 9 },
    { name: 'too many requests', turn: answer(429, { errors: [] }), code: 8 },
  ])('stores nothing where the server answers with $name', async ({ turn, code }) => {
    const [server, home] = [await startScripted(turn), createHomeOf({})];
    const ended = await logIn(`${server.origin}/api/v2`, 's3cret', ['--max-retries', '0'], { home });
    expect(ended, ended.stderr).toMatchObject({ code, stdout: '' });
    expect(existsSync(join(home, 'config'))).toBe(false);
    expect(ended.stderr).not.toContain('s3cret');
  });

  test('stores nothing where no service answers', async () => {
    const home = createHomeOf({});
    const url = `http://127.0.0.1:${await findFreePort()}/api/v2`;
    expect(await logIn(url, 's3cret', ['--max-retries', '0'], { home })).toMatchObject({ code: 9, stdout: '' });
    expect(existsSync(join(home, 'config'))).toBe(false);
  });

  test.each([
    { name: 'nothing', stdin: '', message: 'no token on stdin' },
    { name: 'a newline', stdin: '\n', message: 'no token on stdin' },
    {
      name: 'two words',
      stdin: 's3cret s3cret',
      message: "what stdin holds contains a character that tokens don't have, such as a blank",
    },
    {
      name: 'two lines',
      stdin: 's3cret\ns3cret\n',
      message: "what stdin holds contains a character that tokens don't have, such as a blank",
    },
    {
      name: 'a control character',
      stdin: 's3cret\u001b[201~',
      message: "what stdin holds contains a character that tokens don't have, such as a blank",
    },
    {
      name: 'a file of another kind',
      stdin: 's3cret'.repeat(20_000),
      message: "can't read stdin: it is larger than 64 KiB",
    },
  ])('asks no service about $name', async ({ stdin, message }) => {
    const [recorder, home] = [await startRecorder(), createHomeOf({})];
    const { code, stdout, stderr } = await logIn(recorder.url, stdin, [], { home });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`orgctl: ${message}`);
    expect(stderr).not.toContain('s3cret');
    expect(recorder.requests).toEqual([]);
    expect(existsSync(join(home, 'config'))).toBe(false);
  });

  test.each(['{"credentials":', '[]', '{"credentials":{"https://a":"s3cret"}}', '{"profiles":{"work":{"token":7}}}'])(
    'leaves a damaged file as it is, and sends nothing: %s',
    async (text) => {
      const [recorder, home] = [await startRecorder(), createHomeOf({ credentials: {} })];
      writeFileSync(credentialsOf(home), text);
      for (const more of [[], ['--profile', 'work']]) {
        const isOther = (more.length === 0) === text.includes('profiles');
        if (isOther) continue;
        const { code, stderr } = await logIn(recorder.url, 's3cret', more, { home });
        expect(code, stderr).toBe(2);
        expect(stderr).toContain(credentialsOf(home));
        expect(stderr).not.toContain('s3cret');
      }
      expect(readFileSync(credentialsOf(home), 'utf8')).toBe(text);
      expect(recorder.requests).toEqual([]);
    },
  );

  test.runIf(POSIX)('adds nothing to a file that others may read', async () => {
    const [recorder, home] = [await startRecorder(), createHomeOf({ credentials: {} })];
    chmodSync(credentialsOf(home), 0o644);
    const { code, stderr } = await logIn(recorder.url, 's3cret', [], { home });
    expect(code).toBe(2);
    expect(stderr).toContain(`  $ chmod 600 ${credentialsOf(home)}\n`);
    expect(recorder.requests).toEqual([]);
  });

  test('sends no token over plain http to another machine', async () => {
    const { code, stderr } = await logIn('http://terraform.example/api/v2', 's3cret');
    expect(code, stderr).toBe(2);
    expect(stderr).not.toContain('s3cret');
  });

  test('stores nothing in a dry run', async () => {
    const [service, home] = [await startService(), createHomeOf({})];
    const [token, options] = [tokenOf(service, 'owner'), { home }];
    const { stdout } = await logIn(service.url, token, ['--dry-run', '-o', 'json'], options);
    expect(JSON.parse(stdout).planned.effect).toMatch(/^log in to \S+ as olive-owner, and store the token in \S+[^.]$/);
    const { code, stderr } = await logIn(service.url, token, ['--dry-run'], options);
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/^Would log in to \S+ as olive-owner, and store the token in \S+\.\n$/);
    expect(existsSync(join(home, 'config'))).toBe(false);
  });

  test('shows no secret with --debug', async () => {
    const service = await startService();
    const token = tokenOf(service, 'owner');
    const { code, stderr } = await logIn(service.url, token, ['--debug']);
    expect(code).toBe(0);
    expect(stderr).toContain('debug: GET ');
    expect(stderr).not.toContain(token);
  });

  test('warns of a token that comes before the stored one', async () => {
    const service = await startService();
    const { code, stderr } = await logIn(service.url, tokenOf(service, 'owner'), [], { env: { ORGCTL_TOKEN: 'x' } });
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('warning: ORGCTL_TOKEN has another token, which is used first\n');
  });

  test('has nothing to do with the sandbox', async () => {
    expect(await run(['auth', 'login', '--sandbox'], { stdin: 's3cret' })).toEqual(
      failed(2, 'orgctl: the sandbox takes no token\n  → Choose who you are with --as.\n'),
    );
  });

  test.each([
    ['CI is set', { CI: 'true' }],
    ['ORGCTL_NO_INPUT', { ORGCTL_NO_INPUT: '1' }],
  ])('is refused at a terminal: %s', async (why, env) => {
    const { code, stderr } = await run(['auth', 'login'], { tty: { stdin: true, stderr: true }, env });
    expect(code).toBe(2);
    expect(stderr).toContain(`orgctl: a token is needed, and prompts are off (${why})\n`);
  });
});

describe('auth login --profile', () => {
  test('keeps service, organization and token together', async () => {
    const [service, home] = [await startService(), createHomeOf({})];
    const token = tokenOf(service, 'owner');
    const { code, stderr } = await logIn(service.url, token, ['--profile', 'work', '--org', 'acme'], { home });
    expect(code, stderr).toBe(0);
    expect(read(configOf(home))).toEqual({ profiles: { work: { 'base-url': service.url, org: 'acme' } } });
    const { origin } = new URL(service.url);
    expect(read(credentialsOf(home))).toEqual({ profiles: { work: { origin, token } } });
    const env = { ORGCTL_TOKEN: 'unknown', ORGCTL_ORG: 'globex', ORGCTL_BASE_URL: 'http://127.0.0.1:1' };
    const named = await run(['teams', 'list', '--profile', 'work', '-o', 'json'], { home, env });
    expect(named.code, named.stderr).toBe(0);
    expect(await run(['teams', 'list'], { home })).toMatchObject({ code: 4 });
  });

  test('takes the service of a profile that has one', async () => {
    const service = await startService();
    const config = { profiles: { work: { 'base-url': service.url } } };
    const home = createHomeOf({ config });
    const login = ['auth', 'login', '--profile', 'work'];
    expect(await run(login, { home, stdin: tokenOf(service, 'owner') })).toMatchObject({ code: 0 });
    expect(read(configOf(home))).toEqual(config);
  });

  test('is what ORGCTL_PROFILE means too', async () => {
    const [service, home] = [await startService(), createHomeOf({})];
    const env = { ORGCTL_PROFILE: 'work' };
    expect(await logIn(service.url, tokenOf(service, 'owner'), [], { home, env })).toMatchObject({ code: 0 });
    expect(read(configOf(home))).toEqual({ profiles: { work: { 'base-url': service.url } } });
  });

  test.each(['', 'a b', '../x', '__proto__', '-x', 'x'.repeat(65)])('no profile is called %j', async (name) => {
    const recorder = await startRecorder();
    const { code, stderr } = await logIn(recorder.url, 's3cret', [`--profile=${name}`]);
    expect(code, stderr).toBe(2);
    expect(recorder.requests).toEqual([]);
  });

  test.each(['constructor', 'toString', '0'])('%s is a name as any other', async (name) => {
    const [service, home] = [await startService(), createHomeOf({})];
    expect(await run(['teams', 'list', '--profile', name], { home })).toMatchObject({ code: 2 });
    const more = ['--profile', name, '--org', 'acme'];
    expect(await logIn(service.url, tokenOf(service, 'owner'), more, { home })).toMatchObject({ code: 0 });
    expect(await run(['teams', 'list', '--profile', name], { home })).toMatchObject({ code: 0 });
    expect(await run(['auth', 'use', name], { home })).toMatchObject({ code: 0 });
    expect(await run(['teams', 'list'], { home })).toMatchObject({ code: 0 });
    expect(await run(['auth', 'logout', '--profile', name], { home })).toMatchObject({ code: 0 });
    expect(await run(['teams', 'list', '--profile', name], { home })).toMatchObject({ code: 2 });
  });
});

describe('auth login where a token is stored', () => {
  const OTHER = 'https://tfe.example.com';
  const profiles = { tfe: { origin: OTHER, token: 'other' } };
  const tfe = { profiles: { tfe: { 'base-url': `${OTHER}/api/v2` } } };

  test('says what it replaced', async () => {
    const [service, home] = [await startService(), createHomeOf({ config: tfe, credentials: { profiles } })];
    const login = (...more: readonly string[]) =>
      logIn(service.url, tokenOf(service, 'org-token'), ['--profile', 'tfe', ...more], { home });
    const planned = await login('--dry-run');
    expect(planned.stderr).toMatch(/, and store the token in \S+, in place of that for tfe\.example\.com\.\n$/);
    const { code, stderr } = await login();
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('\n✓ Replaced the token that profile tfe had for tfe.example.com\n');
  });

  test.each([
    ['owner', 'member', true],
    ['member', 'member', false],
  ] as const)('says so of one service, too: the token of %s, then that of %s', async (first, second, says) => {
    const service = await startService();
    const { origin } = new URL(service.url);
    const stored = { credentials: { [origin]: { token: tokenOf(service, first) } } };
    const home = createHomeOf({ config: { 'base-url': service.url, org: 'acme' }, credentials: stored });
    const typed = `${tokenOf(service, second)}\n`;
    const piped = await run(['auth', 'login'], { home, stdin: typed });
    expect(piped.stderr.includes('✓ Replaced the token that profile default had')).toBe(says);
    expect(read(credentialsOf(home))).toEqual({ credentials: { [origin]: { token: typed.trim() } } });
  });

  test('a command that finds no token names the profile that has one, and never one of another service', async () => {
    const [here, there] = ['https://here.example', 'https://there.example'];
    const home = createHomeOf({
      config: { ...tfe, 'base-url': `${here}/api/v2`, profile: 'tfe' },
      credentials: { credentials: { [here]: { token: 'mine' } }, profiles },
    });
    const hint = async (...argv: readonly string[]) =>
      (await run(['members', 'list', '--org', 'acme', ...argv], { home })).stderr.split('\n').slice(2).join('\n');
    expect(await hint('--base-url', `${here}/api/v2`)).toBe(
      '  → Profile default has one: use it with --profile default.\n',
    );
    expect(await hint('--profile', 'default', '--base-url', `${OTHER}/api/v2`)).toBe(
      '  → Profile tfe has one: use it with --profile tfe.\n',
    );
    for (const argv of [[], ['--profile', 'tfe']]) {
      expect(await hint(...argv, '--base-url', `${there}/api/v2`)).toContain(
        `  $ orgctl --base-url ${there}/api/v2 auth login --profile there.example\n`,
      );
    }
  });
});

describe('auth logout', () => {
  const ORIGIN = 'https://app.terraform.io';
  const profiles = { work: { origin: ORIGIN, token: 'w' } };
  const terraform = { credentials: { 'tfe.example': { token: 't' } } };

  test('forgets the token of the current service alone, and is done when there is none', async () => {
    const others = { 'https://tfe.example': { token: 'o' } };
    const home = createHomeOf({
      credentials: { credentials: { ...others, [`${ORIGIN}/`]: { token: 's3cret' } }, profiles },
      terraform,
    });
    expect(await run(['auth', 'logout'], { home })).toEqual(
      failed(0, `Removed the token for ${ORIGIN} from ${credentialsOf(home)}. It stays valid at the service.\n`),
    );
    expect(read(credentialsOf(home))).toEqual({ credentials: others, profiles });
    expect(await run(['auth', 'logout'], { home })).toEqual(failed(0, `No token is stored for ${ORIGIN}.\n`));
    expect(read(join(home, '.terraform.d', 'credentials.tfrc.json'))).toEqual(terraform);
  });

  test('with --profile removes the profile whole, and it is the default no longer', async () => {
    const config = { org: 'acme', profiles: { work: { org: 'globex' }, home: { org: 'a' } }, profile: 'work' };
    const home = createHomeOf({ config, credentials: { credentials: { [ORIGIN]: { token: 'd' } }, profiles } });
    expect(await run(['auth', 'logout', '--profile', 'work'], { home })).toEqual(
      failed(0, 'Removed profile work and its token, which stays valid at the service.\n'),
    );
    expect(read(credentialsOf(home))).toEqual({ credentials: { [ORIGIN]: { token: 'd' } }, profiles: {} });
    expect(read(configOf(home))).toEqual({ org: 'acme', profiles: { home: { org: 'a' } } });
    expect(await run(['auth', 'logout', '--profile', 'work'], { home })).toEqual(
      failed(2, "orgctl: no profile named 'work'\n  → Your profiles: default, home\n"),
    );
  });

  test('forgets the token of a profile that is the default, and keeps its settings', async () => {
    const config = { profiles: { work: { org: 'acme' } }, profile: 'work' };
    const home = createHomeOf({ config, credentials: { profiles } });
    expect(await run(['auth', 'logout'], { home })).toMatchObject({ code: 0 });
    expect([read(credentialsOf(home)), read(configOf(home))]).toEqual([{ profiles: {} }, config]);
  });

  test('names the profiles that still have a token', async () => {
    const config = { profiles: { work: { org: 'acme' }, bare: { org: 'a' } } };
    const home = createHomeOf({ config, credentials: { credentials: { [ORIGIN]: { token: 'd' } }, profiles } });
    const said = 'Profile work still has a token:\n  $ orgctl auth logout --profile work\n';
    const { code, stderr } = await run(['auth', 'logout'], { home });
    expect(code).toBe(0);
    expect(stderr.split('\n').slice(1).join('\n')).toBe(said);
  });

  test('makes no file, and removes nothing in a dry run', async () => {
    const home = createHomeOf({});
    expect(await run(['auth', 'logout'], { home })).toMatchObject({ code: 0 });
    expect(existsSync(join(home, 'config'))).toBe(false);
    const credentials = { credentials: { [ORIGIN]: { token: 'd' } } };
    const full = createHomeOf({ credentials });
    expect(await run(['auth', 'logout', '--dry-run'], { home: full })).toMatchObject({
      code: 0,
      stderr: `Would remove the token for ${ORIGIN} from ${credentialsOf(full)}.\n`,
    });
    expect(read(credentialsOf(full))).toEqual(credentials);
  });

  test('names a token that is left elsewhere', async () => {
    const { code, stderr } = await run(['auth', 'logout'], { env: { ORGCTL_TOKEN: 's3cret' } });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `No token is stored for ${ORIGIN}.\nThere is still a token for ${ORIGIN} in ORGCTL_TOKEN.\n`,
    });
  });

  test('leaves a damaged file as it is', async () => {
    const home = createHomeOf({ credentials: {} });
    writeFileSync(credentialsOf(home), '{"credentials":');
    const { code, stderr } = await run(['auth', 'logout'], { home });
    expect(code).toBe(2);
    expect(stderr).toContain(`${credentialsOf(home)} is not valid JSON`);
    expect(readFileSync(credentialsOf(home), 'utf8')).toBe('{"credentials":');
  });
});

describe('auth status', () => {
  test.each<[kind: CallerKind, told: object]>([
    ['owner', { kind: 'user', account: 'olive-owner' }],
    ['member', { kind: 'user', account: 'milo-member' }],
    ['owners-team', { kind: 'team', account: 'api-team-owners-acme' }],
    ['org-token', { kind: 'organization', account: 'api-org-acme' }],
    ['audit-token', { kind: 'audit-trail', account: null }],
  ])('says of the token of %s what the service shows', async (kind, told) => {
    const service = await startService();
    // Makes an event, so that the audit trail is not empty.
    await service.ask('POST', '/organizations/acme/registry-providers', 'owner', {
      data: { type: 'registry-providers', attributes: { name: 'x', namespace: 'acme', 'registry-name': 'private' } },
    });
    const { code, stdout, stderr } = await service.run(['auth', 'status', '-o', 'json'], { as: kind });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject([
      {
        profile: 'default',
        default: true,
        'base-url': service.url,
        'base-url-source': 'ORGCTL_BASE_URL',
        org: 'acme',
        'org-source': 'ORGCTL_ORG',
        'token-source': 'ORGCTL_TOKEN',
        works: true,
        ...told,
      },
    ]);
    expect(stdout).not.toContain(tokenOf(service, kind));
  });

  test.each([
    { token: 'abcdefghijklmnopqrstuvwxyz', shown: 'sha256:71c480df93d6ae2f' },
    { token: 'short-token', shown: '(set)' },
  ])('shows no part of a token: $shown', async ({ token, shown }) => {
    const server = await startScripted(answer(401, { errors: [{ status: '401' }] }));
    const env = { ORGCTL_BASE_URL: `${server.origin}/api/v2`, ORGCTL_TOKEN: token };
    const { code, stdout } = await run(['auth', 'status', '-o', 'json'], { env });
    expect(code).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject([{ token: shown, works: false, kind: null }]);
  });

  test('says what is known where no service answers', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}/api/v2`;
    const env = { ORGCTL_BASE_URL: url, ORGCTL_TOKEN: 's3cret' };
    const { code, stdout } = await run(['auth', 'status', '-o', 'json', '--max-retries', '0'], { env });
    expect(code).toBe(9);
    expect(JSON.parse(stdout)).toMatchObject([{ 'base-url': url, token: '(set)', works: null }]);
  });

  test('says of each token why it is not used, and ends with 4', async () => {
    const home = createHomeOf({ terraform: { credentials: { 'tfe.example': { token: 's3cret' } } } });
    const { code, stdout, stderr } = await run(['auth', 'status', '-o', 'json'], { home });
    expect(code).toBe(4);
    const reason = `The token in ${join(home, '.terraform.d', 'credentials.tfrc.json')} is for https://tfe.example.`;
    expect(JSON.parse(stdout)).toMatchObject([{ token: null, 'token-source': reason, works: false }]);
    expect(JSON.parse(stderr)).toMatchObject({ error: { exit: 4, reasons: [reason], next: ['orgctl auth login'] } });
  });

  test('names a file that cannot be used beside all the rest, and ends with 2', async () => {
    const home = createHomeOf({ config: { profiles: { work: { org: 'acme' } } }, credentials: {} });
    writeFileSync(credentialsOf(home), 's3cret');
    const fault = `${credentialsOf(home)} is not valid JSON`;
    const { code, stdout, stderr } = await run(['auth', 'status', '-o', 'json'], { home });
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject([{ 'token-source': fault, works: false }, { 'token-source': fault }]);
    expect(JSON.parse(stderr)).toMatchObject({ error: { exit: 2, message: fault } });
    expect(stdout + stderr).not.toContain('s3cret');
  });

  test('says who calls the sandbox', async () => {
    const { code, stdout } = await run(['auth', 'status', '--sandbox', '--as', 'member', '-o', 'json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([{ 'token-source': '--sandbox', org: 'acme', account: 'milo-member' }]);
  });

  test('has a row for every profile, each with its own token; its exit is that of the one in use', async () => {
    const service = await startService();
    const { origin } = new URL(service.url);
    const home = createHomeOf({
      config: {
        'base-url': service.url,
        profiles: { work: { 'base-url': service.url, org: 'acme' }, empty: { 'base-url': service.url } },
      },
      credentials: {
        credentials: { [origin]: { token: tokenOf(service, 'member') } },
        profiles: { work: { origin, token: tokenOf(service, 'owner') } },
      },
    });
    const { code, stdout, stderr } = await run(['auth', 'status', '-o', 'json'], { home });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [unnamed, work, empty] = [
      { profile: 'default', account: 'milo-member', 'token-source': 'credentials.json', works: true },
      { profile: 'work', account: 'olive-owner', 'token-source': 'profile work', works: true },
      { profile: 'empty', token: null, works: false },
    ];
    expect(JSON.parse(stdout)).toMatchObject([{ ...unnamed, default: true }, work, empty]);
    const named = await run(['auth', 'status', '--profile', 'work', '-o', 'json'], { home });
    expect([named.code, JSON.parse(named.stdout)]).toMatchObject([0, [work]]);
    const other = await run(['auth', 'status', '-o', 'json'], { home, env: { ORGCTL_PROFILE: 'empty' } });
    expect([other.code, JSON.parse(other.stdout)]).toMatchObject([4, [unnamed, work, { ...empty, default: true }]]);
  });
});

describe('auth use', () => {
  const config = {
    org: 'acme',
    profiles: {
      work: { 'base-url': 'https://tfe.example/api/v2', org: 'globex' },
      bare: { 'token-command': 'id' },
    },
  };
  const credentials = { profiles: { work: { origin: 'https://tfe.example', token: 's3cret' } } };

  test('chooses what is used where no profile is named', async () => {
    const home = createHomeOf({ config, credentials });
    expect(await run(['auth', 'use', 'work'], { home })).toEqual(failed(0, '✓ The default is profile work.\n'));
    expect(read(configOf(home))).toEqual({ ...config, profile: 'work' });
    expect(await run(['settings', 'get', 'org'], { home })).toMatchObject({ stdout: 'globex\n' });
    // As with ORGCTL_PROFILE other variables come first, and so does another profile.
    const env = { ORGCTL_ORG: 'initech' };
    expect(await run(['settings', 'get', 'org'], { home, env })).toMatchObject({ stdout: 'initech\n' });
    const other = { ORGCTL_PROFILE: 'bare' };
    expect(await run(['settings', 'get', 'org'], { home, env: other })).toMatchObject({ code: 5 });
    expect(await run(['auth', 'use', 'default'], { home, env: other })).toEqual(
      failed(
        0,
        '✓ The default is what is stored without a name.\nwarning: ORGCTL_PROFILE names bare, which is used first\n',
      ),
    );
    expect(read(configOf(home))).toEqual(config);
  });

  test('default is what is stored without a name, also in one command', async () => {
    const stored = { config: { ...config, profile: 'work' }, credentials };
    const home = createHomeOf(stored);
    const get = async (argv: readonly string[], env = {}) =>
      (await run(['settings', 'get', 'org', ...argv], { home, env })).stdout;
    expect(await get(['--profile', 'default'])).toBe('acme\n');
    expect(await get([], { ORGCTL_PROFILE: 'default' })).toBe('acme\n');
    // As of every profile, the option comes before the variables, and the variable after them.
    expect(await get(['--profile', 'default'], { ORGCTL_ORG: 'initech' })).toBe('acme\n');
    expect(await get([], { ORGCTL_PROFILE: 'default', ORGCTL_ORG: 'initech' })).toBe('initech\n');
    expect(await run(['settings', 'set', 'org', 'initech', '--profile', 'default'], { home })).toMatchObject({
      code: 0,
    });
    expect(read(configOf(home))).toEqual({ ...stored.config, org: 'initech' });
    expect((await run(['auth', 'use', 'work'], { home, env: { ORGCTL_PROFILE: 'default' } })).stderr).toContain(
      'ORGCTL_PROFILE names default, which is used first',
    );
  });

  test('--profile default takes the stored token before one of the environment', async () => {
    const origin = 'https://tfe.example';
    const home = createHomeOf({
      config: { 'base-url': `${origin}/api/v2`, profiles: config.profiles, profile: 'work' },
      credentials: { ...credentials, credentials: { [origin]: { token: 'd3fault' } } },
    });
    const env = { ORGCTL_TOKEN: 'other' };
    const get = async (argv: readonly string[]) =>
      JSON.parse((await run(['settings', 'list', ...argv, '-o', 'json'], { home, env })).stdout).find(
        ({ name }: { name: string }) => name === 'token',
      ).source;
    expect(await get([])).toBe('ORGCTL_TOKEN');
    expect(await get(['--profile', 'default'])).toBe('credentials.json');
  });

  test('name what is near where nothing is called so', async () => {
    const home = createHomeOf({ config });
    expect(await run(['auth', 'use', 'defualt'], { home })).toEqual(
      failed(2, "orgctl: no profile named 'defualt'\n  → Did you mean default?\n"),
    );
    expect(await run(['auth', 'use', 'wrok'], { home })).toEqual(
      failed(2, "orgctl: no profile named 'wrok'\n  → Did you mean work?\n"),
    );
    expect(read(configOf(home))).toEqual(config);
  });

  test('help where the default is gone', async () => {
    const home = createHomeOf({ config: { ...config, profile: 'gone' } });
    const { code, stderr } = await run(['teams', 'list'], { home });
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("orgctl: no profile named 'gone' (from config.json)\n"),
    });
    expect(await run(['auth', 'use', 'work'], { home })).toMatchObject({ code: 0 });
  });
});
