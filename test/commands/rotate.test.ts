import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createJournal, type OpenRotation, toLockPlace } from '../../src/old/rotation/journal.ts';
import { parseFault } from '../../src/sandbox/faults.ts';
import type { CallerKind, SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { createFolder } from '../support/files.ts';
import { takeLock } from '../support/lock.ts';
import { NOW, type RunOptions, type RunResult, toText } from '../support/run.ts';
import { type ServiceOptions, startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

const DAY = 86_400_000;
const NOT_VERIFIED = toText(
  JSON.stringify({
    warning: {
      message:
        "Not verified: the service doesn't show which token is current; the audit trail has no events yet, or can't be read",
    },
  }),
);
const PATH = '/organizations/acme/authentication-token?token=audit-trails';

interface Rotated extends RunResult {
  /** The POSTs of this run that arrived. */
  readonly posts: number;
}

/** An organization with a home to rotate from, run after run. */
async function startRotations(service: Partial<SandboxOptions> & ServiceOptions = {}) {
  const started = await startService(service);
  const home = createFolder();
  let runs = 0;
  const directory = join(home, 'state', encodeURIComponent(new URL(started.url).origin), 'acme');
  const target = join(home, 'token');
  const countPosts = (): number => started.requests.filter(({ method }) => method === 'POST').length;
  return {
    ...started,
    home,
    directory,
    target,
    secret: () => started.secretOf(),
    delivered: () => (existsSync(target) ? readFileSync(target, 'utf8') : undefined),
    journal: () => createJournal(directory, { unique: 'ab', user: process.getuid?.() }),
    /** What is left besides the journal and the lock. */
    left: () =>
      [home, directory]
        .flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : []))
        .filter((name) => name.startsWith('undelivered-token-') || name.includes('.orgctl-')),
    async rotate(
      options = '',
      run: RunOptions & { readonly as?: CallerKind } = {},
      to: readonly string[] = [`file:${target}`],
      verifyCommand?: string,
    ): Promise<Rotated> {
      const before = countPosts();
      const argv = ['audit-token', 'rotate', ...to.flatMap((sink) => ['--to', sink])];
      if (verifyCommand !== undefined) argv.push('--verify-command', verifyCommand);
      const words = options.split(' ').filter((word) => word !== '');
      if (!words.includes('--expires')) words.unshift('--expires', '90d');
      runs += 1;
      const result = await started.run([...argv, ...words], { home, seed: `run ${runs}`, ...run });
      return { ...result, posts: countPosts() - before };
    },
    /** As another administrator would, from elsewhere. */
    replaceElsewhere: () =>
      started.ask('POST', PATH, 'owners-team', { data: { type: 'authentication-token', attributes: {} } }),
  };
}

const resultOf = ({ stdout }: RunResult): Record<string, unknown> => JSON.parse(stdout);

/** The service does not show its token, nor name its version. */
const hideToken = (when: (request: Request) => boolean = () => true): ServiceOptions => ({
  alter(answer, request) {
    const headers = new Headers(answer.headers);
    headers.delete('tfp-api-version');
    const isHidden =
      request.method === 'GET' && /authentication-token|audit-trail|account/.test(request.url) && when(request);
    return isHidden
      ? new Response(null, { status: 404 })
      : new Response(answer.body, { status: answer.status, headers });
  },
});

describe('a rotation', () => {
  test('replaces the token, delivers the secret and prints all of it', async () => {
    const { rotate, secret, delivered, left, journal } = await startRotations();
    const before = secret();
    const rotated = await rotate('-o json');
    expect(rotated).toMatchObject({ code: 0, posts: 1, stderr: '' });
    expect(secret()).not.toBe(before);
    expect(delivered()).toBe(secret());
    expect(left()).toEqual([]);
    const { last, open } = journal().read();
    expect(open).toBeUndefined();
    expect(resultOf(rotated)).toEqual({
      organization: { id: 'acme', type: 'organizations' },
      id: last?.id,
      'created-at': '2026-11-21T09:00:00.000Z',
      'expired-at': '2027-02-19T09:00:00.000Z',
      fingerprint: last?.fingerprint,
      changed: true,
      places: [{ place: expect.stringMatching(/^file:.*token$/), delivered: true }],
      sinks: [{ sink: expect.stringMatching(/^file:.*token$/), delivered: true }],
      verified: true,
      checks: [
        { check: 'metadata', passed: true, detail: 'the current token is the new one' },
        { check: 'audit-trail', passed: true, detail: 'the new token reads the audit trail' },
      ],
    });
  });

  test('asks nothing, and needs --to and --expires', () =>
    transcript()`
      $ audit-token rotate --expires 90d
      ! orgctl: missing --to (where the secret goes)
      !   → For example: --to file:./audit-token. More: orgctl help rotation
      = 2, nothing sent
      $ audit-token rotate --to stdout
      ! orgctl: missing --expires (how long the new token is valid)
      !   → For example: --expires 90d, --expires same or --expires never
      = 2, nothing sent
    `);

  test.each([
    ['owner', 0],
    ['owners-team', 0],
    ['org-token', 0],
    ['member', 5],
    ['team-manager', 5],
    ['registry-manager', 5],
    ['audit-token', 5],
    ['none', 4],
  ] as const)('as %s ends with %i', async (as, code) => {
    const { rotate, secret, delivered, left } = await startRotations();
    const before = secret();
    const rotated = await rotate('', { as });
    expect(rotated.code).toBe(code);
    expect(delivered()).toBe(code === 0 ? secret() : undefined);
    if (code !== 0) expect(secret()).toBe(before);
    expect(left()).toEqual([]);
  });
});

