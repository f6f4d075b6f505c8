import { EventEmitter } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { AUTHORITY, GOOD, KEY } from '../support/certificates.ts';
import { createFolder } from '../support/files.ts';
import { pass, startFront } from '../support/front.ts';
import { AT_TERMINAL, run } from '../support/run.ts';
import { startService } from '../support/service.ts';
import { createHomeOf, readStored } from '../support/stored.ts';
import { transcript } from '../support/transcript.ts';

// The service is still named by ORGCTL_BASE_URL, unless a line takes that away.
const env = { ORGCTL_TOKEN: '', ORGCTL_ORG: '' };
const files = { owner: 'sandbox.owner\n', member: 'sandbox.member\n' };
const readConfig = (home: string) => readStored(join(home, 'config', 'config.json'));
const readCredentials = (home: string) => readStored(join(home, 'config', 'credentials.json'));

describe('auth login', () => {
  test('checks the token from stdin, and stores it with the service, also if the environment names it', async () => {
    const [home, service] = [createFolder(), await startService()];
    await transcript({ home, service, env, files, reads: true })`
      $ auth login < owner
      ! ✓ Logged in to 127.0.0.1:PORT as olive-owner
      ! Your organizations: acme, globex and initech
      ! Choose a default organization with orgctl settings set org <name>.
      > GET /account/details
      > GET /organization-memberships?include=teams
      $ ORGCTL_BASE_URL= api organizations/globex --query data.id
      "globex"
      > GET /organizations/globex
    `;
    expect(readConfig(home)).toEqual({ 'base-url': service.url });
    expect(readCredentials(home)).toEqual({
      credentials: { [new URL(service.url).origin]: { token: 'sandbox.owner' } },
    });
  });

  test('what it suggests has the profile', () =>
    transcript({ env, files })`
      $ auth login --profile work < owner
      ! ✓ Logged in to 127.0.0.1:PORT as olive-owner
      ! Your organizations: acme, globex and initech
      ! Choose a default organization with orgctl settings set org <name> --profile work.
      $ members list --profile work
      ! orgctl: no organization
      !   → Add --org <name>, set ORGCTL_ORG, or run orgctl settings set org <name> --profile work.
      = 2, nothing sent
    `);

  test('asks nobody in CI: 2', () =>
    transcript(AT_TERMINAL)`
      $ CI=true auth login
      ! orgctl: can't prompt for a token
      !   → Pipe it in: orgctl auth login < token
      = 2, nothing sent
    `);

  test('--org names the default organization, --profile keeps all of it under a name', async () => {
    const [home, service] = [createFolder(), await startService()];
    await transcript({ home, service, env, files })`
      $ auth login --org GLOBEX < member
      ! ✓ Logged in to 127.0.0.1:PORT as milo-member
      ! Your organizations: acme, globex and initech
      ! ✓ globex is the default organization
      $ auth login --profile work --org initech < owner
      ! ✓ Logged in to 127.0.0.1:PORT as olive-owner
      ! Your organizations: acme, globex and initech
      ! ✓ initech is the default organization
    `;
    const { url } = service;
    const { origin } = new URL(url);
    const work = { 'base-url': url, org: 'initech' };
    expect(readConfig(home)).toEqual({ 'base-url': url, org: 'globex', profiles: { work } });
    expect(readCredentials(home)).toEqual({
      credentials: { [origin]: { token: 'sandbox.member' } },
      profiles: { work: { origin, token: 'sandbox.owner' } },
    });
  });

  test.each<[what: string, argv: string, stdin: string, code: number, message: string]>([
    ['a token that the service rejects', '', 's3cret-nobody', 4, 'rejected this token\n  → Nothing was stored.'],
    ['nothing on stdin', '', '\n', 2, 'stdin is empty'],
    ['two words', '', 's3cret s3cret', 2, 'stdin is not a token'],
    [
      'an organization of other people',
      '--org acmee',
      'sandbox.owner',
      5,
      'not a member of acmee\n  → Did you mean acme?',
    ],
    ['a dry run', '--dry-run', 'sandbox.owner', 0, 'Would log in to'],
    ['a name that no profile can have', '--profile ../x', 's3cret', 2, "'../x' is not a profile name"],
    ['plain http', '--base-url http://tfe.example.com', 's3cret', 2, 'anyone on the network could read your token'],
    ['the sandbox', '--sandbox', 's3cret', 2, 'the sandbox takes no token'],
  ])('stores nothing: %s', async (_what, argv, stdin, code, message) => {
    const [home, service] = [createFolder(), await startService()];
    const more = argv.split(' ').filter(Boolean);
    const baseUrl = /--base-url|--sandbox/.test(argv) ? [] : ['--base-url', service.url];
    const ended = await run(['auth', 'login', ...baseUrl, ...more], { home, stdin });
    expect(ended, ended.stderr).toMatchObject({ code, stdout: '' });
    expect(ended.stderr).toContain(message);
    expect(ended.stderr).not.toContain('s3cret');
    expect(existsSync(join(home, 'config'))).toBe(false);
  });

  test('stores the certificate authority for the next command', async () => {
    const [home, { sandbox }] = [createFolder(), await startService()];
    const caFile = join(home, 'ca.pem');
    writeFileSync(caFile, AUTHORITY);
    const front = await startFront(sandbox, pass, { tls: { cert: GOOD, key: KEY } });
    const argv = ['auth', 'login', '--base-url', front.url, '--org', 'acme', '--max-retries', '0'];
    expect(await run(argv, { home, stdin: 'sandbox.owner' })).toMatchObject({ code: 9 });
    const cwd = process.cwd();
    const file = relative(cwd, caFile);
    const given = { stdin: 'sandbox.owner', host: { cwd } };
    expect(await run([...argv, '--ca-file', file], { ...given, home })).toMatchObject({ code: 0 });
    expect(readConfig(home)).toEqual({ 'base-url': front.url, 'ca-file': caFile, org: 'acme' });
    const other = createFolder();
    expect(await run(argv, { ...given, home: other, env: { ORGCTL_CA_FILE: file } })).toMatchObject({ code: 0 });
    expect(readConfig(other)).toEqual(readConfig(home));
    expect(await run(['auth', 'status'], { home })).toMatchObject({ code: 0, stderr: '' });
  });

  test('warns if another token goes first', async () => {
    const service = await startService();
    const { stderr } = await service.run(['auth', 'login'], { stdin: 'sandbox.member' });
    expect(stderr).toContain('\nwarning: the token of ORGCTL_TOKEN is used before this one\n');
  });
});

