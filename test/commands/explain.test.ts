import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isPermitted, type Operation } from '../../src/sandbox/permissions.ts';
import { CALLER_KINDS, type CallerKind } from '../../src/sandbox/sandbox.ts';
import { openService } from '../support/direct.ts';
import { createNames } from '../support/names.ts';
import { explain, ServiceError } from '../support/product.ts';
import { run } from '../support/run.ts';
import { answer, bytesThenReset, silence, startScripted } from '../support/scripted.ts';
import { startService, type TestService } from '../support/service.ts';

interface Row {
  readonly operation: Operation;
  readonly argv: string;
  readonly org?: string;
  /** What the owner of everything is shown of the object; none where the operation has no object. */
  readonly object?: string;
}

const UMBRELLA = 'umbrella';
/** The thirteen operations of the document: on what is there, in an organization that is not, and on what is not there. */
const ROWS: readonly Row[] = [
  { operation: 'feature-sets.list', argv: 'feature-sets list' },
  { operation: 'feature-sets.list-eligible', argv: 'feature-sets list --eligible' },
  { operation: 'audit-token.generate', argv: 'audit-token generate --yes' },
  { operation: 'audit-token.delete', argv: 'audit-token delete --yes' },
  { operation: 'memberships.invite', argv: 'members invite new@example.com --team team-platform' },
  { operation: 'memberships.list', argv: 'members list' },
  { operation: 'memberships.list-own', argv: 'members mine' },
  { operation: 'memberships.show', argv: 'members show ou-ada', object: '/organization-memberships/ou-ada' },
  { operation: 'memberships.remove', argv: 'members remove ou-ada --yes', object: '/organization-memberships/ou-ada' },
  { operation: 'providers.list', argv: 'providers list' },
  { operation: 'providers.create', argv: 'providers create public/hashicorp/null' },
  ...['show', 'delete'].map(
    (verb): Row => ({
      operation: `providers.${verb}` as Operation,
      argv: verb === 'show' ? 'providers get public/hashicorp/aws' : 'providers delete public/hashicorp/aws --yes',
      object: '/organizations/acme/registry-providers/public/hashicorp/aws',
    }),
  ),
  { operation: 'feature-sets.list-eligible', argv: 'feature-sets list --eligible', org: UMBRELLA },
  { operation: 'audit-token.generate', argv: 'audit-token generate --yes', org: UMBRELLA },
  { operation: 'audit-token.delete', argv: 'audit-token delete --yes', org: UMBRELLA },
  { operation: 'audit-token.delete', argv: 'audit-token delete --yes', org: 'initech' },
  { operation: 'memberships.invite', argv: 'members invite new@example.com --team team-platform', org: UMBRELLA },
  { operation: 'memberships.list', argv: 'members list', org: UMBRELLA },
  { operation: 'memberships.list', argv: 'members list', org: 'globex' },
  { operation: 'memberships.show', argv: 'members show ou-nobody', object: '/organization-memberships/ou-nobody' },
  {
    operation: 'memberships.show',
    argv: 'members show ou-gina.globex',
    object: '/organization-memberships/ou-gina.globex',
  },
  {
    operation: 'memberships.remove',
    argv: 'members remove ou-nobody --yes',
    object: '/organization-memberships/ou-nobody',
  },
  { operation: 'providers.list', argv: 'providers list', org: UMBRELLA },
  { operation: 'providers.create', argv: 'providers create public/hashicorp/null', org: UMBRELLA },
  { operation: 'providers.create', argv: 'providers create public/hashicorp/null', org: 'globex' },
  ...['get', 'delete --yes'].flatMap((verb) =>
    ['acme', UMBRELLA, 'globex'].map(
      (org): Row => ({
        operation: verb === 'get' ? 'providers.show' : 'providers.delete',
        argv: `providers ${verb} public/hashicorp/none`,
        org,
        object: `/organizations/${org}/registry-providers/public/hashicorp/none`,
      }),
    ),
  ),
];

/** What is so, whatever the service says of it. */
interface Truth {
  readonly kind: CallerKind;
  readonly exists: boolean;
  readonly belongs: boolean;
  readonly permitted: boolean;
  readonly isObjectThere: boolean;
  readonly hasToken: boolean;
}