describe('the sink stdout', () => {
  test('has the secret alone; the result goes to stderr', async () => {
    const { rotate, secret } = await startRotations();
    const rotated = await rotate('', {}, ['stdout']);
    expect(rotated.code).toBe(0);
    expect(rotated.stdout).toBe(`${secret()}\n`);
    expect(rotated.stderr).toMatch(/^acme\tat-\w+\t2027-02-19T09:00:00.000Z\tsha256:[0-9a-f]{16}\ttrue\ttrue\n$/);
  });

  test('has one object with the token for -o json, with the fields that were asked for', async () => {
    const { rotate, secret } = await startRotations();
    const rotated = await rotate('-o json --fields verified,token', {}, ['stdout']);
    expect(rotated).toMatchObject({ code: 0, stderr: '' });
    expect(resultOf(rotated)).toEqual({ verified: true, token: secret() });
    const without = await rotate('-o json --fields id', {}, ['stdout']);
    expect(without).toMatchObject({ code: 2, posts: 0 });
  });

  test('keeps the secret when stdout is closed', async () => {
    const { rotate, secret, left, directory } = await startRotations();
    const rotated = await rotate('', { stdoutClosed: true }, ['stdout']);
    expect(rotated.code).toBe(12);
    expect(left()).toHaveLength(1);
    expect(readFileSync(join(directory, left()[0] ?? ''), 'utf8').split('\n')[0]).toBe(secret());
    expect(rotated.stderr).not.toContain(secret());
    const again = await rotate('', {}, ['stdout']);
    expect(again).toMatchObject({ code: 0, posts: 0, stdout: `${secret()}\n` });
    expect(left()).toEqual([]);
  });
});

describe('a request without a clear answer', () => {
  test.each([
    ['never reached the service', 'reset-before', 1],
    ['was acted on, and its secret is lost', 'reset-after-commit', 2],
    ['was acted on, and half of its answer came', 'truncate', 2],
    ['was answered by a proxy', 'html', 1],
    ['failed with 500', '500', 1],
    ['failed with 503', '503', 1],
  ])('%s: the token is made once more', async (_what, action, posts) => {
    const { rotate, secret, delivered, left } = await startRotations({
      faults: [parseFault(`POST authentication-token: nth=1 ${action}`)],
    });
    const waits: number[] = [];
    const rotated = await rotate('--settle 20s', { onSleep: (milliseconds) => waits.push(milliseconds) });
    expect(rotated).toMatchObject({ code: 0, posts });
    expect(delivered()).toBe(secret());
    expect(left()).toEqual([]);
    // Once before looking, and once before the second is trusted.
    expect(waits.filter((wait) => wait === 20_000)).toHaveLength(2);
  });

  test.each([
    ['reset-before', 0],
    ['reset-after-commit', 2],
    ['truncate', 2],
    ['502', 0],
  ])('twice (%s): unknown, and there is no third', async (action, posts) => {
    const { rotate, journal, delivered } = await startRotations({
      faults: [parseFault(`POST authentication-token: ${action}`)],
    });
    const rotated = await rotate();
    expect(rotated).toMatchObject({ code: 11, posts, stdout: '' });
    expect(rotated.stderr).toContain("orgctl: unknown whether acme's audit trail token was replaced\n");
    expect(rotated.stderr).toContain('\n  → Run the same command again: it finds out, and delivers a token.\n');
    expect(journal().read().open).toMatchObject({ phase: 'minting', posts: 2 });
    expect(delivered()).toBeUndefined();
  });

  test('429 and a clear refusal send it again, or not, without a doubt', async () => {
    const limited = await startRotations({ faults: [parseFault('POST authentication-token: nth=1 429')] });
    expect(await limited.rotate()).toMatchObject({ code: 0, posts: 1 });
    expect(limited.delivered()).toBe(limited.secret());
    const refused = await startRotations({ faults: [parseFault('POST authentication-token: 422')] });
    const before = refused.secret();
    expect(await refused.rotate()).toMatchObject({ code: 7, posts: 0 });
    expect(refused.secret()).toBe(before);
    expect(refused.journal().read().open).toBeUndefined();
    expect(refused.left()).toEqual([]);
  });
});