test('auth logout removes what a login stored, and nothing of another service', async () => {
  const other = { 'https://tfe.example.com': { token: 'other' } };
  const [home, service] = [createHomeOf({ credentials: { credentials: other } }), await startService()];
  await transcript({ home, service, env, files })`
    $ auth login --org acme < owner 2>/dev/null
    $ auth login --profile work --org globex < owner 2>/dev/null
    $ auth logout --dry-run
    ! Would log out of 127.0.0.1:PORT
    $ ORGCTL_BASE_URL= auth logout --profile work
    ! ✓ Logged out of profile work
    $ ORGCTL_BASE_URL= auth logout
    ! ✓ Logged out of 127.0.0.1:PORT
    $ auth logout
    ! orgctl: no token is stored for 127.0.0.1:PORT
    !   → See orgctl auth status.
    = 5, nothing sent
  `;
  expect([readConfig(home), readCredentials(home)]).toEqual([{ profiles: {} }, { credentials: other, profiles: {} }]);
  await transcript({ home, service, env, files })`
    $ auth login --org acme < owner 2>/dev/null
    $ auth logout --host tfe.example.com
    ! ✓ Logged out of tfe.example.com
    $ ORGCTL_BASE_URL= settings get org
    acme
  `;
});

describe('auth status', () => {
  test('shows each profile, and whether its token works', () =>
    transcript({ env, files })`
      $ auth status
      ! orgctl: no token for 127.0.0.1:PORT
      !   → Run orgctl auth login --base-url http://127.0.0.1:PORT/api/v2, or set ORGCTL_TOKEN. To try orgctl without an account, add --sandbox.
      = 4, nothing sent
      $ ORGCTL_BASE_URL= members list
      ! orgctl: no token for app.terraform.io
      !   → Run orgctl auth login, or set ORGCTL_TOKEN. To try orgctl without an account, add --sandbox.
      = 4, nothing sent
      $ auth login --org acme < owner 2>/dev/null
      $ ORGCTL_BASE_URL= auth status -o table
      Service:       http://127.0.0.1:PORT/api/v2
      Organization:  acme
      Account:       olive-owner
      Token from:    credentials.json
      $ settings set org globex --profile work 2>/dev/null
      $ ORGCTL_BASE_URL= auth status -o table
      PROFILE  SERVICE                          ACCOUNT                        ORGANIZATION  DEFAULT
      default  http://127.0.0.1:PORT/api/v2    olive-owner                    acme          default
      work     https://app.terraform.io/api/v2  no token for app.terraform.io  globex
      $ ORGCTL_BASE_URL= auth status --fields profile,status,error -o csv
      profile,status,error
      default,ok,
      work,not-authenticated,no token for app.terraform.io
      $ ORGCTL_BASE_URL= auth status --profile work
      ! orgctl: no token for app.terraform.io
      !   → Run orgctl auth login --profile work, or set ORGCTL_TOKEN. To try orgctl without an account, add --sandbox.
      = 4, nothing sent
      $ auth logout 2>/dev/null
      $ ORGCTL_BASE_URL= auth status 2>/dev/null
      default	https://app.terraform.io/api/v2			true
      work	https://app.terraform.io/api/v2		globex	false
      = 4, nothing sent
    `);

  test('says who calls the sandbox', () =>
    transcript({ env: { ORGCTL_BASE_URL: '' } })`
      $ auth status --sandbox --as member -o ndjson
      {"profile":"default","base-url":"sandbox","org":"acme","account":"milo-member","token-source":"--sandbox","status":"ok"}
    `);
});