/** Every claim an explanation makes, and when it is true. A sentence that makes none of them fails. */
const CLAIMS: readonly (readonly [claim: RegExp, isTrue: (truth: Truth) => boolean])[] = [
  [/this is an audit trail token/, ({ kind }) => kind === 'audit-token'],
  [/is there, and this token reaches it/, ({ exists, belongs }) => exists && belongs],
  [/so that the permission is what is missing/, ({ exists, belongs, permitted }) => exists && belongs && !permitted],
  [/not in its owners team/, ({ kind, permitted }) => !permitted && kind !== 'owner'],
  [/the (membership|provider) is there, so/, ({ isObjectThere }) => isObjectThere],
  [/the provider is not there/, ({ exists, belongs, isObjectThere }) => exists && belongs && !isObjectThere],
  [/is in acme, globex and initech, and not in/, ({ kind, belongs }) => isUser(kind) && !belongs],
  [/which does not reach|, and does not reach/, ({ belongs }) => !belongs],
  [/in acme, globex and initech, where the user/, ({ kind, isObjectThere }) => isUser(kind) && !isObjectThere],
  [/no such membership in the organization of/, ({ kind, isObjectThere }) => !isUser(kind) && !isObjectThere],
  [/this token may manage tokens of/, ({ belongs, permitted }) => belongs && permitted],
  [/has no audit trail token/, ({ exists, hasToken }) => exists && !hasToken],
  // The sandbox knows of no entitlements, and has feature sets and an audit trail.
  [/is not entitled to audit logging|has no feature sets|has no audit trail\b(?! token)/, () => false],
  [/nothing more; the service does not let/, () => true],
];

const isUser = (kind: CallerKind): boolean => ['owner', 'member', 'team-manager', 'registry-manager'].includes(kind);

async function findTruth(
  service: TestService,
  kind: CallerKind,
  row: Row,
  real: (text: string) => string,
): Promise<Truth> {
  const { org = 'acme' } = row;
  const exists = service.sandbox.organizations().includes(org);
  const own = row.object?.includes('globex') === true || org === 'globex' ? 'globex' : 'acme';
  const belongs = isUser(kind) ? exists : org === 'acme' && own === 'acme';
  const shown = row.object === undefined ? undefined : await service.ask('GET', real(row.object));
  return {
    kind,
    exists,
    belongs,
    permitted: isPermitted(kind, row.operation),
    // What another organization has is not there for who is not in it.
    isObjectThere: shown?.status === 200 && belongs,
    hasToken: service.sandbox.tokenFor('audit-token', org) !== undefined,
  };
}

interface Told {
  readonly code: number;
  /** What was found out. */
  readonly found: readonly string[];
  readonly open: readonly string[];
  readonly hint: string | undefined;
  /** What was asked after the refusal: method and path. */
  readonly asked: readonly string[];
}

interface ToldError {
  readonly reasons?: readonly string[];
  readonly request?: { readonly method: string; readonly path: string };
  readonly hint?: string;
}

async function tell(service: TestService, as: CallerKind, row: Row, real: (text: string) => string): Promise<Told> {
  // The token of acme, wherever it is used.
  const token = service.sandbox.tokenFor(as, 'acme') ?? 'unknown';
  const result = await service.run([...real(row.argv).split(' '), '-o', 'json'], {
    org: row.org ?? 'acme',
    env: { ORGCTL_TOKEN: token },
  });
  const last = result.stderr.trimEnd().split('\n').at(-1) ?? '';
  const { error = {} } = (last === '' ? {} : JSON.parse(last)) as { readonly error?: ToldError };
  const { reasons = [], request, hint } = error;
  const lines = service.requests.map(({ method, path }) => `${method} ${path}`);
  return {
    code: result.code,
    found: reasons.filter((reason) => reason.startsWith('found: ')),
    open: reasons.filter((reason) => reason.startsWith('not to be told: ')),
    hint,
    asked: request === undefined ? [] : lines.slice(lines.indexOf(`${request.method} ${request.path}`) + 1),
  };
}

