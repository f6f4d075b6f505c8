import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createJournal, type JournalToken, type OpenRotation } from '../../src/old/rotation/journal.ts';
import { createRecoveryFile } from '../../src/old/rotation/recovery.ts';
import { organizationStateDirectory, tokenStateDirectory } from '../../src/old/settings/directories.ts';
import { CALLER_KINDS } from '../../src/sandbox/sandbox.ts';
import { AUTHORITY, EARLY, ELSEWHERE, EXPIRED, GOOD, KEY } from '../support/certificates.ts';
import { createFolder } from '../support/files.ts';
import { startFront } from '../support/front.ts';
import { findFreePort } from '../support/ports.ts';
import { type RunOptions, run, toText } from '../support/run.ts';
import { answer, bytes, reset, startScripted } from '../support/scripted.ts';
import { SELF_SIGNED } from '../support/self-signed.ts';
import { type ServiceOptions, startService as startFixedService, type TestService } from '../support/service.ts';

interface Line {
  readonly check: string;
  readonly status: 'ok' | 'attention' | 'failed';
  readonly detail: string;
  readonly fix: string | null;
}

interface Examined {
  readonly code: number;
  readonly lines: readonly Line[];
  /** What is not ok, as one text each. */
  readonly bad: readonly string[];
  readonly stdout: string;
  readonly stderr: string;
  of(check: string): Line | undefined;
}

const TOKEN = 'a-token-that-nobody-may-see';

/** The services of these tests show the real time, as those that are scripted do. */
const startService = (options: Parameters<typeof startFixedService>[0] = {}): Promise<TestService> =>
  startFixedService({ now: Date.now, ...options });

async function examine(
  env: Readonly<Record<string, string>>,
  options: RunOptions & { argv?: string[] } = {},
): Promise<Examined> {
  const { argv = [], ...rest } = options;
  const result = await run(['doctor', '-o', 'json', ...argv], { now: Date.now(), ...rest, env });
  const lines = (result.stdout === '' ? [] : JSON.parse(result.stdout)) as readonly Line[];
  const bad = lines
    .filter(({ status }) => status !== 'ok')
    .map(({ check, status, detail }) => `${check} ${status}: ${detail}`);
  return { ...result, lines, bad, of: (check) => lines.find((line) => line.check === check) };
}

/** What a service says of a route to a request without a token. */
const _NO_TOKEN = answer(401, { errors: [{ status: '401', title: 'unauthorized' }] });

const envOf = (
  service: TestService,
  token = service.sandbox.tokenFor('owner', 'acme'),
): Readonly<Record<string, string>> => ({
  ORGCTL_BASE_URL: service.url,
  ORGCTL_TOKEN: token ?? 'unknown',
  ORGCTL_ORG: 'acme',
});