describe('other rotations', () => {
  test('on this machine: busy, and who holds the lock', async () => {
    const { rotate, directory } = await startRotations();
    const lock = await takeLock(toLockPlace(directory), {
      wait: 0,
      now: () => NOW,
      sleep: async () => undefined,
      signal: new AbortController().signal,
      unique: 'cd',
      describe: 'rotation of acme',
      pid: 4712,
    });
    const rotated = await rotate();
    expect(rotated).toMatchObject({ code: 14, posts: 0 });
    expect(rotated.stderr).toContain('process 4712');
    await lock.release();
    expect(await rotate()).toMatchObject({ code: 0, posts: 1 });
  });

  test('elsewhere, between plan and request: busy', async () => {
    let reads = 0;
    const service = await startRotations({
      async alter(answer, request) {
        if (request.method === 'GET' && request.url.includes('authentication-token')) {
          reads += 1;
          if (reads === 1) await service.replaceElsewhere();
        }
        return answer;
      },
    });
    const rotated = await service.rotate();
    expect(rotated).toMatchObject({ code: 14, posts: 0 });
    expect(rotated.stderr).toBe(
      toText(
        "orgctl: acme's audit trail token was just replaced elsewhere",
        '  → Nothing was changed. Find out what else rotates it, then run this again.',
      ),
    );
    expect(service.left()).toEqual([]);
  });
});

test('a first token whose answer is lost is created again: the service shows that it is ours', async () => {
  const service = await startRotations({
    faults: [parseFault('POST authentication-token: nth=1 reset-after-commit')],
  });
  const env = { ORGCTL_ORG: 'initech' };
  expect(await service.rotate('', { env })).toMatchObject({ code: 0, posts: 2 });
  expect(service.delivered()).toBe(service.secretOf('initech'));
});

test('where another rotation would tell no more, it is said that a schedule does', () =>
  transcript({ service: { documentOnly: true } })`
    $ audit-token rotate --to file:token --expires 90d --if-older-than 60d > result 2>/dev/null
    > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
    $ audit-token rotate --to file:token --expires 90d --if-older-than 60d
    ! orgctl: unknown whether acme's audit trail token is due for rotation
    !   Unknown: whether the delivered token is the current one.
    !   → This service doesn't show it. Rotate on a schedule, without --if-expires-within and --if-older-than.
    = 13
  `);

test('one file by two names is refused, and two names that differ in case are two', async () => {
  const { rotate, home, target } = await startRotations();
  symlinkSync(target, join(home, 'link'));
  const places = [`file:${target}`, `env-file:${join(home, 'link')}#KEY`];
  const refused = await rotate('', {}, places);
  expect(refused).toMatchObject({ code: 2, posts: 0 });
  expect(refused.stderr).toContain(`'${places[0]}' and '${places[1]}' are the same place`);
  expect((await rotate('', {}, [`file:${target}`, `file:${join(home, 'TOKEN')}`])).code).toBe(0);
});

/** The service does not show its token, and lets the audit trail be read, or shows nothing in it. */
const hide = (answer: Response, request: Request): Response =>
  request.method === 'GET' && request.url.includes('authentication-token')
    ? Response.json({ errors: [] }, { status: 404, headers: { 'tfp-api-version': '2.6' } })
    : answer;
const hideEvents = (answer: Response, request: Request): Response =>
  request.url.includes('audit-trail?')
    ? Response.json({ data: [], pagination: { current_page: 1, total_pages: 1, total_count: 0 } })
    : hide(answer, request);