test('auth use switches the default profile', () =>
  transcript({
    home: createHomeOf({ config: { org: 'acme', profile: 'gone', profiles: { work: { org: 'globex' } } } }),
    env: { ORGCTL_BASE_URL: '', ORGCTL_TOKEN: '', ORGCTL_ORG: '' },
  })`
    $ settings get org
    ! orgctl: no profile named 'gone' (from config.json)
    !   → Profiles: default, work. Run orgctl auth login --profile gone to create it.
    = 2, nothing sent
    $ auth use work
    ! ✓ Switched to the work profile
    $ settings get org
    globex
    $ auth use defualt
    ! orgctl: no profile named 'defualt'
    !   → Did you mean default?
    = 2, nothing sent
    $ auth use default --dry-run
    ! Would switch to the default profile
    $ auth use default
    ! ✓ Switched to the default profile
    $ settings get org
    acme
  `);

test('sends a token to its own origin alone, and ORGCTL_TOKEN to any service', async () => {
  const [home, here, there] = [createFolder(), await startService(), await startService()];
  await transcript({ home, service: here, env, files })`
    $ auth login < owner 2>/dev/null
    $ auth login --profile work < owner 2>/dev/null
  `;
  const argv = ['api', 'account/details', '--base-url', there.url];
  const { origin } = new URL(here.url);
  for (const [more, source] of [
    [[], 'credentials.json'],
    [['--profile', 'work'], 'profile work'],
  ] as const) {
    const { code, stderr } = await run([...argv, ...more], { home });
    expect(code).toBe(4);
    expect(stderr).toContain(`The token of ${source} is for ${origin}, and is sent only there.\n`);
  }
  expect(there.requests).toEqual([]);
  expect(await run(argv, { home, env: { ORGCTL_TOKEN: 'sandbox.member' } })).toMatchObject({ code: 0 });
});

