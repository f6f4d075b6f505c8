import { X509Certificate } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/lib/sqlite.ts';
import { GOOD, KEY } from '../support/certificates.ts';
import { createFolder } from '../support/files.ts';
import { AT_TERMINAL, type RunOptions, type RunResult, run } from '../support/run.ts';
import { startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

const env = { ORGCTL_BASE_URL: '', ORGCTL_TOKEN: '', ORGCTL_ORG: '' };

test('info shows what is in it, and where it is', () =>
  transcript({ ...AT_TERMINAL, columns: 140, env: { ...env, NO_COLOR: '1' } })`
    $ sandbox info
    ORGANIZATION  MEMBERS  INVITED  TEAMS  PROVIDERS  AUDIT TOKEN  NOTE
    acme                5        1      4          5  yes          everything on
    globex              9        1      6          2  yes          trial used, so no trial feature set; SSO and SCIM fill two teams
    initech             4        1      4          1  no           public provider curation disabled, user limit reached, teams managed in HCP
    ! State: HOME/state/sandbox/state.sqlite (demo data)
    $ sandbox info --state :memory: --query [0].name
    "acme"
    ! State: :memory: (demo data)
  `);

test('messages call it the sandbox', () =>
  transcript({ env })`
    $ --sandbox --as none members list
    ! orgctl: the sandbox rejected your token
    !   unauthorized
    = 4, nothing sent
  `);

describe('accept', () => {
  test('is what the invited person would do, in each organization or in one', () =>
    transcript({ ...AT_TERMINAL, columns: 140, env: { ...env, NO_COLOR: '1' } })`
      $ --sandbox members invite ana@example.com ben@example.com --team audit --org acme,globex -q
      $ sandbox accept ana@example.com --dry-run
      ! Would accept the invitation of ana@example.com to acme
      ! Would accept the invitation of ana@example.com to globex
      $ sandbox accept ANA@example.com
      ! ✓ ana@example.com is now a member of acme
      ! ✓ ana@example.com is now a member of globex
      $ sandbox accept ana@example.com
      ! orgctl: ana@example.com has no invitation to any organization of the sandbox
      !   → Invite this address first: orgctl members invite.
      = 2, nothing sent
      $ sandbox accept ben@example.com --org GLOBEX
      ! ✓ ben@example.com is now a member of globex
      $ sandbox accept ben@example.com --org nope
      ! orgctl: the sandbox has no organization nope
      = 2, nothing sent
      $ ORGCTL_READ_ONLY=1 sandbox accept ben@example.com
      ! orgctl: read-only mode is on (ORGCTL_READ_ONLY), nothing was sent
      = 2, nothing sent
      $ --sandbox members list --email ben@example.com --org acme,globex --fields email,status -o tsv
      ben@example.com\tinvited
      ben@example.com\tactive
    `);

  test('has a row for each organization where a program reads', () =>
    transcript({ env })`
      $ sandbox accept ivan.invitee@example.com --dry-run
      planned\tivan.invitee@example.com\tacme\tou-1
      $ sandbox accept ivan.invitee@example.com -o ndjson
      {"id":"ou-1","email":"ivan.invitee@example.com","status":"active","organization":{"id":"acme","type":"organizations"},"changed":true,"result":"accepted"}
    `);
});

describe('reset', () => {
  test('asks, and brings back the data or other data', () =>
    transcript({ env })`
      $ --sandbox members remove milo.member@example.com --yes -q > removed.tsv
      $ sandbox reset
      ! orgctl: this needs a confirmation: Reset the sandbox in HOME/state/sandbox/state.sqlite? All changes in it are lost.
      !   → Add --yes, or --dry-run to see what would be done.
      = 2, nothing sent
      $ sandbox reset --dry-run --seed empty
      ! Would reset the sandbox in HOME/state/sandbox/state.sqlite (empty data)
      $ sandbox reset --dry-run --seed empty -o ndjson
      {"state":"HOME/state/sandbox/state.sqlite","seed":"empty","changed":false,"result":"planned"}
      $ ORGCTL_READ_ONLY=1 sandbox reset --yes
      ! orgctl: read-only mode is on (ORGCTL_READ_ONLY), nothing was sent
      = 2, nothing sent
      $ sandbox info --query '[0].members' 2>/dev/null
      4
      $ sandbox reset --yes
      ! ✓ Reset the sandbox (demo data)
      $ sandbox info --query '[0].members' -q
      5
      $ sandbox reset --yes --seed members=3 -q
      $ sandbox info --query '[0].members'
      8
      ! State: HOME/state/sandbox/state.sqlite (members=3 data)
    `);

  test('does nothing where the answer is no', async () => {
    const home = createFolder();
    const { code } = await run(['sandbox', 'reset'], { ...AT_TERMINAL, home, stdin: 'n\n' });
    expect({ code, isThere: existsSync(join(home, 'state')) }).toEqual({ code: 3, isThere: false });
  });

  test('removes what rotations keep of its tokens, but not with --state', async () => {
    const home = createFolder();
    const kept = join(home, 'state', 'sandbox', 'acme');
    const orgctl = (line: string) => run(line.split(' '), { home });
    await orgctl('--sandbox audit-token rotate --expires 90d --to file:token --yes');
    await orgctl('sandbox reset --yes --state other.sqlite');
    expect(existsSync(kept)).toBe(true);
    await orgctl('sandbox reset --yes');
    expect(existsSync(kept)).toBe(false);
    expect(await orgctl('--sandbox audit-token rotate --expires 90d --to file:token --yes')).toMatchObject({ code: 0 });
  });
});

describe('a state that can not be used', () => {
  test('a reset replaces a state of another version', async () => {
    const home = createFolder();
    for (const path of ['named.sqlite', 'state/sandbox/state.sqlite']) {
      mkdirSync(join(home, 'state', 'sandbox'), { recursive: true });
      const database = openDatabase(join(home, path), 5_000);
      database.exec('PRAGMA application_id = 1869768547; PRAGMA user_version = 4');
      database.close();
    }
    await transcript({ env, home })`
      $ --sandbox members list
      ! orgctl: the sandbox state HOME/state/sandbox/state.sqlite was written by another version of orgctl. It was not changed.
      !   → Run orgctl sandbox reset to start over.
      = 2, nothing sent
      $ sandbox reset --yes --state named.sqlite
      ! ✓ Reset the sandbox (demo data)
      $ sandbox info --query '[0].members' -q --state named.sqlite
      5
    `;
  });

  test('since it is damaged is replaced where it is the usual one; another file stays', async () => {
    const home = createFolder();
    mkdirSync(join(home, 'state', 'sandbox'), { recursive: true });
    writeFileSync(join(home, 'state', 'sandbox', 'state.sqlite'), 'damaged');
    writeFileSync(join(home, 'notes.txt'), 'notes');
    await transcript({ env, home })`
      $ sandbox accept ivan.invitee@example.com
      ! orgctl: HOME/state/sandbox/state.sqlite is not a state of the sandbox, or it is damaged. It was not changed.
      !   → Run orgctl sandbox reset to start over.
      = 2, nothing sent
      $ sandbox reset --yes
      ! ✓ Reset the sandbox (demo data)
      $ sandbox info --query '[0].members' -q
      5
      $ sandbox reset --yes --state notes.txt
      ! orgctl: HOME/notes.txt is not a state of the sandbox, or it is damaged. It was not changed.
      !   → Name another file with --state.
      = 2, nothing sent
    `;
    expect(readFileSync(join(home, 'notes.txt'), 'utf8')).toBe('notes');
  });
});

interface Serving extends RunOptions {
  signal?: 'SIGINT' | 'SIGTERM' | 'SIGHUP';
  /** While it serves. */
  act?: (announced: string) => Promise<void>;
}

/** Runs until it has announced something, and then ends it by a signal. */
async function serve(line: string, { signal = 'SIGINT', act, ...options }: Serving = {}): Promise<RunResult> {
  const signals = new EventEmitter();
  return await run(
    `sandbox serve --port 0 ${line}`.split(' ').map((word) => word.replaceAll('_', ' ')),
    {
      ...options,
      signals,
      onStdout: async (text) => {
        await act?.(text);
        setImmediate(() => signals.emit(signal));
      },
    },
  );
}

describe('serve', () => {
  test('prints the base URL and a token of each kind, as text and as JSON', async () => {
    const { stdout } = await serve('--state :memory:');
    expect(stdout).toMatch(
      /^ORGCTL_BASE_URL=http:\/\/127\.0\.0\.1:(\d+)\/api\/v2\nTFE_ADDRESS=http:\/\/127\.0\.0\.1:\1\nORGCTL_TOKEN=sandbox\.owner\nORGCTL_ORG=acme\nsandbox\.owner {16}# owner\n/,
    );
    expect(stdout).toMatch(
      /\nsandbox\.owners-team\.initech {2}# owners-team of initech\nsandbox\.org-token\.initech .*\n$/,
    );
    const { tokens, ...announced } = JSON.parse((await serve('--state :memory: -o json')).stdout);
    expect(announced).toEqual({ 'base-url': expect.stringMatching(/^http:.*\/api\/v2$/), state: ':memory:' });
    expect(tokens[1]).toEqual({ kind: 'owners-team', organization: 'acme', token: 'sandbox.owners-team.acme' });
  });

  test('keeps what is changed in its state, and shows no token that a request made', async () => {
    const home = createFolder();
    const { stdout: secret } = await run('--sandbox audit-token generate --yes -q'.split(' '), { home });
    let seen = '';
    const { stdout } = await serve('-q', {
      home,
      async act(announced) {
        const [, ORGCTL_BASE_URL = ''] = /^ORGCTL_BASE_URL=(.*)$/m.exec(announced) ?? [];
        const asked = { ORGCTL_BASE_URL, ORGCTL_TOKEN: secret.trim() };
        seen = (await run('audit-trail list --fields resource.action --limit 1'.split(' '), { env: asked })).stdout;
      },
    });
    expect(seen).toBe('create\n');
    expect(stdout).toContain('  # acme: created by a request, not shown\n');
    expect(stdout + readFileSync(join(home, 'state/sandbox/state.sqlite'))).not.toContain(secret.trim());
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('is stopped by %s: exit %i', async (signal, code) => {
    const { stdout: _, ...ended } = await serve('--state :memory:', { signal });
    expect(ended).toEqual({ code, stderr: 'Press Ctrl-C to stop.\nInterrupted.\n' });
  });

  test('warns if other machines can reach it', async () => {
    const warning = 'warning: anyone who can reach 0.0.0.0 can use this sandbox: its tokens are public\n';
    expect((await serve('--state :memory: --listen 0.0.0.0')).stderr).toContain(warning);
    expect((await serve('--state :memory: --listen localhost')).stderr).not.toContain('warning');
  });

  test.each([
    ['--fault *_ping:_nth=2_503', [204, 503, 204]],
    ['--document-only', [404, 404, 404]],
    ['--rate-limit 2', [204, 204, 429]],
    ['--like enterprise', [204]],
  ])('with %s', async (option, expected) => {
    const statuses: number[] = [];
    await serve(`--state :memory: ${option}`, {
      async act(announced) {
        const [, url = ''] = /^ORGCTL_BASE_URL=(.*)$/m.exec(announced) ?? [];
        for (const _ of expected) statuses.push((await fetch(`${url}/ping`)).status);
      },
    });
    expect(statuses).toEqual(expected);
  });

  test('names a port that is taken', async () => {
    const { port } = new URL((await startService()).url);
    const { code, stderr } = await run(`sandbox serve --state :memory: --port ${port}`.split(' '));
    expect(code).toBe(2);
    expect(stderr).toContain(
      `orgctl: can't listen on 127.0.0.1 port ${port}: listen EADDRINUSE: address already in use 127.0.0.1:${port}\n  → Name another`,
    );
  });

  test.each([
    ['--listen 192.0.2.1', "can't listen on 192.0.2.1 port 0: listen EADDRNOTAVAIL"],
    ['--listen=', '--listen is empty'],
    ['--rate-limit many', "--rate-limit must be a whole number up to 1000000, not 'many'"],
    ['--fault nonsense', 'can\'t read the fault "nonsense"'],
    ['--seed members=many', "unknown seed 'members=many'\n  → It is demo, empty or members=<n>."],
    ['--seed empty --state named.sqlite', 'Run orgctl sandbox reset --seed empty --state HOME/named.sqlite'],
    ['--document-only --like hosted', 'use --document-only or --like hosted, not both'],
    ['--tls --tls-cert a.pem --tls-key b.pem', 'use --tls or --tls-cert, not both'],
    ['--tls-cert a.pem', '--tls-cert and --tls-key go together'],
    ['--tls-cert /none/a.pem --tls-key b.pem', "can't read /none/a.pem: it doesn't exist"],
  ])('does not start with %s: exit 2', async (line, message) => {
    const home = createFolder();
    await run(['sandbox', 'info', '--state', 'named.sqlite'], { home });
    const { code, stdout, stderr } = await serve(`--state :memory: ${line}`, { home });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.replaceAll(home, 'HOME')).toContain(message);
  });

  test('serves TLS with a certificate of its own', async () => {
    const hosts: unknown[] = [];
    await serve('--state :memory: --tls --listen localhost', {
      async act(announced) {
        const [, file = ''] =
          /^ORGCTL_BASE_URL=https:.*\nORGCTL_CA_FILE=(.*)\nTFE_ADDRESS=https:/.exec(announced) ?? [];
        hosts.push(new X509Certificate(readFileSync(file)).checkHost('localhost'));
      },
    });
    expect(hosts).toEqual(['localhost']);
  });

  test('takes a certificate that is given', async () => {
    const home = createFolder();
    const [cert, key] = [join(home, 'cert.pem'), join(home, 'key.pem')];
    writeFileSync(cert, GOOD);
    writeFileSync(key, KEY);
    const { stdout } = await serve(`--state :memory: --tls-cert ${cert} --tls-key ${key}`);
    expect(stdout).toMatch(/^ORGCTL_BASE_URL=https:.*\nTFE_ADDRESS=https:/);
  });
});