describe('another machine with the same place', () => {
  /** Lets another machine rotate once, at the first request that is meant, before it is answered. */
  async function startRace(
    isMeant: (request: Request, answer: Response) => boolean,
    alter: (answer: Response, request: Request) => Response = hide,
  ) {
    const other = createFolder();
    let theirs: Promise<Rotated> | undefined;
    const service = await startRotations({
      async alter(answer, request) {
        if (theirs === undefined && isMeant(request, answer)) {
          theirs = service.rotate('-o json', { home: other });
          await theirs;
        }
        return alter(answer, request);
      },
    });
    const ours = await service.rotate('-o json');
    return { service, ours, theirs: await theirs };
  }
  const isPost = ({ method }: Request): boolean => method === 'POST';

  test.each<[how: string, alter: typeof hide, result: object, error: object]>([
    [
      'the service shows it: ours is not delivered',
      (answer) => answer,
      {
        verified: false,
        checks: [{ check: 'metadata', passed: false, detail: expect.stringMatching(/^the current token is at-/) }],
      },
      {
        code: 'replaced',
        message: "acme's new token was replaced before it was delivered, so nothing was delivered",
        hint: 'Find out what else rotates this token. Then run the same command again: it creates a token.',
      },
    ],
    [
      'the service does not show it: ours is refused, and not delivered',
      hide,
      { verified: false },
      {
        code: 'replaced',
        message: "acme's new token was replaced before it was delivered, so nothing was delivered",
        reasons: ['The service rejects the new token.', expect.stringMatching(/^The new token is kept in /)],
      },
    ],
    [
      'nothing shows which token works: what it put there stays, and ours is kept',
      hideEvents,
      { verified: null },
      {
        message: expect.stringMatching(
          /^acme's new token was not delivered: another was put in file:\S+\/token meanwhile$/,
        ),
      },
    ],
  ])('that creates a token after ours keeps the place, and %s', async (_how, alter, result, error) => {
    const { service, ours, theirs } = await startRace(isPost, alter);
    expect([theirs?.code, ours.code]).toEqual([0, 12]);
    expect(resultOf(ours)).toMatchObject({ changed: true, sinks: [{ delivered: false }], ...result });
    expect(JSON.parse(ours.stderr.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ error });
    expect(service.delivered()).toBe(service.secret());
    expect(service.left()).toHaveLength(1);
    expect(await service.rotate()).toMatchObject({ code: 0, posts: 1 });
    expect(service.delivered()).toBe(service.secret());
  });

  test('that was slower puts a token there that no longer works: ours works, and is delivered', async () => {
    const service = await startRotations({
      alter(answer, request) {
        if (isPost(request)) writeFileSync(service.target, 'sandbox.of-another-machine');
        return hide(answer, request);
      },
    });
    expect(await service.rotate()).toMatchObject({ code: 0, posts: 1 });
    expect(service.delivered()).toBe(service.secret());
  });

  test('that delivers after us: it is said, and ours is kept', async () => {
    const { service, ours } = await startRace(({ url }, { status }) => url.includes('audit-trail?') && status === 200);
    expect(ours.code).toBe(12);
    expect(resultOf(ours)).toMatchObject({ sinks: [{ delivered: false }], verified: true });
    expect(ours.stderr).toContain(
      `the new token was not delivered to file:${service.target}: another token was put there meanwhile`,
    );
    expect(service.delivered()).toBe(service.secret());
    expect(service.left()).toHaveLength(1);
  });

  test('cannot be noticed at a place that cannot be read, which is said', async () => {
    const { rotate, delivered, secret } = await startRotations({ alter: hide });
    const say = 'let one machine alone rotate this token';
    expect((await rotate('')).stderr).not.toContain(say);
    expect(delivered()).toBe(secret());
    const { code, stderr } = await rotate('', {}, ['exec:/bin/sh -c "cat >/dev/null"']);
    expect([code, stderr.includes(say)]).toEqual([0, true]);
  });
});

test('a service that names its version and does not show its token rotates well, and a daily job goes by the local record', async () => {
  let now = NOW;
  const service = await startRotations({ now: () => now, alter: hide });
  const rotated = await service.rotate('-o json');
  expect(rotated).toMatchObject({ code: 0, posts: 1, stderr: '' });
  expect(resultOf(rotated)).toMatchObject({
    verified: true,
    checks: [
      { check: 'metadata', passed: null },
      { check: 'audit-trail', passed: true },
    ],
  });
  const days: number[] = [];
  for (let day = 1; day < 90; day += 1) {
    now = NOW + day * DAY;
    const { code, posts } = await service.rotate('--if-expires-within 30d', { now });
    expect(code).toBe(0);
    if (posts > 0) days.push(day);
    expect(service.delivered()).toBe(service.secret());
  }
  expect(days).toEqual([60]);
});