describe.each([
  { service: 'the service', documentOnly: false },
  { service: 'a service of the document only', documentOnly: true },
])('each caller, each operation of $service: what is told of a 404 is true', ({ documentOnly }) => {
  for (const row of ROWS) {
    for (const as of CALLER_KINDS) {
      test(`${row.argv} --org ${row.org ?? 'acme'} | ${as}`, async () => {
        const service = await startService({ documentOnly });
        const { real } = await createNames(service.sandbox);
        const truth = await findTruth(service, as, row, real);
        const { code, found, open, asked } = await tell(service, as, row, real);
        expect(found.length).toBe(code === 5 ? 1 : 0);
        for (const sentence of found) {
          const made = CLAIMS.filter(([claim]) => claim.test(sentence));
          expect(made.length, sentence).toBeGreaterThan(0);
          expect(
            made.filter(([, isTrue]) => !isTrue(truth)).map(([claim]) => String(claim)),
            sentence,
          ).toEqual([]);
          // Only whether there is an organization, or one that has it, is kept from everybody who is not in it.
          const isLeftOpen = (line: string): boolean => !/whether (there is an|another) organization/.test(line);
          if (!documentOnly) expect([sentence, ...open].filter((line) => /nothing more/.test(line))).toEqual([]);
          if (!documentOnly) expect(open.filter(isLeftOpen)).toEqual([]);
        }
        expect(asked.length).toBeLessThanOrEqual(3);
        expect(asked.filter((line) => !line.startsWith('GET '))).toEqual([]);
      });
    }
  }
});

/** Method and path of each operation whose command reads before it writes, so that the write itself is refused too. */
const WRITES: readonly (Row & { readonly method: string; readonly path: string })[] = [
  ...[
    ['acme', 'aws'],
    ['acme', 'none'],
    ['umbrella', 'none'],
    ['globex', 'none'],
    ['globex', 'google'],
  ].map(([org = '', name = '']) => {
    const path = `/organizations/${org}/registry-providers/public/hashicorp/${name}`;
    return { operation: 'providers.delete', argv: 'DELETE', method: 'DELETE', path, org, object: path } as const;
  }),
  ...['ou-ada', 'ou-nobody', 'ou-gina.globex'].map((id) => {
    const path = `/organization-memberships/${id}`;
    return { operation: 'memberships.remove', argv: 'DELETE', method: 'DELETE', path, object: path } as const;
  }),
  ...['acme', 'umbrella', 'globex', 'initech'].flatMap((org) =>
    (['POST', 'DELETE', 'GET'] as const).map((method) => ({
      operation: `audit-token.${({ POST: 'generate', DELETE: 'delete', GET: 'show' } as const)[method]}` as const,
      argv: method,
      method,
      path: `/organizations/${org}/authentication-token?token=audit-trails`,
      org,
    })),
  ),
  ...['acme', 'umbrella', 'globex'].flatMap((org) =>
    (['organization-memberships', 'registry-providers'] as const).map((path) => ({
      operation: path === 'registry-providers' ? ('providers.create' as const) : ('memberships.invite' as const),
      argv: 'POST',
      method: 'POST',
      path: `/organizations/${org}/${path}`,
      org,
    })),
  ),
];

describe('each caller, the bare call: what is told of a 404 is true', () => {
  for (const row of WRITES) {
    for (const as of CALLER_KINDS) {
      test(`${row.method} ${row.path} | ${as}`, async () => {
        const service = await startService();
        const { real } = await createNames(service.sandbox);
        const refused = await service.ask(
          row.method,
          real(row.path),
          as,
          row.method === 'GET' ? undefined : { data: {} },
        );
        if (refused.status !== 404) return;
        const truth = await findTruth(service, as, row, real);
        const { service: direct } = openService(service.url, { token: service.sandbox.tokenFor(as, 'acme') });
        const request = { method: row.method, path: `/api/v2${real(row.path)}` };
        const answered = { status: 404, errors: [{ status: '404', title: 'not found' }], request };
        const { reasons } = await direct.explain(new ServiceError('not-found', 'refused', answered));
        const [sentence = '', ...open] = reasons;
        const made = CLAIMS.filter(([claim]) => claim.test(sentence));
        expect(made.length, sentence).toBeGreaterThan(0);
        expect(
          made.filter(([, isTrue]) => !isTrue(truth)).map(([claim]) => String(claim)),
          sentence,
        ).toEqual([]);
        expect(open.filter((line) => !/^not to be told: /.test(line))).toEqual([]);
        expect(service.requests.length).toBeLessThanOrEqual(3);
        expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
      });
    }
  }
});

describe('a refusal that is plain already asks for nothing more', () => {
  test.each([
    { argv: 'members remove ou-olive --yes', code: 6 },
    { argv: 'providers get public/hashicorp/aws --org initech', code: 6 },
    { argv: 'members list', code: 4, token: 'unknown' },
    { argv: 'members list --status nonsense', code: 7 },
  ])('$argv: exit $code', async ({ argv, code, token }) => {
    const service = await startService();
    const { real } = await createNames(service.sandbox);
    const env = token === undefined ? {} : { ORGCTL_TOKEN: token };
    const result = await service.run(real(argv).split(' '), { env });
    expect(result.code).toBe(code);
    expect(result.stderr).not.toContain('found: ');
    expect(service.requests.filter(({ path }) => path.includes('/account/'))).toEqual([]);
  });
});

