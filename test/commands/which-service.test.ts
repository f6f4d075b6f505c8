import { describe, expect, test } from 'vitest';
import { startFront } from '../support/front.ts';
import { run } from '../support/run.ts';
import { answer, startScripted, type Turn } from '../support/scripted.ts';
import { startService } from '../support/service.ts';

/** Is this the service, and where is its API? Every command gives the same answer, whatever stands at the address. */

interface Place {
  readonly name: string;
  /** The base URL. */
  start(): Promise<{ readonly baseUrl: string; readonly token?: string | undefined }>;
  /** The end of a command, and of one that only asks whose token it is. */
  readonly codes: { readonly members: number; readonly token?: number };
  /** What is said of the address; undefined where nothing is held against it. */
  readonly verdict?: 'elsewhere' | 'nowhere';
}

const NOT_FOUND = { errors: [{ status: '404', title: 'not found' }] };
const PAGE = '<!doctype html><title>Welcome to the portal</title>';
const HTML = { 'content-type': 'text/html' };
const UNKNOWN_MEMBER = 'ou-0000000000000001';

/** Below `path` of the sandbox's own server, which answers 404 in its own form wherever nothing is. */
const own =
  (path: string, documentOnly = false) =>
  async () => {
    const service = await startService({ documentOnly, now: Date.now });
    return { baseUrl: service.url.replace('/api/v2', path), token: service.sandbox.tokenFor('owner', 'acme') };
  };

/** A web site around the API, as the hosted service has it. */
const site =
  (path: string, documentOnly = false) =>
  async () => {
    const { sandbox } = await startService({ documentOnly, now: Date.now });
    const front = await startFront(sandbox, async (passing) => {
      const isApi = /^\/(api\/v2|\.well-known)\//.test(passing.target);
      passing.send(isApi ? await passing.act() : { status: 200, headers: HTML, body: PAGE });
    });
    return { baseUrl: front.origin + path, token: sandbox.tokenFor('owner', 'acme') };
  };

const scripted =
  (turn: Turn, path = '/api/v2') =>
  async () => ({ baseUrl: (await startScripted(turn)).origin + path });

/** A service that sends its headers, and has neither memberships nor the audit trail. */
const another =
  (otherwise: typeof answer): Turn =>
  (socket, request) => {
    const headers = { 'tfp-api-version': '2.6' };
    const user = { type: 'users', id: 'user-1', attributes: { username: 'ana', 'is-service-account': false } };
    const turns: Readonly<Record<string, Turn>> = {
      '/api/v2/ping': answer(204, undefined, headers),
      '/api/v2/account/details': answer(200, { data: user }, headers),
      '/.well-known/terraform.json': answer(200, { 'tfe.v2': '/api/v2/' }),
    };
    (turns[request.target] ?? otherwise(404, NOT_FOUND, headers))(socket, request);
  };
const ANOTHER_IMPLEMENTATION = another(answer);

const PLACES: readonly Place[] = [
  { name: 'the service', start: own('/api/v2'), codes: { members: 0, token: 0 } },
  { name: 'a service of the document only', start: own('/api/v2', true), codes: { members: 0, token: 0 } },
  { name: 'the service, at a wrong path', start: own('/wrong'), codes: { members: 5 }, verdict: 'elsewhere' },
  { name: 'the service, at half its path', start: own('/api'), codes: { members: 5 }, verdict: 'elsewhere' },
  {
    name: 'a service of the document only, at a wrong path',
    start: own('/wrong', true),
    codes: { members: 5 },
    verdict: 'elsewhere',
  },
  { name: 'the root of a site', start: site(''), codes: { members: 9 }, verdict: 'elsewhere' },
  { name: 'a page of a site', start: site('/app/acme'), codes: { members: 9 }, verdict: 'elsewhere' },
  { name: 'a site without discovery', start: site('', true), codes: { members: 9 }, verdict: 'elsewhere' },
  { name: 'another implementation', start: scripted(ANOTHER_IMPLEMENTATION), codes: { members: 5, token: 0 } },
  {
    name: 'another implementation, at a wrong path',
    start: scripted(ANOTHER_IMPLEMENTATION, '/wrong'),
    codes: { members: 5 },
    verdict: 'elsewhere',
  },
  ...[200, 401, 403, 404].map(
    (status): Place => ({
      name: `a web page with status ${status}`,
      start: scripted(answer(status, PAGE, HTML)),
      codes: { members: { 200: 9, 401: 4, 403: 6, 404: 5 }[status] ?? 1 },
      verdict: 'nowhere',
    }),
  ),
  {
    name: 'another product, with errors of its own form',
    start: scripted(answer(404, { message: '404 Project Not Found' })),
    codes: { members: 5 },
    verdict: 'nowhere',
  },
  {
    name: 'another product, with errors of the same form',
    start: scripted(answer(404, NOT_FOUND)),
    codes: { members: 5 },
    verdict: 'nowhere',
  },
  { name: 'a service in trouble', start: scripted(answer(503, 'no healthy upstream', HTML)), codes: { members: 9 } },
];

const COMMANDS = [
  { argv: ['members', 'list'], asks: 'members' },
  { argv: ['members', 'show', UNKNOWN_MEMBER], asks: 'members', absent: true },
  { argv: ['api', 'GET', '/organizations/acme/organization-memberships'], asks: 'members' },
  { argv: ['auth', 'status'], asks: 'token' },
  { argv: ['auth', 'login'], asks: 'token' },
  { argv: ['doctor'], asks: 'members' },
] as const;