describe('at a terminal', () => {
  const TTY = { tty: { stdout: true, stderr: true }, columns: 200, env: { NO_COLOR: '1' } };

  test('there is a sentence for each thing that a rotation did', async () => {
    const { rotate, target, home, directory } = await startRotations();
    const plain = ({ stdout, stderr }: RunResult) =>
      [stdout, stderr].map((text) =>
        text
          // The line that stands there while a command runs.
          .replaceAll(/\u001b\[\?2026[hl]/g, '')
          .replaceAll(target, 'AT')
          .replaceAll(directory, 'STATE')
          .replaceAll(home, 'HOME')
          .replace(/token-\w{16}/, 'token-X'),
      );
    const expires = 'expires in 90 days (2027-02-19 09:00 UTC)';
    const verified = '✓ Verified: it is the current token, and it reads the audit trail';
    expect(plain(await rotate('--if-expires-within 30d', TTY))).toEqual([
      toText(`✓ Created acme's new audit trail token; it ${expires}`, '✓ Delivered to file:AT', verified),
      'Due: file:AT has no token that can be read.\n',
    ]);
    expect(plain(await rotate('--if-expires-within 30d', TTY))).toEqual([
      "= Left acme's audit trail token alone: it expires in 90 days; rotation is due from 2027-01-20.\n",
      '',
    ]);
    expect(plain(await rotate('', TTY, [`file:${target}`, 'exec:/bin/false']))).toEqual([
      toText(
        `✓ Created acme's new audit trail token; it ${expires}`,
        '✓ Delivered to file:AT',
        '✗ Not delivered to exec:/bin/false: exit code 1',
        verified,
      ),
      toText(
        'orgctl: the new token was not delivered to exec:/bin/false: exit code 1',
        '  The new token is the current one, and kept in STATE/undelivered-token-X, only for this rotation',
        '  → Fix the problem and run the same command again: it delivers this token, and creates no other.',
      ),
    ]);
    expect(plain(await rotate('', TTY))).toEqual([
      toText(
        `= acme's audit trail token is the one of the unfinished rotation; it ${expires}`,
        '✓ Delivered to file:AT',
        verified,
      ),
      'Delivering the token of an unfinished rotation.\n',
    ]);
  });

  test('and one for what is not verified', async () => {
    const { rotate } = await startRotations(hideToken());
    const { stdout, stderr } = await rotate('', TTY);
    expect(stdout.split('\n').at(-2)).toBe(
      "! Not verified: the service doesn't show which token is current; the audit trail has no events yet, or can't be read",
    );
    expect(stderr).toBe('');
  });
});

test('a dry run leaves no trace, and says why it is due or not, what it would replace, and what it checked', async () => {
  const service = await startService();
  const home = createFolder();
  const secret = service.secretOf();
  await transcript({ service, home })`
    $ audit-token rotate --to file:token --expires 90d --dry-run -o table
    ! Would replace acme's audit trail token (created 20 days ago, never used); the new one would expire in 90 days (2027-02-19 09:00 UTC)
    ! Checked: file:token can be written, no other rotation runs
    ! Nothing was sent.
    $ audit-token rotate --to file:token --to 'exec:/bin/cat x' --expires 90d --dry-run --if-older-than 10d -o table
    ! Due: the current token was created 20 days ago (2026-11-01 09:00 UTC).
    ! Would replace acme's audit trail token (created 20 days ago, never used); the new one would expire in 90 days (2027-02-19 09:00 UTC)
    ! Checked: file:token can be written, exec:/bin/cat is a command, no other rotation runs
    ! Nothing was sent.
  `;
  expect([service.secretOf(), readdirSync(home)]).toEqual([secret, []]);
  await transcript({ service, home })`
    $ audit-token rotate --to file:token --expires 90d > result
    > POST /organizations/acme/authentication-token?token=audit-trails {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}
    $ audit-token rotate --to file:token --to 'exec:/bin/cat x' --expires 90d --dry-run --if-older-than 10d -o table
    = Left acme's audit trail token alone: it expires in 90 days; rotation is due from 2026-12-01.
    ! Checked: file:token can be written, exec:/bin/cat is a command, no other rotation runs
  `;
});

describe('a run that was killed when all was delivered, before the journal said so', () => {
  /** `change`: what differs from such an end. */
  async function startKilled(change: Partial<OpenRotation> = {}) {
    const started = await startRotations();
    await started.rotate();
    const { last, ...rest } = started.journal().read();
    const { deliveredAt = '', verified: _verified, sinks: _sinks, fingerprint = '', ...facts } = last ?? { id: '' };
    const open: OpenRotation = {
      run: 'cd',
      startedAt: deliveredAt,
      phase: 'minted',
      posts: 1,
      recovery: join(started.directory, 'undelivered-token-cd'),
      temporaries: [],
      minted: { ...facts, fingerprint },
      ...change,
    };
    await started.journal().write({ ...rest, open });
    return started;
  }

  test('creates no other token, and the journal is closed', async () => {
    const { rotate, journal, delivered, secret } = await startKilled();
    const rotated = await rotate('--if-expires-within 30d -o json');
    expect({ code: rotated.code, posts: rotated.posts, changed: resultOf(rotated)['changed'] }).toEqual({
      code: 0,
      posts: 0,
      changed: false,
    });
    expect(delivered()).toBe(secret());
    expect(journal().read()).toMatchObject({ last: { sinks: [expect.stringMatching(/^file:/)], verified: null } });
    expect(journal().read().open).toBeUndefined();
  });

  test.each<[string, { change?: Partial<OpenRotation>; content?: string; more?: string }]>([
    ['the secret may be of another request', { change: { posts: 2 } }],
    ['a place did not get it', { change: { undelivered: ['file:/elsewhere'] } }],
    [
      'it is another token',
      { change: { minted: { id: 'at-0000000000000000', fingerprint: 'sha256:0000000000000000' } } },
    ],
    ['a place holds something else', { content: 'another-secret' }],
    ['the content of a place cannot be read', { more: 'exec:/bin/cat' }],
  ])('unless %s', async (_why, { change, content, more }) => {
    const { rotate, target, delivered, secret } = await startKilled(change);
    if (content !== undefined) writeFileSync(target, content);
    const places = [`file:${target}`, ...(more === undefined ? [] : [more])];
    expect((await rotate('--if-expires-within 30d', {}, places)).posts).toBe(1);
    expect(delivered()).toBe(secret());
  });
});

describe('verification', () => {
  test('that fails keeps the secret: exit 12', async () => {
    const { rotate, secret, left } = await startRotations({
      alter: (answer, request) =>
        request.url.includes('audit-trail?') ? new Response('{"errors":[]}', { status: 401 }) : answer,
    });
    const rotated = await rotate('-o json');
    expect(rotated).toMatchObject({ code: 12, posts: 1 });
    expect(resultOf(rotated)).toMatchObject({ verified: false, sinks: [{ delivered: true }] });
    expect(left()).toHaveLength(1);
    expect(rotated.stderr).not.toContain(secret());
  });

  test.each<[why: string, service: ServiceOptions]>([
    ['the token is not shown', hideToken()],
    ['nor is anything in the audit trail', { alter: hideEvents }],
  ])('that is unclear is a warning, or exit 12 where it is required: %s', async (_why, service) => {
    const { rotate, delivered, secret, left } = await startRotations(service);
    const rotated = await rotate('-o json');
    expect(rotated).toMatchObject({ code: 0, stderr: NOT_VERIFIED });
    expect(resultOf(rotated)).toMatchObject({ verified: null, changed: true });
    expect(delivered()).toBe(secret());
    expect(await rotate('--require-verified')).toMatchObject({ code: 12 });
    expect(left()).toHaveLength(1);
  });

  test('by a command, which has the secret on its stdin', async () => {
    const { rotate, home, secret, left } = await startRotations(hideToken());
    const seen = join(home, 'seen');
    const to = [`file:${join(home, 'token')}`];
    const script = join(home, 'check.sh');
    writeFileSync(script, `#!/bin/sh\ncat > ${seen}\nexit "$1"\n`, { mode: 0o755 });
    const passed = await rotate('-o json --require-verified', {}, to, `${script} 0`);
    expect(passed.code).toBe(0);
    expect(readFileSync(seen, 'utf8')).toBe(secret());
    expect(resultOf(passed)).toMatchObject({ verified: true });
    const failed = await rotate('-o json', {}, to, `${script} 3`);
    expect(failed.code).toBe(12);
    expect(resultOf(failed)).toMatchObject({ verified: false });
    expect(JSON.parse(failed.stderr)).toMatchObject({
      error: {
        code: 'not-verified',
        message: 'the new token was delivered, but --verify-command failed',
        reasons: [`${script}: exit code 3.`, expect.stringMatching(/^The new token is kept in /)],
      },
    });
    expect(left()).toHaveLength(1);
    const { stderr } = await rotate('', { env: { PATH: '/usr/bin:/bin' } }, to, 'false');
    expect(stderr).toContain('\n  false: exit code 1.\n');
  });
});

describe('signals', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s between request and delivery waits: delivered, printed, exit %i', async (name, code) => {
    let send: ((name: 'SIGINT' | 'SIGTERM' | 'SIGHUP') => void) | undefined;
    const service = await startRotations({
      alter(answer, request) {
        if (request.method === 'POST') send?.(name);
        return answer;
      },
    });
    const rotated = await service.rotate('-o json', { onStart: (signal) => (send = signal) });
    expect(rotated).toMatchObject({ code, posts: 1 });
    expect(resultOf(rotated)).toMatchObject({ changed: true, sinks: [{ delivered: true }] });
    expect(service.delivered()).toBe(service.secret());
    expect(service.left()).toEqual([]);
    expect(service.journal().read().open).toBeUndefined();
  });

  test('before the request end the run at once, without a trace', async () => {
    let send: ((name: 'SIGINT') => void) | undefined;
    const service = await startRotations({
      alter(answer, request) {
        if (request.url.includes('authentication-token')) send?.('SIGINT');
        return answer;
      },
    });
    const before = service.secret();
    const rotated = await service.rotate('', { onStart: (signal) => (send = signal) });
    expect(rotated).toMatchObject({ code: 130, posts: 0 });
    expect(service.secret()).toBe(before);
    expect(service.left()).toEqual([]);
  });
});

