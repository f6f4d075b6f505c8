import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toLockPlace } from '../../src/old/rotation/journal.ts';
import { parseFault } from '../../src/sandbox/faults.ts';
import { toRequestLines } from '../support/demo.ts';
import { createFolder } from '../support/files.ts';
import { takeLock } from '../support/lock.ts';
import { createNames } from '../support/names.ts';
import { failed, NOW, type RunOptions, run as runAlone, toText } from '../support/run.ts';
import { type ServiceOptions, startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

const TOKEN = '/organizations/acme/authentication-token?token=audit-trails';
const POLICY = 'GET /organizations/acme/token-ttl-policies';
const POST = `POST ${TOKEN} {"data":{"type":"authentication-token","attributes":{}}}`;
const SHOWN_ONCE = 'warning: This is the only time the secret is shown.';
const MADE = "Created acme's new audit trail token; it never expires.";
const NEXT = 'To have the next one delivered and checked:';
const ROTATE = 'orgctl --org acme audit-token rotate --to file:./audit-token --expires 90d';
const HINT = [NEXT, `  $ ${ROTATE}`];
const CREATED = toText(MADE, SHOWN_ONCE, ...HINT);
const CREATED_JSON = toText(
  JSON.stringify({ note: { message: MADE } }),
  JSON.stringify({ warning: { message: 'This is the only time the secret is shown.' } }),
  JSON.stringify({ note: { message: NEXT, next: [ROTATE] } }),
);

/** Runs it against the demo, with a home of its own whose recovery files can be looked at. */
async function run(argv: string, service: ServiceOptions = {}, options: RunOptions = {}) {
  const started = await startService(service);
  const home = options.home ?? createTemporaryHome();
  const { plain } = await createNames(started.sandbox, [
    [home, 'HOME'],
    [encodeURIComponent(new URL(started.url).origin), 'ORIGIN'],
  ]);
  const before = started.secretOf();
  const result = await started.run(argv.split(' '), { ...options, home });
  const requests = toRequestLines(started.requests, { plain });
  return {
    result: { ...result, stdout: plain(result.stdout), stderr: plain(result.stderr) },
    requests,
    writes: requests.filter((request) => !request.startsWith('GET ')),
    replaced: started.secretOf() !== before,
    secret: started.secretOf(),
    left: findFiles(join(home, 'state')).filter((path) => /undelivered-token-|\.orgctl-/.test(path)),
  };
}

function createTemporaryHome(): string {
  const home = createFolder();
  return home;
}

function findFiles(folder: string): readonly string[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Where `when` says so, answers have this header; of those that say what the service is, only `kept` are left. */
function withHeader(
  header: string,
  value: string,
  when: (request: Request) => boolean = () => true,
  kept: readonly string[] = [],
): ServiceOptions {
  return {
    alter(answer, request) {
      const headers = new Headers(answer.headers);
      for (const name of ['tfp-appname', 'tfp-api-version', 'x-tfe-version']) {
        if (!kept.includes(name)) headers.delete(name);
      }
      if (when(request)) headers.set(header, value);
      return new Response(answer.body, { status: answer.status, headers });
    },
  };
}

const isTokenRead = (request: Request): boolean =>
  request.method === 'GET' && new URL(request.url).pathname.endsWith('/authentication-token');

/** The service names its version, and has no route that shows its token. */
const hide = (answer: Response, request: Request): Response =>
  isTokenRead(request) ? Response.json({ errors: [] }, { status: 404, headers: { 'tfp-api-version': '2.6' } }) : answer;

/** What comes back to the POST, after the service has acted on it. */
function answering(toAnswer: (answer: Response) => Response | Promise<Response>): ServiceOptions {
  return { alter: (answer, request) => (request.method === 'POST' ? toAnswer(answer) : answer) };
}

describe('a service that says it is Terraform Enterprise', () => {
  describe.each([
    { header: 'TFP-AppName', value: 'Terraform Enterprise' },
    { header: 'X-TFE-Version', value: '202609-1' },
  ])('by $header', ({ header, value }) => {
    const everywhere = withHeader(header, value);
    const refusal = toText(
      'orgctl: this service is Terraform Enterprise, where audit trail tokens do not exist',
      `  The service says so: ${header}: ${value}.`,
      "  The request would act on acme's main organization token instead.",
      '  → If that is what you want, add --allow-enterprise.',
    );
    const inMetadata = withHeader(header, value, isTokenRead);
    const againstPing = withHeader(header, value, isTokenRead, ['tfp-api-version']);
    const BOTH_READS = ['GET /ping', `GET ${TOKEN}`];

    test.each<[argv: string, where: string, service: ServiceOptions, requests: readonly string[]]>([
      ['generate --yes', 'every answer', everywhere, ['GET /ping']],
      ['delete --yes', 'every answer', everywhere, ['GET /ping']],
      ['generate --yes', 'the metadata of the token', inMetadata, BOTH_READS],
      ['delete --yes', 'the metadata of the token', inMetadata, BOTH_READS],
      ['delete --yes', 'the metadata, although ping has another', againstPing, BOTH_READS],
    ])('%s is refused where it is in %s: exit 2, nothing written', async (argv, _where, service, requests) => {
      const { result, requests: sent, replaced, left } = await run(`audit-token ${argv}`, service);
      expect(result).toEqual({ code: 2, stdout: '', stderr: refusal });
      expect(sent).toEqual(requests);
      expect({ replaced, left }).toEqual({ replaced: false, left: [] });
    });

    test.each([
      ['generate', POST],
      ['delete', `DELETE ${TOKEN}`],
    ])('%s --allow-enterprise goes on', async (verb, write) => {
      const { result, writes, replaced } = await run(`audit-token ${verb} --yes --allow-enterprise -q`, everywhere);
      expect({ code: result.code, writes, replaced }).toEqual({ code: 0, writes: [write], replaced: true });
    });
  });

  test('--allow-enterprise goes on where only the metadata say so', () =>
    transcript({ service: withHeader('X-TFE-Version', '202609-1', isTokenRead) })`
      $ audit-token delete --yes --allow-enterprise
      at-1\tacme\ttrue
      > DELETE ${TOKEN}
    `);

  test('a service that says nothing of itself is let pass, having been asked for both tokens, and once more for the new one', async () => {
    const { result, requests } = await run(
      'audit-token generate --yes',
      withHeader('X-TFE-Version', '', () => false),
    );
    expect(result).toEqual({ code: 0, stdout: 'SECRET-1\n', stderr: CREATED });
    const own = `GET ${TOKEN.replace(/\?.*$/, '')}`;
    expect(requests).toEqual(['GET /ping', `GET ${TOKEN}`, own, POLICY, POST, own]);
  });

  test('metadata that cannot be read do not stand in the way', async () => {
    const { result, requests } = await run('audit-token generate --yes', {
      alter: (answer, request) =>
        isTokenRead(request) || request.url.endsWith('/ping')
          ? Response.json({ errors: [{ status: '403', title: 'forbidden' }] }, { status: 403 })
          : answer,
    });
    expect(result).toEqual({ code: 0, stdout: 'SECRET-1\n', stderr: CREATED });
    expect(requests).toEqual(['GET /ping', `GET ${TOKEN}`, POLICY, POST]);
  });

  test('another application name is let pass', () =>
    transcript({ service: withHeader('TFP-AppName', 'Something') })`
      $ audit-token generate --yes
      SECRET-1
      ! ${MADE}
      ! ${SHOWN_ONCE}
      ! ${NEXT}
      !   $ ${ROTATE}
      > ${POST}
    `);

  test('show shows what is there, and says what it is: only writes are refused', () =>
    transcript({ service: withHeader('TFP-AppName', 'Terraform Enterprise') })`
      $ audit-token show
      at-1\tacme\t2026-11-01T09:00:00.000Z\t\t
      ! warning: this is Terraform Enterprise (TFP-AppName: Terraform Enterprise): it shows the main organization token
    `);
});

describe('generate: what is printed', () => {
  test('the secret alone on stdout', async () => {
    const { result, secret, left } = await run('audit-token generate --yes');
    expect(result).toEqual({ code: 0, stdout: 'SECRET-1\n', stderr: CREATED });
    expect(secret).toMatch(/^sandbox\.[A-Za-z0-9]{56}$/);
    expect(left).toEqual([]);
  });

  test('--fields choose what json has, and have to choose the token', async () => {
    await transcript()`
      $ audit-token generate --yes -o json --fields id
      ! {"error":{"code":"usage","exit":2,"message":"--fields leaves out token: the new secret would be lost","hint":"Add token to --fields."}}
      = 2, nothing sent
    `;
    const { result, writes } = await run('audit-token generate --yes -o json --fields id,token');
    expect({ code: result.code, printed: JSON.parse(result.stdout) }).toEqual({
      code: 0,
      printed: { id: 'at-1', token: 'SECRET-1' },
    });
    expect(writes).toEqual([POST]);
  });

  test('-q: the secret alone and the warning all the same', async () => {
    const { result } = await run('audit-token generate --yes -q');
    expect(result).toEqual({ code: 0, stdout: 'SECRET-1\n', stderr: toText(SHOWN_ONCE) });
  });

  test.each([
    ['--fields id', '--fields works here only with json'],
    ['-o csv', "-o csv doesn't go with generate"],
    ['--fields id -o tsv', "-o tsv doesn't go with generate"],
    ['-o ndjson --dry-run', "-o ndjson doesn't go with generate"],
    ['-o table', "-o table doesn't go with generate"],
    ['-o ndjson --query token', "-o ndjson doesn't go with generate"],
  ])('%s is refused: stdout is the secret', async (options, why) => {
    const { result, writes } = await run(`audit-token generate --yes ${options}`);
    expect({ code: result.code, stdout: result.stdout, writes }).toEqual({ code: 2, stdout: '', writes: [] });
    expect(result.stderr).toContain(`${why}: stdout is the secret`);
  });

  test('-o json says of which organization it is', async () => {
    const { result } = await run('audit-token generate --yes -o json --fields organization,token');
    const organization = { id: 'acme', type: 'organizations' };
    expect(JSON.parse(result.stdout)).toEqual({ organization, token: 'SECRET-1' });
    expect(result.stderr).toBe(CREATED_JSON);
  });

  test('-o json --fields id in a dry run: no secret, nothing to lose', async () => {
    const { result, writes } = await run('audit-token generate --dry-run -o json --fields id');
    expect({ code: result.code, stdout: result.stdout, writes }).toEqual({
      code: 0,
      stdout: '{\n  "id": null\n}\n',
      writes: [],
    });
  });

  test('a format from the environment changes nothing about it', async () => {
    const { result } = await run('audit-token generate --yes', {}, { env: { ORGCTL_OUTPUT: 'json' } });
    expect(result).toEqual({ code: 0, stdout: 'SECRET-1\n', stderr: CREATED_JSON });
  });

  test('at a terminal: what is replaced, when the new one expires, and a sentence beside the secret', async () => {
    const tty = { stdin: true, stdout: true, stderr: true };
    const options = { tty, stdin: 'y\n', columns: 200, env: { NO_COLOR: '1' } };
    const { result } = await run('audit-token generate --expires 90d', {}, options);
    expect(result.stdout).toBe('SECRET-1\n');
    expect(
      result.stderr
        .split('\n')
        .map((line) => line.replace(/^[\s\S]*(Replace acme's audit trail token\?)[\s\S]*$/, '$1')),
    ).toEqual([
      "acme's current token (created 20 days ago, never used) stops working at once.",
      'The new token expires in 90 days (2027-02-19 09:00 UTC).',
      "Replace acme's audit trail token?",
      "✓ Replaced acme's audit trail token; it expires in 90 days (2027-02-19 09:00 UTC). This is the only time the secret is shown.",
      ...HINT,
      '',
    ]);
  });

  test('a dry run says what it would replace', () =>
    transcript()`
      $ audit-token generate --dry-run
      ! Would replace acme's audit trail token (created 20 days ago, never used); the new one would never expire
      ! Nothing was sent.
      $ audit-token delete --dry-run
      at-1\tacme\tfalse\tdelete acme's audit trail token (created 20 days ago, never used)
      ! Everything that reads acme's audit trail with it stops working at once. Without audit logging you can't create a new one.
      ! Would delete acme's audit trail token (created 20 days ago, never used)
      ! Nothing was sent.
    `);

  test('at a terminal no name is asked for where there is no token to delete', async () => {
    const tty = { stdin: true, stdout: true, stderr: true };
    const line = '--sandbox --org initech audit-token delete'.split(' ');
    expect(await runAlone(line, { tty, stdin: 'initech\n', env: { NO_COLOR: '1' } })).toEqual(
      failed(
        5,
        toText(
          '(sandbox, as owner)',
          'orgctl: initech has no audit trail token',
          '  → There is nothing to delete, unless you mean another organization.',
        ),
      ),
    );
  });

  test('--debug shows the exchange without the secret and without the token in use', async () => {
    const { result } = await run('audit-token generate --yes --debug');
    expect(result.stderr).toContain('"token":"[removed]"');
    expect(result.stderr).not.toMatch(/SECRET-1|sandbox\.owner/);
  });
});

describe('generate and others', () => {
  test('429 is tried again, since it is not acted on', () =>
    transcript({ service: { faults: [parseFault('POST authentication-token: nth=1 429')] } })`
      $ audit-token generate --yes
      SECRET-1
      ! ${MADE}
      ! ${SHOWN_ONCE}
      ! ${NEXT}
      !   $ ${ROTATE}
      > ${POST}
    `);

  test('a rotation at work: exit 14, and nothing is sent', async () => {
    const service = await startService();
    const home = createTemporaryHome();
    const folder = join(home, 'state', encodeURIComponent(new URL(service.url).origin), 'acme');
    const signal = new AbortController().signal;
    const options = { wait: 0, now: () => NOW, sleep: async () => undefined, signal, unique: 'cd', describe: 'test' };
    const lock = await takeLock(toLockPlace(folder), options);
    const result = await service.run(['audit-token', 'generate', '--yes'], { home });
    await lock.release();
    expect(result).toMatchObject({ code: 14, stdout: '' });
    expect(service.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  test('what killed runs left empty is named by doctor and removed by the next run', async () => {
    const service = await startService();
    const home = createTemporaryHome();
    const folder = join(home, 'state', encodeURIComponent(new URL(service.url).origin), 'acme');
    const [empty, full] = ['aa', 'bb'].map((name) => join(folder, `undelivered-token-${name}`)) as [string, string];
    for (const verb of ['generate --yes', `rotate --expires 90d --to file:${join(home, 'token')}`]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(empty, '\0'.repeat(64), { mode: 0o600 });
      writeFileSync(full, 'a-secret', { mode: 0o600 });
      expect((await service.run(['doctor'], { home })).stdout).toContain(`${empty} is empty`);
      expect((await service.run(['audit-token', ...verb.split(' ')], { home })).code).toBe(0);
      expect([existsSync(empty), existsSync(full)]).toEqual([false, true]);
    }
  });
});

describe('what is remembered of a token that the service does not show', () => {
  const start = async (alter: (answer: Response, request: Request) => Response = (answer) => answer) => {
    const service = await startService({ alter: (answer, request) => alter(hide(answer, request), request) });
    const home = createTemporaryHome();
    const orgctl = (argv: string) => service.run(`audit-token ${argv}`.split(' '), { home });
    expect(await orgctl(`rotate --expires 30d --to file:${join(home, 'token')}`)).toMatchObject({ code: 0 });
    return { orgctl, show: () => orgctl('show --fail-if-expires-within 7d -o json') };
  };

  test('is shown, though the service names its version', async () => {
    const { show } = await start();
    const { code, stdout } = await show();
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ source: 'local-record', 'expired-at': '2026-12-21T09:00:00.000Z' });
  });

  test('is what generate made since', async () => {
    const { orgctl, show } = await start();
    await orgctl('generate --yes --expires 2h');
    const { code, stdout } = await show();
    expect(code).toBe(13);
    expect(JSON.parse(stdout)).toMatchObject({ source: 'local-record', 'expired-at': '2026-11-21T11:00:00.000Z' });
  });

  test('is nothing once it was deleted', async () => {
    const { orgctl, show } = await start();
    expect((await orgctl('delete --yes')).code).toBe(0);
    expect(await show()).toMatchObject({ code: 5, stdout: '' });
  });

  test.each(['generate', 'delete'])('stays where %s is refused, and goes where its end is unclear', async (verb) => {
    const answers: { status?: number } = {};
    const { orgctl, show } = await start((answer, request) =>
      answers.status === undefined || request.method === 'GET'
        ? answer
        : Response.json({ errors: [] }, { status: answers.status }),
    );
    answers.status = 422;
    expect((await orgctl(`${verb} --yes`)).code).toBe(7);
    expect((await show()).code).toBe(0);
    answers.status = 502;
    expect((await orgctl(`${verb} --yes`)).code).toBe(11);
    expect((await show()).code).toBe(5);
  });

  test('of which the expiry is not known: exit 13, and no word of never', async () => {
    const service = await startService({
      async alter(answer, request) {
        if (request.method !== 'POST') return hide(answer, request);
        const document = (await answer.json()) as { data: { attributes: Record<string, unknown> } };
        delete document.data.attributes['expired-at'];
        return Response.json(document, { status: 201 });
      },
    });
    const home = createTemporaryHome();
    const orgctl = (argv: string) => service.run(`audit-token ${argv}`.split(' '), { home });
    const made = await orgctl('generate --yes --expires never');
    expect(made.code).toBe(0);
    expect(made.stderr).toBe(
      toText(
        "Created acme's new audit trail token.",
        SHOWN_ONCE,
        "warning: the service doesn't say when the new token expires",
        ...HINT,
      ),
    );
    const rotated = await orgctl(`rotate --expires 30d --to file:${join(home, 'token')} -o json`);
    expect(JSON.parse(rotated.stdout)).not.toHaveProperty('expired-at');
    const shown = await orgctl('show --fail-if-expires-within 7d -o json');
    expect(shown.code).toBe(13);
    expect(JSON.parse(shown.stdout)).not.toHaveProperty('expired-at');
    expect(JSON.parse(shown.stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
      error: { code: 'unknown', message: "unknown when acme's audit trail token expires" },
    });
    expect((await orgctl('show')).stderr).toContain("It is unknown when acme's audit trail token expires.\n");
  });
});

describe('generate: the expiry', () => {
  test('is said relative and in UTC', () =>
    transcript()`
      $ audit-token generate --yes --expires 2027-01-31
      SECRET-1
      ! 2027-01-31 begins at 2027-01-31 00:00 UTC (here 2027-01-31 00:00 +00:00).
      ! Created acme's new audit trail token; it expires in 71 days (2027-01-31 00:00 UTC).
      ! ${SHOWN_ONCE}
      ! ${NEXT}
      !   $ ${ROTATE}
      > ${POST.replace('{}', '{"expired-at":"2027-01-31T00:00:00Z"}')}
    `);

  test.each([
    [330, '2027-01-31 05:30 +05:30'],
    [-210, '2027-01-30 20:30 -03:30'],
  ])('a date is said in local time too', async (ahead, local) => {
    const host = { minutesAhead: () => ahead };
    const says = `2027-01-31 begins at 2027-01-31 00:00 UTC (here ${local}).\n`;
    for (const verb of ['generate --yes', 'rotate --to file:./a --dry-run']) {
      const { result } = await run(`audit-token ${verb} --expires 2027-01-31`, {}, { host });
      expect([result.code, result.stderr.startsWith(says)], result.stderr).toEqual([0, true]);
    }
  });

  const TO = "Created acme's new audit trail token; it ";
  const IN_90_DAYS = `${TO}expires in 90 days (2027-02-19 09:00 UTC).`;
  const SET = 'warning: the service set the expiry to';
  test.each<[asked: string, given: string | null, says: readonly string[]]>([
    [
      ' --expires 90d',
      '2026-12-21T09:00:00.000Z',
      [
        `${TO}expires in 30 days (2026-12-21 09:00 UTC).`,
        SHOWN_ONCE,
        `${SET} 2026-12-21 09:00 UTC, not to 2027-02-19 09:00 UTC`,
      ],
    ],
    [' --expires 90d', null, [MADE, SHOWN_ONCE, `${SET} never, not to 2027-02-19 09:00 UTC`]],
    [' --expires 90d', '2027-02-19T10:00:00.000+01:00', [IN_90_DAYS, SHOWN_ONCE]],
    [
      ' --expires never',
      '2027-11-21T09:00:00.000Z',
      [`${TO}expires in 365 days (2027-11-21 09:00 UTC).`, SHOWN_ONCE, `${SET} 2027-11-21 09:00 UTC, not to never`],
    ],
    [
      '',
      '2027-11-21T09:00:00.000Z',
      [`${TO}expires in 365 days (2027-11-21 09:00 UTC).`, SHOWN_ONCE, `${SET} 2027-11-21 09:00 UTC, not to never`],
    ],
  ])('asked for%s, given %s', async (asked, given, says) => {
    const service = answering(async (answer) => {
      const document = (await answer.json()) as { data: { attributes: Record<string, unknown> } };
      document.data.attributes['expired-at'] = given;
      return Response.json(document, { status: 201 });
    });
    const { result } = await run(`audit-token generate --yes${asked}`, service);
    expect(result).toEqual({ code: 0, stdout: 'SECRET-1\n', stderr: toText(...says, ...HINT) });
  });
});

describe('generate: an unclear answer', () => {
  const CANNOT = "can't generate acme's audit trail token:";
  test.each<[name: string, service: ServiceOptions, why: string]>([
    [
      'the connection breaks after the service has acted',
      { faults: [parseFault('POST authentication-token: reset-after-commit')] },
      'the connection to 127.0.0.1:PORT broke before an answer came',
    ],
    [
      'a page of a proxy, 504',
      answering(
        () =>
          new Response('<html><title>Gateway Timeout</title></html>', {
            status: 504,
            headers: { 'content-type': 'text/html' },
          }),
      ),
      `${CANNOT} the service answered 504; web page "Gateway Timeout"`,
    ],
    [
      '201 without a secret',
      answering(() =>
        Response.json({ data: { id: 'at-x', type: 'authentication-tokens', attributes: {} } }, { status: 201 }),
      ),
      `${CANNOT} status 201, but it holds no token`,
    ],
  ])('%s: exit 11 after exactly one POST', async (_name, service, why) => {
    const { result, writes, replaced, left } = await run('audit-token generate --yes', service);
    expect(result).toEqual(
      failed(
        11,
        toText(
          "orgctl: unknown whether acme's audit trail token was replaced",
          `  The request was sent, and no clear answer came: ${why}.`,
          '  → Check when it was created. If it was replaced, its secret is lost: create another with audit-token rotate.',
          '  $ orgctl --org acme audit-token show',
        ),
      ),
    );
    expect(writes).toEqual([POST]);
    expect({ replaced, left }).toEqual({ replaced: true, left: [] });
  });

  test('a service that refuses the connection: exit 9, since nothing can have happened', () =>
    transcript({ env: { ORGCTL_BASE_URL: 'http://127.0.0.1:1/api/v2' } })`
      $ audit-token generate --yes --max-retries 0
      ! orgctl: 127.0.0.1:PORT refused the connection (address from ORGCTL_BASE_URL)
      !   → Check the host and the port, and that the service is running.
      = 9, nothing sent
    `);
});

describe('generate: the secret cannot be delivered', () => {
  test.each(['', ' -o json'])(
    'stdout is closed%s: exit 12, the secret is in a file only its owner may read',
    async (format) => {
      const closed = { stdoutClosed: true };
      const { result, writes, secret, left } = await run(`audit-token generate --yes${format}`, {}, closed);
      const [file = ''] = left;
      expect(left).toHaveLength(1);
      expect(readFileSync(file, 'utf8')).toBe(secret);
      expect([file, join(file, '..')].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o700]);
      expect(writes).toEqual([POST]);
      const message = "can't write acme's new token to stdout";
      const reasons = [
        'the output was closed by its reader',
        `The new token is kept in ${file.replace(/^.*\/state\/[^/]+/, 'HOME/state/ORIGIN')}. The token before it no longer works.`,
      ];
      const hint = 'Move the content of that file where it belongs, then remove the file.';
      expect(result).toEqual(
        failed(
          12,
          format === ''
            ? toText(`orgctl: ${message}`, ...reasons.map((reason) => `  ${reason}`), `  → ${hint}`)
            : toText(JSON.stringify({ error: { code: 'not-delivered', exit: 12, message, reasons, hint } })),
        ),
      );
    },
  );

  /** What happens to the state folder, with the recovery file in it, while the service makes the token. */
  describe.each<[name: string, lose: (state: string) => void, isLost: boolean]>([
    ['is removed', (state) => rmSync(state, { recursive: true }), false],
    ['becomes a file', (state) => [rmSync(state, { recursive: true }), writeFileSync(state, '')], true],
    ['becomes a folder again', (state) => [rmSync(state, { recursive: true }), mkdirSync(state)], false],
  ])('the state folder %s', (_name, lose, isLost) => {
    const losing = (home: string): ServiceOptions =>
      answering((answer) => {
        lose(join(home, 'state'));
        return answer;
      });

    test('stdout has the secret, exit 0', async () => {
      const home = createTemporaryHome();
      const { result, writes, left } = await run('audit-token generate --yes', losing(home), { home });
      expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 0, stdout: 'SECRET-1\n' });
      expect(result.stderr).toContain('This is the only time the secret is shown.');
      expect(writes).toEqual([POST]);
      expect(left).toEqual([]);
    });

    test(`and stdout is closed: exit 12, the secret is ${isLost ? 'lost' : 'written again'}`, async () => {
      const home = createTemporaryHome();
      const { result, writes, left, secret } = await run('audit-token generate --yes -o json', losing(home), {
        home,
        stdoutClosed: true,
      });
      // Before it, that the journal cannot be written either.
      const [last = ''] = result.stderr.trim().split('\n').slice(-1);
      const { error } = JSON.parse(last) as { error: { reasons: readonly string[] } };
      expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 12, stdout: '' });
      expect(error).toMatchObject({
        code: 'not-delivered',
        exit: 12,
        message: "can't write acme's new token to stdout",
        hint: isLost
          ? 'Free some space, then generate another token.'
          : 'Move the content of that file where it belongs, then remove the file.',
      });
      const [written = '', kept = ''] = error.reasons;
      expect(written).toBe('the output was closed by its reader');
      expect(kept).toMatch(
        isLost
          ? /^The new token is lost: can't write \S+ \([^:]*: .*\)\. The token before it no longer works\.$/
          : /^The new token is kept in \S+\. The token before it no longer works\.$/,
      );
      expect(left.map((file) => readFileSync(file, 'utf8'))).toEqual(isLost ? [] : [secret]);
      expect(result.stderr).not.toContain('SECRET-1');
      expect(writes).toEqual([POST]);
    });
  });

  test('no place to keep it: exit 2 before anything is sent', async () => {
    const home = createTemporaryHome();
    const env = { ORGCTL_STATE_DIR: join(home, 'a-file') };
    writeFileSync(env.ORGCTL_STATE_DIR, '');
    const { result, writes, replaced } = await run('audit-token generate --yes', {}, { env });
    expect(result.stderr.replaceAll(home, 'ELSEWHERE')).toBe(
      toText(
        "orgctl: can't write ELSEWHERE/a-file/ORIGIN/acme/rotation.lock, which locks a rotation",
        "  can't create the folder ELSEWHERE/a-file/ORIGIN: a part of its path is a file, not a folder",
        '  → Free some space, or set ORGCTL_STATE_DIR to a folder of yours. Nothing was sent.',
      ),
    );
    expect([result.code, result.stdout, writes, replaced]).toEqual([2, '', [], false]);
  });
});

describe('show --fail-if-expires-within', () => {
  const showExpiring = async (within: string, expires: string, now: number) => {
    const service = await startService();
    const { plain } = await createNames(service.sandbox);
    await service.run(['audit-token', 'generate', '--yes', '--expires', expires]);
    const result = await service.run(['audit-token', 'show', '--fail-if-expires-within', within], { now });
    return { ...result, stdout: plain(result.stdout), stderr: plain(result.stderr) };
  };

  const RENEW = toText(
    '  → Replace it in time, here into a file (other places: orgctl help rotation):',
    '  $ orgctl --org acme audit-token rotate --expires same --to file:./audit-token',
  ).trimEnd();
  const EXPIRES = "orgctl: acme's audit trail token expires in 30 days (2026-12-21 09:00 UTC)";
  const EXPIRED = "orgctl: acme's audit trail token expired 1 day ago (2026-12-21 09:00 UTC)";

  test.each([
    ['longer than that', '30d', '31d', NOW, '2026-12-22T09:00:00.000Z', 0, ''],
    ['never', '30d', 'never', NOW, '', 0, ''],
    ['within', '30d', '30d', NOW, '2026-12-21T09:00:00.000Z', 13, toText(EXPIRES, RENEW)],
    [
      'over already',
      '1h',
      '30d',
      NOW + 31 * 86_400_000,
      '2026-12-21T09:00:00.000Z',
      13,
      toText(EXPIRED, RENEW.replace(' in time', '')),
    ],
  ])('%s', async (_name, within, expires, now, expiredAt, code, stderr) => {
    const stdout = `at-1\tacme\t2026-11-21T09:00:00.000Z\t\t${expiredAt}\n`;
    expect(await showExpiring(within, expires, now)).toEqual({ code, stdout, stderr });
  });
});