describe.runIf(process.platform !== 'win32')('the token-command of a profile', () => {
  async function prepare(command: string) {
    const service = await startService();
    const folder = createFolder();
    const work = { 'base-url': service.url, 'token-command': command.replaceAll('FOLDER', folder) };
    const home = createHomeOf({ config: { profiles: { work } } });
    return { service, folder, home, argv: ['api', 'account/details', '--profile', 'work'] };
  }

  test('runs without a shell and without tokens in its environment, once, and stores nothing', async () => {
    const { service, folder, home, argv } = await prepare(`/bin/sh -c 'env >> "FOLDER/env"; echo " sandbox.owner"'`);
    const given = {
      ORGCTL_TOKEN: 's3cret',
      TFE_TOKEN: 's3cret',
      TF_TOKEN_tfe_example_com: 's3cret',
      VAULT_TOKEN: 'kept',
    };
    expect(await run(argv, { home, env: given })).toMatchObject({ code: 0, stderr: '' });
    expect(service.requests.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer sandbox.owner']);
    const seen = readFileSync(join(folder, 'env'), 'utf8');
    expect(seen.match(/^VAULT_TOKEN=kept$/gm)).toHaveLength(1);
    expect(seen).not.toContain('s3cret');
    expect(existsSync(join(home, 'config', 'credentials.json'))).toBe(false);
  });

  test.each<[command: string, code: number, message: string]>([
    [`/bin/sh -c 'echo s3cret; exit 3'`, 4, 'token-command of profile work failed: /bin/sh: exit code 3'],
    ['/nowhere/vault', 4, "token-command of profile work failed: /nowhere/vault: it doesn't exist"],
    ['/bin/sh -c true', 2, 'what token-command of profile work printed is empty'],
    [`/bin/sh -c 'echo s3cret s3cret'`, 2, 'what token-command of profile work printed is not a token'],
    [`/bin/sh -c 'kill -9 $$' s3cret`, 4, 'token-command of profile work failed: /bin/sh: it was killed by SIGKILL\n'],
    [`pass show 's3cret`, 2, "'token-command': a quote is not closed"],
    [`/bin/sh -c 'echo s3cret; echo s3cret'`, 2, 'what token-command of profile work printed has more than one line'],
    [
      `/bin/sh -c 'printf "\\377\\376s\\000\\n\\000t\\000"'`,
      2,
      'what token-command of profile work printed has more than one line',
    ],
    ['VAULT_TOKEN=s3cret vault read', 2, 'VAULT_TOKEN= needs a shell, but the command runs without one'],
    ['vault read $SECRET', 2, '$SECRET needs a shell, but the command runs without one'],
    ['vault read | tail', 2, '| needs a shell, but the command runs without one'],
  ])('%s: exit %i', async (command, code, message) => {
    const { service, home, argv } = await prepare(command);
    const ended = await run(argv, { home });
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
    expect(ended.stderr).not.toContain('s3cret');
    expect(service.requests).toEqual([]);
  });

  test.each([
    ['30 s', 4, /: no answer within 30 s\n/],
    ['a signal', 143, /^Interrupted\.\n$/],
  ])('ends after %s with all that it started', async (end, code, message) => {
    const { folder, home, argv } = await prepare(`/bin/sh -c 'sleep 1000 & echo > "FOLDER/started"; wait'`);
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const signals = new EventEmitter();
    const running = run(argv, { home, signals });
    while (!existsSync(join(folder, 'started'))) await setImmediate();
    if (end === '30 s') vi.advanceTimersByTime(30_000);
    else signals.emit('SIGTERM');
    // The sleeping process holds stdout open: only its end lets the command end.
    expect(await running).toMatchObject({ code, stderr: expect.stringMatching(message) });
  });
});