type Rotations = Awaited<ReturnType<typeof startRotations>>;

/** What an earlier run left, by the run itself or as it stood when it was killed. */
const STATES: readonly {
  readonly state: string;
  readonly service?: Partial<SandboxOptions> & ServiceOptions;
  readonly make: (rotations: Rotations) => Promise<void>;
  /** Of the next run, without options. */
  readonly posts: number;
  readonly says?: string;
  /** Files that stay, for a person to look at. */
  readonly left?: number;
}[] = [
  {
    state: 'killed in preflight',
    async make(rotations) {
      await leaveOpen(rotations, { phase: 'preflight', posts: 0 });
      writeFileSync(join(rotations.home, '.token.orgctl-ab'), '\0'.repeat(64));
      writeFileSync(join(rotations.directory, 'undelivered-token-ab'), '\0'.repeat(64), { mode: 0o600 });
    },
    posts: 1,
  },
  {
    state: 'killed after the request, which was acted on',
    async make(rotations) {
      const before = await presentFacts(rotations);
      await rotations.ask('POST', PATH, 'owner', { data: { type: 'authentication-token', attributes: {} } });
      await leaveOpen(rotations, { phase: 'minting', posts: 1, before });
    },
    posts: 1,
  },
  {
    state: 'killed with the secret in the recovery file',
    make: async (rotations) => void (await failDelivery(rotations)),
    posts: 0,
    says: 'Delivering the token of an unfinished rotation.',
  },
  {
    state: 'not delivered, and replaced by somebody else since',
    async make(rotations) {
      await failDelivery(rotations);
      await rotations.replaceElsewhere();
    },
    posts: 1,
    says: ', was replaced since.',
  },
  {
    state: 'not delivered, and the recovery file cut',
    async make(rotations) {
      await failDelivery(rotations);
      const path = join(rotations.directory, rotations.left()[0] ?? '');
      writeFileSync(path, readFileSync(path, 'utf8').slice(0, -10));
    },
    posts: 1,
    says: ' is not complete; it was not changed',
    left: 1,
  },
  {
    state: 'not delivered, and the service does not show its token',
    service: hideToken((request) => !request.url.includes('audit-trail?')),
    make: async (rotations) => void (await failDelivery(rotations)),
    posts: 0,
  },
];