describe('who is invited, and has not accepted', () => {
  test('is told so', async () => {
    const service = await startService({
      alter: async (own, request) => {
        if (!new URL(request.url).pathname.endsWith('/v2/organization-memberships')) return own;
        return Response.json(JSON.parse((await own.text()).replaceAll('"active"', '"invited"')));
      },
    });
    const result = await service.run(['audit-token', 'show', '--org', 'acme'], { as: 'member' });
    expect(result.code).toBe(5);
    expect(result.stderr).toContain('  found: the user of this token is invited to acme, and has not accepted yet\n');
  });
});

describe('a service that does not tell the teams of memberships', () => {
  const start = () =>
    startService({
      alter: (own, request) =>
        request.url.includes('include=teams')
          ? Response.json({ errors: [{ status: '400', title: 'bad request' }] }, { status: 400 })
          : own,
    });

  test('is asked without them, and what they would have told is left open', async () => {
    const service = await start();
    const result = await service.run(['audit-token', 'show', '--org', 'initech'], { as: 'member' });
    expect(result.code).toBe(5);
    expect(result.stderr).toContain('  found: initech is there, and this token reaches it\n');
    expect(result.stderr).toContain('  not to be told: whether this token may manage the audit trail token\n');
  });

  test('three readings are the most', async () => {
    const service = await start();
    const result = await service.run(['members', 'show', 'ou-0000000000000000'], { as: 'org-token' });
    expect(result.code).toBe(5);
    expect(service.requests.slice(1).map(({ path }) => path.replace('/api/v2', ''))).toEqual([
      '/organization-memberships?include=teams',
      '/organization-memberships',
      '/account/details',
    ]);
  });
});

describe('several at once', () => {
  test('what was found out names the one it is about', async () => {
    const service = await startService();
    const argv = ['providers', 'create', 'public/hashicorp/null', 'public/hashicorp/http'];
    const result = await service.run(argv, { as: 'member' });
    expect(result.code).toBe(5);
    expect(result.stderr).toContain(
      '  public/hashicorp/null: found: acme is there, and this token reaches it, so that the permission is what is missing\n',
    );
  });
});

const PAGE = '<!doctype html><title>Welcome to the portal</title>';
const page = (status: number) => answer(status, PAGE, { 'content-type': 'text/html' });

describe('another place than the service', () => {
  test.each([200, 401, 403, 404])('a web page with status %i everywhere: the host is wrong', async (status) => {
    const server = await startScripted(page(status));
    const result = await ask(`${server.origin}/api/v2`);
    expect(result.code).toBe({ 200: 9, 401: 4, 403: 6, 404: 5 }[status]);
    expect(result.stderr).toContain(`  found: nothing at ${server.origin} says that it is such a service\n`);
    expect(result.stderr).toContain('  → Check the host name of the base URL.\n');
    expect(server.requests.length).toBeLessThanOrEqual(1 + 3);
    // Only what was asked for in earnest carried the token.
    expect(server.requests.filter(({ headers }) => headers.has('authorization'))).toHaveLength(1);
  });

  test('another product, with errors of its own form', async () => {
    const server = await startScripted(answer(404, { message: '404 Project Not Found' }));
    const result = await ask(`${server.origin}/api/v2`);
    expect(result.code).toBe(5);
    expect(result.stderr).toContain('  404 Project Not Found\n');
    expect(result.stderr).toContain(`  found: nothing at ${server.origin} says that it is such a service\n`);
  });

  test.each([
    { base: '', name: 'the root of the host' },
    { base: '/app/acme', name: 'an address of the web site' },
  ])('$name as base URL: the right one is suggested', async ({ base }) => {
    const origin = await startSite();
    const result = await ask(`${origin}${base}`);
    expect(result.code).toBe(9);
    expect(result.stderr).toContain(
      `  found: the API of this service is at ${origin}/api/v2, and not at ${origin}${base}\n`,
    );
    expect(result.stderr).toContain(`  → Name it with: --base-url ${origin}/api/v2\n`);
  });

  test('the same as JSON', async () => {
    const origin = await startSite();
    const result = await ask(origin, '-o', 'json');
    const { error } = JSON.parse(result.stderr) as {
      readonly error: { readonly reasons: unknown; readonly hint: unknown };
    };
    expect({ reasons: error.reasons, hint: error.hint }).toEqual({
      reasons: [`found: the API of this service is at ${origin}/api/v2, and not at ${origin}`],
      hint: `Name it with: --base-url ${origin}/api/v2`,
    });
  });

  test('a service that tells nothing of itself is known by the form of its errors', async () => {
    const origin = await startSite({ documentOnly: true });
    expect((await ask(origin)).stderr).toContain(`  → Name it with: --base-url ${origin}/api/v2\n`);
  });

  test('a page in between while the service is where it should be', async () => {
    const service = await startService({
      alter: (own, request) =>
        request.url.includes('/organizations/')
          ? new Response(PAGE, { headers: { 'content-type': 'text/html' } })
          : own,
    });
    const result = await service.run(['members', 'list']);
    expect(result.code).toBe(9);
    expect(result.stderr).toContain(`  found: the service is at ${service.url} all the same\n`);
  });
});