describe('where all is well', () => {
  test('every check is ok, and the exit 0', async () => {
    const service = await startService({ rateLimit: 30 });
    const { code, lines, stderr } = await examine(envOf(service));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(lines.map(({ detail, ...rest }) => ({ ...rest, detail: detail.replaceAll(service.url, 'URL') }))).toEqual(
      [
        ['node', process.versions.node],
        ['settings', 'the service is URL (ORGCTL_BASE_URL)'],
        ['files', 'none yet'],
        ['service', 'HCP Terraform, API 2.6'],
        ['clock', 'matches the service'],
        ['rate-limit', '29 of 30 requests left'],
        ['token', `from ORGCTL_TOKEN, for ${new URL(service.url).origin}`],
        ['caller', 'a user, in acme, globex and initech'],
        ['organization', 'your token can read acme'],
        ['audit-token', 'acme has one, never expires'],
        ['token-policy', "acme doesn't limit how long audit trail tokens are valid"],
        ['rotations', 'no unfinished rotation'],
      ].map(([check, detail]) => ({ check, status: 'ok', detail, fix: null })),
    );
    expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('as a table', async () => {
    const service = await startService();
    const result = await run(['doctor', '-o', 'table'], { env: envOf(service), now: Date.now() });
    expect(result.code).toBe(0);
    expect(result.stdout.split('\n').slice(-5)).toEqual([
      '✓ Audit token   acme has one, never expires',
      "✓ Token policy  acme doesn't limit how long audit trail tokens are valid",
      '✓ Rotations     no unfinished rotation',
      '12 checks: all ok',
      '',
    ]);
  });

  test('as a table with what needs attention: the finding, what to do, and how many there are', async () => {
    const env = { ...envOf(await startService()), ORGCTL_ORG: '' };
    const { code, stdout, stderr } = await run(['doctor', '-o', 'table'], { env, now: Date.now() });
    expect(code).toBe(13);
    expect(stdout).toContain(
      '\n! Organization  attention: no organization\n' +
        '                → Add --org <name>, set ORGCTL_ORG, or store a default:\n' +
        '                $ orgctl settings set org acme\n',
    );
    expect(stdout.split('\n').at(-2)).toBe('10 checks: 9 ok, 1 needs attention');
    expect(stderr).toBe(
      toText('orgctl: 1 of 10 checks needs attention', '  → Each line of the result says what to do.'),
    );
  });

  test('on the built-in sandbox', async () => {
    const { code, lines } = await examine({}, { argv: ['--sandbox'] });
    expect(code).toBe(0);
    expect(lines.map(({ check }) => check)).toContain('audit-token');
    expect(lines.map(({ check }) => check)).not.toContain('tls');
  });

  test('on a service of the document only', async () => {
    const { bad, of } = await examine(envOf(await startService({ documentOnly: true })));
    expect(of('service')?.detail).toBe("it answers (404), but doesn't say what it is");
    expect(of('organization')?.detail).toBe('your token can read acme');
    expect(of('audit-token')?.detail).toContain("acme has no audit trail token, or this service can't show one");
    expect(bad).toEqual([]);
  });
});

describe('the clock', () => {
  const HOUR = 3_600_000;
  test.each([
    { off: HOUR, detail: 'this machine is 60 min ahead of the service' },
    { off: -HOUR, detail: 'this machine is 60 min behind the service' },
    { off: -50 * HOUR, detail: 'this machine is 50 h behind the service' },
  ])('off by $off ms', async ({ off, detail }) => {
    const { code, bad, of } = await examine(envOf(await startService()), { now: Date.now() + off });
    expect({ code, bad }).toEqual({ code: 13, bad: [`clock attention: ${detail}`] });
    expect(of('clock')?.fix).toContain('Set the clock');
  });

  test('a service that sends no time', async () => {
    const server = await startScripted(answer(404, { errors: [{ status: '404' }] }));
    expect((await examine({ ORGCTL_BASE_URL: `${server.origin}/api/v2` })).of('clock')).toMatchObject({ status: 'ok' });
  });
});

describe('the way there', () => {
  test('no network and no settings: exit 9, and what needs no network is shown', async () => {
    const { code, lines, bad } = await examine({ ORGCTL_BASE_URL: 'https://orgctl-test.invalid/api/v2' });
    expect(code).toBe(9);
    expect(bad).toEqual([
      "service failed: can't find the host orgctl-test.invalid",
      'token failed: none for https://orgctl-test.invalid',
    ]);
    expect(lines.filter(({ status }) => status === 'ok').map(({ check }) => check)).toEqual([
      'node',
      'settings',
      'files',
      'rotations',
    ]);
  });

  test('a port that nothing listens on', async () => {
    const port = await findFreePort();
    const { code, of } = await examine({ ORGCTL_BASE_URL: `http://127.0.0.1:${port}/api/v2`, ORGCTL_TOKEN: TOKEN });
    expect(code).toBe(9);
    expect(of('service')).toMatchObject({ status: 'failed', detail: `127.0.0.1:${port} refused the connection` });
  });

  test.each([
    ['breaks', reset, /broke before an answer came/],
    ['is no HTTP', bytes('220 mail.example.com ESMTP\r\n'), /doesn't speak HTTP/],
    [
      'is a web page: another host',
      answer(200, '<html></html>', { 'content-type': 'text/html' }),
      /^http:\S+\/api\/v2 doesn't answer like HCP Terraform or Terraform Enterprise$/,
      'Check the host name; a proxy or login portal may be in between.',
    ],
  ])('an answer that %s', async (_name, turn, detail, fix: string | undefined = undefined) => {
    const server = await startScripted(turn);
    const { code, of } = await examine({ ORGCTL_BASE_URL: `${server.origin}/api/v2`, ORGCTL_TOKEN: TOKEN });
    expect(code).toBe(9);
    expect(of('service')).toMatchObject({
      status: 'failed',
      detail: expect.stringMatching(detail),
      ...(fix && { fix }),
    });
  });

  test('a web page: /api/v2 is missing', async () => {
    const service = await startService();
    const front = await startFront(service.sandbox, async (passing) =>
      /^\/(api|\.well-known)\//.test(passing.target)
        ? passing.send(await passing.act())
        : passing.send({ status: 200, headers: { 'content-type': 'text/html' }, body: '<html></html>' }),
    );
    const { code, of } = await examine({ ORGCTL_BASE_URL: front.origin, ORGCTL_TOKEN: TOKEN });
    expect(code).toBe(9);
    expect(of('service')?.fix).toBe(`The API is at ${front.url}. Set that as the base URL.`);
  });

  test('a dead proxy is named without its password', async () => {
    const port = await findFreePort();
    const { code, stdout, stderr, of } = await examine(
      {
        ORGCTL_BASE_URL: 'http://service.test/api/v2',
        ORGCTL_TOKEN: TOKEN,
        HTTP_PROXY: `http://ana:s3cret@127.0.0.1:${port}`,
      },
      { argv: ['--allow-http', 'service.test'] },
    );
    expect(code).toBe(9);
    expect(of('tls')).toMatchObject({ status: 'attention', fix: 'Use https in the base URL.' });
    expect(of('service')).toMatchObject({
      status: 'failed',
      detail: `can't reach service.test through the proxy 127.0.0.1:${port} (from HTTP_PROXY). It refused the connection`,
      fix: 'Check HTTP_PROXY and NO_PROXY.',
    });
    expect(stdout + stderr).not.toMatch(/s3cret|ana/);
  });

  test('plain http that is not allowed: exit 2, and nothing was sent', async () => {
    const proxy = await startScripted(answer(502, ''));
    const env = { ORGCTL_BASE_URL: 'http://service.test/api/v2', ORGCTL_TOKEN: TOKEN, HTTP_PROXY: proxy.origin };
    const { code, of } = await examine(env);
    expect(code).toBe(2);
    expect(of('service')).toMatchObject({
      status: 'failed',
      fix: expect.stringContaining('--allow-http service.test'),
    });
    expect(proxy.requests).toEqual([]);
  });

  test('a signal ends it without a word of failed checks', async () => {
    let stop = (): void => undefined;
    const server = await startScripted(() => stop());
    const { code, stdout, stderr } = await examine(
      { ORGCTL_BASE_URL: `${server.origin}/api/v2`, ORGCTL_TOKEN: TOKEN },
      {
        onStart(signal) {
          stop = () => signal('SIGINT');
        },
      },
    );
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(stderr).not.toContain('checks');
  });

  test('a proxy that is no URL', async () => {
    const env = { ORGCTL_BASE_URL: 'https://service.test/api/v2', HTTPS_PROXY: 'ftp://proxy.test' };
    const { code, of } = await examine({ ...env, ORGCTL_TOKEN: TOKEN });
    expect(code).toBe(2);
    expect(of('service')).toMatchObject({ status: 'failed', fix: expect.stringContaining('Set HTTPS_PROXY') });
  });
});

describe('TLS', () => {
  async function examineTls(cert: string, options: { readonly trusted?: boolean } = {}) {
    const { sandbox } = await startService();
    const front = await startFront(sandbox, async (passing) => passing.send(await passing.act()), {
      tls: { key: KEY, cert },
    });
    const home = createFolder();
    const file = join(home, 'authority.pem');
    writeFileSync(file, AUTHORITY);
    const argv = options.trusted === false ? [] : ['--ca-file', file];
    const env = {
      ORGCTL_BASE_URL: front.url,
      ORGCTL_TOKEN: sandbox.tokenFor('owner', 'acme') ?? '',
      ORGCTL_ORG: 'acme',
    };
    return await examine(env, { argv, home });
  }

  test.each([
    ['signed by itself', SELF_SIGNED, {}, 'has a self-signed certificate'],
    ['by an unknown authority', GOOD, { trusted: false }, ' is signed by an unknown authority'],
    ['expired', EXPIRED, {}, ' has expired'],
    ['too early', EARLY, {}, ' is not valid yet'],
    ['for another host', ELSEWHERE, {}, ' is for another host name'],
  ])('%s: exit 9, and the token stays here', async (_name, cert, options, problem) => {
    const { code, of } = await examineTls(cert, options);
    expect(code).toBe(9);
    expect(of('service')).toMatchObject({ status: 'failed', fix: expect.stringMatching(/^[A-Z].*\.$/) });
    expect(of('service')?.detail).toContain(problem);
  });

  test('behind a proxy that refuses', async () => {
    const proxy = await startScripted(answer(407, ''));
    const env = { ORGCTL_BASE_URL: 'https://elsewhere.example', ORGCTL_TOKEN: TOKEN, HTTPS_PROXY: proxy.origin };
    const { code, bad } = await examine(env);
    expect(code).toBe(9);
    expect(bad[0]).toMatch(
      /^service failed: can't reach elsewhere\.example through the proxy \S+ \(from HTTPS_PROXY\)\. It answered 407 instead of connecting$/,
    );
  });

  test('no TLS at that port', async () => {
    const server = await startScripted(bytes('HTTP/1.1 400 Bad Request\r\n\r\n'), {
      onConnect: (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    });
    const { code, of } = await examine({ ORGCTL_BASE_URL: `https://127.0.0.1:${server.port}`, ORGCTL_TOKEN: TOKEN });
    expect(code).toBe(9);
    expect(of('service')).toMatchObject({ status: 'failed', detail: expect.stringContaining("doesn't use TLS") });
  });
});

describe('the token', () => {
  test('none: exit 4, and why others are not used', async () => {
    const service = await startService();
    const { code, of, lines } = await examine({ ORGCTL_BASE_URL: service.url, TF_TOKEN_elsewhere_example: TOKEN });
    expect(code).toBe(4);
    expect(of('token')).toMatchObject({
      status: 'failed',
      fix: 'To try orgctl without an account, add --sandbox. Otherwise set ORGCTL_TOKEN, or run: orgctl auth login',
    });
    expect(of('token')?.detail).toContain('. The token in TF_TOKEN_elsewhere_example is for https://elsewhere.example');
    expect(of('service')?.status).toBe('ok');
    expect(lines.map(({ check }) => check)).not.toContain('caller');
    expect(service.requests.filter(({ headers }) => headers.has('authorization'))).toEqual([]);
  });

  test('one the service does not know: exit 4', async () => {
    const { code, bad } = await examine(envOf(await startService(), TOKEN));
    expect({ code, bad }).toEqual({ code: 4, bad: ['caller failed: the service rejected your token (401)'] });
  });

  test('is shown nowhere', async () => {
    const service = await startService();
    const token = service.sandbox.tokenFor('org-token', 'acme') ?? '';
    const { stdout, stderr, of } = await examine(envOf(service, token), { argv: ['--debug'] });
    expect(of('token')?.detail).toContain('ORGCTL_TOKEN');
    expect(stdout + stderr).not.toContain(token);
  });

  test('is not shown where the service sends it back', async () => {
    const alter = withHeaders({ 'tfp-appname': `HCP ${encodeURIComponent(TOKEN)}`, 'tfp-api-version': TOKEN });
    const service = await startService({ alter });
    const { stdout, stderr, of } = await examine(envOf(service, TOKEN));
    expect(of('service')?.detail).toBe('HCP [removed], API [removed]');
    expect(stdout + stderr).not.toContain(TOKEN);
  });

  const USER = 'a user, in acme, globex and initech';
  const KINDS: Readonly<Record<string, readonly [caller: string, code: number, bad: readonly string[]]>> = {
    owner: [USER, 0, []],
    'owners-team': ['the service account api-team-owners-acme', 0, []],
    'org-token': ['the service account api-org-acme', 0, []],
    // That they may not see the token is no trouble where the plan is known to have audit logging.
    member: [USER, 0, []],
    'team-manager': [USER, 0, []],
    'registry-manager': [USER, 0, []],
    'audit-token': [
      'it looks like an audit trail token, which can only read the audit trail',
      13,
      ['organization attention'],
    ],
    none: ['the service rejected your token (401)', 4, ['caller failed']],
  };
  test.each(CALLER_KINDS)('of %s', async (kind) => {
    const service = await startService();
    const examined = await examine(envOf(service, service.sandbox.tokenFor(kind, 'acme') ?? 'unknown'));
    const bad = examined.bad.map((text) => text.split(':')[0]);
    expect([examined.of('caller')?.detail, examined.code, bad]).toEqual(KINDS[kind]);
  });
});

const toUnhealthy = (status: number) => new Response('no healthy upstream', { status });
type Alter = NonNullable<ServiceOptions['alter']>;
const below =
  (path: string, answerOf: (own: Response) => Response | Promise<Response>): Alter =>
  (own, request) =>
    request.url.includes(path) ? answerOf(own) : own;
const withHeaders =
  (headers: Readonly<Record<string, string>>): Alter =>
  (own) => {
    for (const [name, value] of Object.entries(headers)) own.headers.set(name, value);
    return own;
  };
const entitled = (isEntitled: boolean) =>
  below('/entitlement-set', () =>
    Response.json({ data: { id: 'org-1', type: 'entitlement-sets', attributes: { 'audit-logging': isEntitled } } }),
  );
const withExpiry = (change: (text: string) => string) =>
  below('/authentication-token?', async (own) => Response.json(JSON.parse(change(await own.text()))));

interface Case {
  readonly alter?: Alter;
  readonly env?: Readonly<Record<string, string>>;
  readonly argv?: string[];
  readonly code: number;
  /** Of every line that is not ok. */
  readonly bad?: readonly string[];
  /** A line that is ok. */
  readonly ok?: string;
}

test.each<[what: string, expected: Case]>([
  [
    'an organization below which everything is answered 503',
    {
      alter: below('/organizations/globex/', () => toUnhealthy(503)),
      env: { ORGCTL_ORG: 'globex' },
      code: 9,
      bad: ["organization failed: can't list the members of globex: the service answered 503"],
    },
  ],
  [
    'an organization below which everything is answered 429',
    {
      alter: below('/organizations/globex/', () => toUnhealthy(429)),
      env: { ORGCTL_ORG: 'globex' },
      code: 8,
      bad: ["organization failed: can't list the members of globex: too many requests"],
    },
  ],
  [
    'a token that cannot be asked for now',
    { alter: below('/authentication-token', () => toUnhealthy(503)), code: 9, bad: ['audit-token failed: '] },
  ],
  [
    'members that are not shown to a member',
    {
      alter: below('/organizations/acme/organization-memberships', () =>
        Response.json({ errors: [{ status: '404', title: 'not found' }] }, { status: 404 }),
      ),
      code: 13,
      bad: [
        "organization attention: the service doesn't show you the members of acme. acme exists, and your token can read it",
      ],
    },
  ],
  ['no organization', { env: { ORGCTL_ORG: '' }, code: 13, bad: ['organization attention: no organization'] }],
  ['a name that cannot be one', { env: { ORGCTL_ORG: '..' }, code: 2, bad: ['organization failed: '] }],
  [
    'an organization entitled to audit logging',
    {
      alter: entitled(true),
      env: { ORGCTL_ORG: 'initech' },
      code: 0,
      ok: "the plan of initech has audit logging; initech has no audit trail token, or this service can't show one",
    },
  ],
  [
    'an organization that is not',
    {
      alter: entitled(false),
      env: { ORGCTL_ORG: 'initech' },
      code: 13,
      bad: ['audit-token attention: the plan of initech has no audit logging'],
    },
  ],
  [
    'a token that expired',
    {
      alter: withExpiry((text) => text.replace('"expired-at":null', '"expired-at":"2026-11-20T00:00:00Z"')),
      code: 13,
      bad: ['audit-token attention: acme has one, expired '],
    },
  ],
  [
    'an expiry that the service leaves out',
    {
      alter: withExpiry((text) => text.replace(/,"expired-at":null|"expired-at":null,/, '')),
      code: 0,
      ok: 'audit-token: acme has one, unknown when it expires',
    },
  ],
  [
    'read-only',
    { env: { ORGCTL_READ_ONLY: '1' }, code: 0, ok: 'settings: read-only mode is on (from ORGCTL_READ_ONLY)' },
  ],
  [
    'Terraform Enterprise, known by its version',
    {
      alter: withHeaders({ 'x-tfe-version': 'v202611-1' }),
      code: 0,
      ok: 'service: Terraform Enterprise v202611-1, API 2.6',
    },
  ],
  [
    'little of the rate limit',
    {
      alter: withHeaders({ 'x-ratelimit-limit': '30', 'x-ratelimit-remaining': '2' }),
      code: 13,
      bad: ['rate-limit attention: 2 of 30 requests left'],
    },
  ],
  [
    'certificates that are not checked',
    {
      argv: ['--insecure-skip-tls-verify'],
      code: 13,
      bad: ['settings attention: TLS certificates are not checked (--insecure-skip-tls-verify)'],
    },
  ],
])('%s', async (_what, { alter, env = {}, argv = [], code, bad = [], ok }) => {
  const service = await startService(alter === undefined ? {} : { alter });
  const examined = await examine({ ...envOf(service), ...env }, { argv });
  expect({ code: examined.code, bad: examined.bad }).toEqual({
    code,
    bad: bad.map((part) => expect.stringContaining(part)),
  });
  const good = examined.lines.map(({ check, detail }) => `${check}: ${detail}`);
  if (ok !== undefined) expect(good).toContainEqual(expect.stringContaining(ok));
});

test.each(['owner', 'org-token'] as const)('an organization that %s does not reach: exit 5', async (kind) => {
  const service = await startService();
  const env = { ...envOf(service, service.sandbox.tokenFor(kind, 'acme')), ORGCTL_ORG: 'umbrella' };
  const { code, of } = await examine(env);
  expect(code).toBe(5);
  expect(of('organization')).toMatchObject({ status: 'failed', detail: expect.stringContaining('umbrella') });
});

describe('files', () => {
  function createPlace(): string {
    const home = createFolder();
    mkdirSync(join(home, 'config'), { mode: 0o700 });
    mkdirSync(join(home, 'state'), { mode: 0o700 });
    writeFileSync(join(home, 'config', 'config.json'), '{}', { mode: 0o600 });
    writeFileSync(join(home, 'config', 'credentials.json'), '{}', { mode: 0o600 });
    return home;
  }

  test("that are their owner's alone", async () => {
    const { code, of } = await examine(envOf(await startService()), { home: createPlace() });
    expect({ code, detail: of('files')?.detail }).toEqual({ code: 0, detail: 'only you can read them' });
  });

  test.each([
    { path: 'config', mode: 0o755, code: 13, status: 'attention', fix: 'chmod 700' },
    { path: 'config/config.json', mode: 0o666, code: 13, status: 'attention', fix: 'chmod 600' },
    { path: 'config/credentials.json', mode: 0o644, code: 2, status: 'failed', fix: 'chmod 600' },
    { path: 'state', mode: 0o777, code: 13, status: 'attention', fix: 'chmod 700' },
  ])('$path with mode $mode', async ({ path, mode, code, status, fix }) => {
    const home = createPlace();
    chmodSync(join(home, path), mode);
    const examined = await examine(envOf(await startService()), { home });
    expect(examined.code).toBe(code);
    expect(examined.of('files')).toMatchObject({ status, fix: `${fix} ${join(home, path)}` });
    expect(examined.of('files')?.detail).toContain(` ${join(home, path)} (mode ${mode.toString(8)})`);
  });
});

describe('what rotations left', () => {
  const SECRET = 'sandbox.a-secret-that-was-not-delivered';

  test('a secret that was not delivered, and a run that did not end, of any organization', async () => {
    const service = await startService();
    const { origin } = new URL(service.url);
    const home = createFolder();
    const folderOf = (organization: string): string =>
      organizationStateDirectory(join(home, 'state'), origin, organization);
    await (await createRecoveryFile(folderOf('acme'), 'a1')).keep(SECRET);
    await createRecoveryFile(folderOf('initech'), 'b2');
    await createJournal(folderOf('globex'), { unique: 'c3', user: process.getuid?.() }).write({
      open: {
        run: 'c3',
        startedAt: '2026-11-20T10:00:00.000Z',
        phase: 'unknown',
        posts: 1,
        recovery: join(folderOf('globex'), 'undelivered-token-c3'),
        temporaries: [],
      },
    });
    const { code, lines, stdout, stderr } = await examine(envOf(service), { home });
    expect(code).toBe(13);
    expect(lines.filter(({ check }) => check === 'rotations').map(({ status, detail }) => [status, detail])).toEqual([
      [
        'attention',
        `${join(folderOf('acme'), 'undelivered-token-a1')} keeps an undelivered token of acme at ${origin}`,
      ],
      [
        'attention',
        expect.stringMatching(
          /^unfinished rotation of globex at http:\S+, started .* ago \(2026-11-20 10:00 UTC\): it is unknown whether it replaced the token$/,
        ),
      ],
      [
        'attention',
        `${join(folderOf('initech'), 'undelivered-token-b2')} is empty: a killed run for initech at ${origin} left it, or one is running now`,
      ],
    ]);
    expect(stdout + stderr).not.toContain(SECRET);
  });

  test('of a token that is not the one of the audit trail, which it names', async () => {
    const [home, service] = [createFolder(), await startService()];
    const { origin } = new URL(service.url);
    const organization = organizationStateDirectory(join(home, 'state'), origin, 'acme');
    const listed = await service.run(['teams', 'list', '-o', 'json', '--query', "[?name == 'platform'].id | [0]"]);
    const platform = JSON.parse(listed.stdout) as string;
    const proven = {
      ...{ id: 'at-2', fingerprint: 'sha256:0123456789abcdef', verified: true, sinks: ['file:ci'] },
      deliveredAt: '2026-11-20T10:00:00.000Z',
    };
    const leave = async (name: string, token: JournalToken, more: Partial<OpenRotation>): Promise<string> => {
      const folder = tokenStateDirectory(organization, name);
      const open = {
        ...{ run: 'a1', startedAt: '2026-11-20T10:00:00.000Z', phase: 'minted' as const, posts: 1, temporaries: [] },
        recovery: join(folder, 'undelivered-token-a1'),
        ...more,
      };
      await createJournal(folder, { unique: 'a1', user: process.getuid?.(), token }).write({
        open,
        last: { ...proven, sinks: ['file:/earlier'] },
      });
      return folder;
    };
    const folder = await leave('organization', { kind: 'organization' }, { phase: 'unknown' });
    await (await createRecoveryFile(folder, 'b2')).keep(SECRET);
    await leave('team-1', { kind: 'team', team: platform, description: 'ci' }, { proven });
    await leave('team-2', { kind: 'team', team: 'team-a' }, {});
    const { code, lines } = await examine(envOf(service), { home });
    const details = lines
      .filter(({ check }) => check === 'rotations')
      .map(({ detail }) => String(detail).replace(/started .* ago \(/, 'started ('));
    const at = `at ${origin}`;
    const started = 'started (2026-11-20 10:00 UTC)';
    const fixes = lines.filter(({ check }) => check === 'rotations').map(({ fix }) => fix);
    expect([fixes[0], fixes[2]]).toEqual([
      'If it no longer runs, run tokens rotate organization --org acme again with the same --to: that finishes it.',
      'If it no longer runs, this finishes it, in the folder where it ran: orgctl tokens rotate team:platform/ci --org acme --expires same --to file:ci',
    ]);
    expect([code, details]).toEqual([
      13,
      [
        `unfinished rotation of acme's organization token ${at}, ${started}: it is unknown whether it replaced the token`,
        `${join(folder, 'undelivered-token-b2')} keeps an undelivered secret of acme's organization token ${at}`,
        `unfinished rotation of acme's token ci of team platform ${at}, ${started}: it has not deleted the old token`,
        `unfinished rotation of acme's token of team team-a ${at}, ${started}: it has not delivered its token everywhere`,
      ],
    ]);
  });

  test('of another service are named, and need no attention here', async () => {
    const [home, service] = [createFolder(), await startService()];
    const folder = organizationStateDirectory(join(home, 'state'), 'https://tfe.example', 'acme');
    await (await createRecoveryFile(folder, 'a1')).keep(SECRET);
    const { code, of } = await examine(envOf(service), { home });
    expect([code, of('rotations')]).toMatchObject([
      0,
      {
        status: 'ok',
        detail: expect.stringMatching(/^of another service: .* of acme at https:\/\/tfe\.example$/),
        fix: null,
      },
    ]);
  });

  test('a journal that is damaged', async () => {
    const [home, service] = [createFolder(), await startService()];
    const folder = organizationStateDirectory(join(home, 'state'), new URL(service.url).origin, 'acme');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, 'rotation.json'), '{', { mode: 0o600 });
    const { code, of } = await examine(envOf(service), { home });
    expect(code).toBe(13);
    expect(of('rotations')).toMatchObject({ status: 'attention', detail: expect.stringContaining('is damaged') });
  });
});

test('settings that cannot be read are the error itself', async () => {
  const home = createFolder();
  mkdirSync(join(home, 'config'), { mode: 0o700 });
  writeFileSync(join(home, 'config', 'config.json'), '{', { mode: 0o600 });
  const { code, lines, stderr } = await examine({}, { home });
  expect({ code, lines }).toEqual({ code: 2, lines: [] });
  expect(stderr).toContain('is not valid JSON');
});
