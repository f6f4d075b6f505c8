import { existsSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AUTHORITY, GOOD, KEY } from '../support/certificates.ts';
import { createFolder } from '../support/files.ts';
import { pass, startFront } from '../support/front.ts';
import { AT_TERMINAL, run } from '../support/run.ts';
import { startService } from '../support/service.ts';
import { readStored } from '../support/stored.ts';
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
    const front = await startFront(sandbox, pass, {
      tls: { cert: GOOD, key: KEY },
    });
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