describe('what cannot be found out changes nothing', () => {
  const refusal = answer(404, { errors: [{ status: '404', title: 'not found' }] });

  test.each([
    ['the connection breaks', bytesThenReset('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{')],
    ['the service fails', answer(500, { errors: [{ status: '500' }] })],
    ['the service has enough', answer(429, { errors: [{ status: 429 }] })],
    ['a page answers', page(200)],
  ])('%s: exit 5', async (_name, turn) => {
    const server = await startScripted([refusal, turn]);
    const result = await ask(`${server.origin}/api/v2`);
    expect(result.code).toBe(5);
    expect(result.stderr).toContain(
      '  found: nothing more; the service does not let this token see which of these it is\n',
    );
    expect(server.requests.length).toBeLessThanOrEqual(1 + 3);
  });

  test('nobody waits for a service that says nothing more', async () => {
    const server = await startScripted(silence);
    const controller = new AbortController();
    const { explained, error } = await explainAt(server.origin, controller.signal, 20);
    expect(explained).toBe(error);
    // On a busy machine the time is over before the first one has left.
    expect(server.requests.length).toBeLessThanOrEqual(1);
  });

  test('whoever stops orgctl waits neither', async () => {
    const controller = new AbortController();
    const server = await startScripted(() => controller.abort(new Error('stopped')));
    const { explained, error } = await explainAt(server.origin, controller.signal);
    expect(explained).toBe(error);
  });

  test('a token that is refused meanwhile', async () => {
    const server = await startScripted([refusal, answer(401, { errors: [{ status: '401' }] })]);
    const result = await ask(`${server.origin}/api/v2`);
    expect(result.code).toBe(5);
    expect(result.stderr).toContain('was answered 401, so that the token is not valid now');
    expect(server.requests).toHaveLength(2);
  });
});

async function explainAt(origin: string, signal: AbortSignal, patience?: number) {
  const request = { method: 'GET', path: '/api/v2/organizations/acme/teams' };
  const error = new ServiceError('not-found', 'refused', { status: 404, errors: [{ status: '404' }], request });
  const options = {
    baseUrl: new URL(`${origin}/api/v2`),
    token: 'a-token',
    userAgent: 'orgctl/test',
    extraCertificates: undefined,
    skipVerification: false,
    allowHttp: [],
    proxies: {},
    dryRun: false,
    readOnly: undefined,
    onPlanned: () => undefined,
    onExchange: () => undefined,
    now: () => 0,
    signal,
  };
  return { error, explained: await explain(error, options, patience) };
}

/** Lists the members of acme. */
function ask(baseUrl: string, ...more: readonly string[]) {
  const env = { ORGCTL_BASE_URL: baseUrl, ORGCTL_TOKEN: 'a-token', ORGCTL_ORG: 'acme' };
  return run(['members', 'list', '--max-retries', '0', ...more], { env });
}

/** A service with a web site around its API, as the hosted one has it. */
async function startSite(options: { readonly documentOnly?: boolean } = {}): Promise<string> {
  const { sandbox } = await startService(options);
  const server = createServer(async (incoming, outgoing) => {
    const { pathname } = new URL(incoming.url ?? '', 'http://site.test');
    if (!pathname.startsWith('/api/v2/') && !(pathname.startsWith('/.well-known/') && options.documentOnly !== true)) {
      outgoing.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
      return;
    }
    const own = await sandbox.handle(new Request(`http://site.test${incoming.url}`));
    outgoing.writeHead(own.status, Object.fromEntries(own.headers)).end(await own.text());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