async function leaveOpen(
  { directory, home, journal }: Rotations,
  open: Partial<OpenRotation> & Pick<OpenRotation, 'phase' | 'posts'>,
): Promise<void> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  await journal().write({
    open: {
      run: 'ab',
      startedAt: new Date(NOW - DAY).toISOString(),
      mintingSince: new Date(NOW - DAY).toISOString(),
      recovery: join(directory, 'undelivered-token-ab'),
      temporaries: [join(home, '.token.orgctl-ab')],
      ...open,
    },
  });
}

async function presentFacts({ ask }: Rotations): Promise<{ readonly id: string }> {
  const { body } = await ask('GET', PATH);
  return { id: (body as { data: { id: string } }).data.id };
}

/** A rotation whose only place fails after the token was made. */
async function failDelivery({ rotate, secret, delivered }: Rotations): Promise<void> {
  const before = secret();
  const rotated = await rotate('', {}, ['exec:/bin/false']);
  expect(rotated).toMatchObject({ code: 12, posts: 1 });
  expect(secret()).not.toBe(before);
  expect(delivered()).toBeUndefined();
}

describe('the next run, without options, after', () => {
  test.each(STATES)(
    '$state: $posts requests, and the current token is delivered',
    async ({ service, make, posts, says, left = 0 }) => {
      const rotations = await startRotations(service);
      await make(rotations);
      const rotated = await rotations.rotate();
      expect(rotated).toMatchObject({ code: 0, posts });
      expect(rotations.delivered()).toBe(rotations.secret());
      if (says !== undefined) expect(rotated.stderr).toContain(says);
      expect(rotations.journal().read().open).toBeUndefined();
      expect(rotations.left()).toHaveLength(left);
    },
  );
});

describe('at a terminal, after a killed run that', () => {
  test.each([
    ['has sent nothing, the current token is asked about', 'preflight', 0, { code: 3, posts: 0 }],
    ['has sent its request, nothing is asked', 'minting', 1, { code: 0, posts: 1 }],
  ] as const)('%s', async (_case, phase, posts, expected) => {
    const rotations = await startRotations();
    await leaveOpen(rotations, { phase, posts });
    const rotated = await rotations.rotate('', { tty: { stdin: true, stderr: true }, stdin: 'n\n' });
    expect(rotated).toMatchObject(expected);
    expect(rotated.stderr.includes("Replace acme's audit trail token? [y/N]")).toBe(phase === 'preflight');
  });
});