describe.each(PLACES)('$name', ({ start, codes, verdict }) => {
  test.each(COMMANDS)('$argv.0 $argv.1', async (command) => {
    const { baseUrl, token = 'a-token-of-nobody' } = await start();
    const { code, stdout, stderr } = await run([...command.argv, '--max-retries', '0'], {
      env: { ORGCTL_BASE_URL: baseUrl, ORGCTL_TOKEN: token, ORGCTL_ORG: 'acme' },
      stdin: command.argv[1] === 'login' ? token : '',
      now: Date.now(),
    });
    const { members, token: whose = members } = codes;
    const wanted = command.asks === 'token' ? whose : 'absent' in command && members === 0 ? 5 : members;
    expect({ code, stderr: code === wanted ? '' : stderr }).toEqual({ code: wanted, stderr: '' });
    const said = `${stdout}\n${stderr}`;
    const { origin } = new URL(baseUrl);
    expect(said.includes(`${baseUrl} is not the API's address`)).toBe(verdict === 'elsewhere');
    expect(said.includes(`The API is at ${origin}/api/v2. Set that as the base URL.`)).toBe(verdict === 'elsewhere');
    const isForeign = said.includes(`${baseUrl} doesn't answer like HCP Terraform or Terraform Enterprise`);
    expect(isForeign).toBe(verdict === 'nowhere');
    expect(said.includes('Check the host name')).toBe(verdict === 'nowhere');
    if (verdict !== undefined) expect(said).not.toMatch(/which of these|Check the names|It may not exist/);
  });
});

// As OTF does it.
describe('another implementation that refuses in plain text', () => {
  const call = async (turn: Turn, argv: string) => {
    const { origin } = await startScripted(turn);
    const env = { ORGCTL_BASE_URL: `${origin}/api/v2`, ORGCTL_TOKEN: 'a-token', ORGCTL_ORG: 'acme' };
    return await run(argv.split(' '), { env });
  };

  test('has no such route, says doctor too', async () => {
    const turn = another((status, _body, headers) => answer(status, `${status} page not found`, headers));
    for (const argv of ['members list', 'doctor']) {
      const { code, stdout, stderr } = await call(turn, argv);
      expect(code).toBe(5);
      expect(stdout + stderr).toMatch(/\b404 page not found.*so this service probably has no such route/s);
      expect(stdout + stderr).not.toContain('404 404');
    }
  });

  test('rejects a token as any other does', async () => {
    const refuse = another((_status, _body, headers) => answer(401, 'invalid JWT', headers));
    const turn: Turn = (socket, request) =>
      (/account/.test(request.target) ? answer(401, 'invalid JWT') : refuse)(socket, request);
    const { code, stderr } = await call(turn, 'teams list');
    expect(code).toBe(4);
    expect(stderr).toContain('rejected your token');
    expect(stderr).toContain('It is wrong, expired or replaced.');
    expect(stderr).not.toContain('proxy');
  });
});

test.each([[5, 'members invite ana@example.com --team platform']])(
  'exit %i: %s says where the API is',
  async (exit, line) => {
    for (const start of [own('/wrong'), scripted(answer(404, PAGE, HTML))]) {
      const { baseUrl } = await start();
      const env = { ORGCTL_BASE_URL: baseUrl, ORGCTL_TOKEN: 'a-token-of-nobody', ORGCTL_ORG: 'acme' };
      const { code, stderr } = await run(line.split(' '), { env });
      expect(code).toBe(exit);
      expect(stderr).toMatch(/ is not the API's address| doesn't answer like HCP Terraform/);
      expect(stderr).not.toContain('this service does not list teams');
    }
  },
);

test('the finding goes first, then what the service said', async () => {
  const { baseUrl } = await own('/wrong')();
  const env = { ORGCTL_BASE_URL: baseUrl, ORGCTL_TOKEN: 'a-token-of-nobody', ORGCTL_ORG: 'acme' };
  const { stderr } = await run(['members', 'list', '-o', 'json'], { env });
  const { error } = JSON.parse(stderr) as { readonly error: Readonly<Record<string, unknown>> };
  const { message, reasons, hint, exit, status } = error;
  const right = `${new URL(baseUrl).origin}/api/v2`;
  expect({ message, reasons, hint, exit, status }).toEqual({
    message: `${baseUrl} is not the API's address`,
    reasons: ['not found'],
    hint: `The API is at ${right}. Set that as the base URL.`,
    exit: 5,
    status: 404,
  });
});

test('no question after the address carries the token', async () => {
  const server = await startScripted(answer(404, PAGE, HTML));
  const env = { ORGCTL_BASE_URL: `${server.origin}/x`, ORGCTL_TOKEN: 'a-token-of-nobody', ORGCTL_ORG: 'acme' };
  await run(['members', 'list'], { env });
  expect(server.requests.length).toBeLessThanOrEqual(1 + 5);
  expect(server.requests.filter(({ headers }) => headers.has('authorization'))).toHaveLength(1);
});

test('a page in between while the service is where it should be', async () => {
  const service = await startService({
    alter: (given, request) =>
      request.url.includes('/organizations/') ? new Response(PAGE, { headers: HTML }) : given,
  });
  const result = await service.run(['members', 'list']);
  expect(result.code).toBe(9);
  expect(result.stderr).toContain(`  The API is at ${service.url} all the same.\n`);
});

test('a route that the service does not have, said in words of its own', async () => {
  const service = await startService({
    alter: (given, request) =>
      request.url.includes('/organizations/') ? new Response('404 page not found\n', { status: 404 }) : given,
  });
  const result = await service.run(['members', 'list']);
  expect(result.code).toBe(5);
  expect(result.stderr).toContain('all the same, so this service probably has no such route.\n');
  expect(result.stderr).not.toContain('proxy or login portal');
});