describe('a daily job with --if-expires-within 30d', () => {
  test('over a year rotates in time, and says unchanged only of the current token', async () => {
    let now = NOW;
    const rotations = await startRotations({ now: () => now });
    const days: string[] = [];
    for (let day = 0; day < 365; day += 1) {
      now = NOW + day * DAY;
      // Once somebody else replaces it, and once somebody empties the place it is in.
      if (day === 100) await rotations.replaceElsewhere();
      if (day === 200) writeFileSync(rotations.target, '');
      const rotated = await rotations.rotate('--expires 90d --if-expires-within 30d -o json', { now });
      // On the first day nothing tells who holds the token that is there.
      if (day === 0) {
        expect(rotated).toMatchObject({ code: 0, posts: 1 });
      }
      expect(rotated.code).toBe(0);
      expect(rotations.delivered()).toBe(rotations.secret());
      const { changed } = resultOf(rotated);
      expect(rotated.posts).toBe(changed === true ? 1 : 0);
      if (changed === true) days.push(`day ${day}`);
    }
    expect(days).toEqual(['day 0', 'day 60', 'day 100', 'day 160', 'day 200', 'day 260', 'day 320']);
  });

  test('is unclear about a token that it never delivered to a place it can read: exit 13', () =>
    transcript()`
      $ audit-token rotate --to exec:/bin/cat --expires 90d --if-expires-within 1d
      ! orgctl: unknown whether acme's audit trail token is due for rotation
      !   Unknown: whether the delivered token is the current one.
      !   → Run it once without --if-expires-within and --if-older-than: later runs then know which token was delivered.
      = 13
    `);

  test('changes nothing where a place holds the current token, whatever put it there', async () => {
    const { rotate, secret, target } = await startRotations();
    writeFileSync(target, secret() ?? '');
    const rotated = await rotate('--if-expires-within 1d -o json');
    expect(rotated).toMatchObject({ code: 0, posts: 0 });
    expect(resultOf(rotated)).toMatchObject({ changed: false });
  });

  test('--if-older-than 60d rotates by age', async () => {
    let now = NOW;
    const { rotate } = await startRotations({ now: () => now });
    expect(await rotate('--if-older-than 60d', { now })).toMatchObject({ posts: 1 });
    now += 59 * DAY;
    expect(await rotate('--if-older-than 60d', { now })).toMatchObject({ posts: 0, code: 0 });
    now += DAY;
    expect(await rotate('--if-older-than 60d', { now })).toMatchObject({ posts: 1, code: 0 });
  });
});

describe('--expires same', () => {
  test('gives each new token the lifetime of the one before', async () => {
    let now = NOW + 609;
    const { rotate } = await startRotations({ now: () => now });
    await rotate('--expires 90d', { now });
    for (let round = 1; round <= 3; round += 1) {
      now += DAY;
      const rotated = await rotate('--expires same -o json', { now });
      const { 'created-at': made, 'expired-at': end } = resultOf(rotated);
      const lifetime = Date.parse(String(end)) - Date.parse(String(made));
      expect(Math.abs(lifetime - 90 * DAY)).toBeLessThan(1_000);
    }
  });

  test('is refused where the lifetime is unknown', async () => {
    const { rotate } = await startRotations(hideToken());
    const rotated = await rotate('--expires same');
    expect(rotated).toMatchObject({ code: 2, posts: 0 });
    expect(rotated.stderr).toContain('--expires same');
  });
});

test('show has what was delivered last where the service does not show it', async () => {
  const { rotate, run, home } = await startRotations(hideToken());
  expect(await run(['audit-token', 'show'], { home })).toMatchObject({ code: 5 });
  await rotate();
  const shown = await run(['audit-token', 'show', '-o', 'json'], { home });
  expect(shown.code).toBe(0);
  expect(JSON.parse(shown.stdout)).toMatchObject({ source: 'local-record', 'expired-at': '2027-02-19T09:00:00.000Z' });
});

test('in CI one line says that the recovery file is lost with the job, unless it has a folder', async () => {
  const { rotate, home } = await startRotations();
  const env = { CI: 'true', ORGCTL_STATE_DIR: '', XDG_STATE_HOME: join(home, 'xdg') };
  expect((await rotate('', { env })).stderr).toContain('In a CI job the recovery file is lost with the job.');
  expect((await rotate('', { env: { CI: 'true' } })).stderr).not.toContain('lost with the job');
});
