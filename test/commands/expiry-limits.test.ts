import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toTokenPolicy } from '../../src/old/service/token-policy.ts';
import { parseWhen, toUtcText } from '../../src/old/when.ts';
import { parseFault } from '../../src/sandbox/faults.ts';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { createFolder } from '../support/files.ts';
import { NOW, type RunOptions, toText } from '../support/run.ts';
import { type ServiceOptions, startService } from '../support/service.ts';

const DAY = 86_400_000;
const POLICIES = '/organizations/acme/token-ttl-policies';
const SHOWN_ONCE = [
  'warning: This is the only time the secret is shown.',
  'To have the next one delivered and checked:',
  '  $ orgctl --org acme audit-token rotate --to file:./audit-token --expires 90d',
];

interface Ended {
  readonly code: number;
  readonly stderr: string;
  /** Of this run: how often the policy was read, and the expiry of each token that was asked for. */
  readonly readings: number;
  readonly asked: readonly unknown[];
}

interface Organization extends ServiceOptions, Pick<Partial<SandboxOptions>, 'like'> {
  /** Of its token policy. */
  readonly maximum?: number | undefined;
  /** Whether its policies are on. */
  readonly isOn?: boolean;
}

/** An organization, and a home that goes from run to run. */
async function start({ maximum, isOn = true, ...options }: Organization = {}) {
  const service = await startService(options);
  const home = createFolder();
  const target = join(home, 'at');
  const patch = async (path: string, type: string, attributes: object): Promise<void> => {
    expect((await service.ask('PATCH', path, 'owner', { data: { type, attributes } })).status).toBe(200);
  };
  if (maximum !== undefined) {
    const policies = ['audit_trails', 'organization'].map((type) => ({ 'token-type': type, 'max-ttl-ms': maximum }));
    await patch(POLICIES, 'organization-token-ttl-policies', { 'token-ttl-policies': policies });
    await patch('/organizations/acme', 'organizations', { 'max-ttl-enabled': isOn });
  }
  const run = async (line: string, more: RunOptions = {}): Promise<Ended> => {
    const before = service.requests.length;
    const argv = line.split(' ').map((word) => (word === 'TO' ? `file:${target}` : word));
    const { code, stderr } = await service.run(argv, { home, seed: `${before}`, ...more });
    const requests = service.requests.slice(before);
    return {
      code,
      stderr: stderr.replaceAll(target, 'TARGET'),
      readings: requests.filter(({ path }) => path.endsWith(POLICIES)).length,
      asked: requests
        .filter(({ method }) => method === 'POST')
        .map(({ body }) => JSON.parse(body).data.attributes['expired-at']),
    };
  };
  return {
    ...service,
    run,
    generate: (line: string, more?: RunOptions) => run(`audit-token generate${line}`, more),
    rotate: (line: string) => run(`audit-token rotate --to TO${line}`),
    delivered: () => existsSync(target),
  };
}

const refused = (message: string, hint: string, readings = 1): Ended => ({
  code: 2,
  stderr: toText(`orgctl: ${message}`, `  → ${hint}`),
  readings,
  asked: [],
});
const OWNER = 'An owner of acme can change its token policy.';

describe('a policy of 90 days', () => {
  const maximum = 90 * DAY;
  const tooLong = (text: string): Ended =>
    refused(`${text} is too long: acme allows at most 90 days`, `Use --expires 90d or less. ${OWNER}`);

  test.each(['1y', '91d', '2027-02-19T09:00:01Z'])('refuses %s before anything is sent', async (text) => {
    const { generate, rotate, delivered, sandbox } = await start({ maximum });
    const token = sandbox.tokenFor('audit-token', 'acme');
    const expected = tooLong(`--expires ${text}`);
    expect(await generate(` --yes --expires ${text}`)).toEqual(expected);
    expect(await generate(` --dry-run --expires ${text}`)).toEqual(expected);
    expect(await rotate(` --expires ${text}`)).toEqual(expected);
    expect(await rotate(` --expires ${text} --dry-run`)).toEqual(expected);
    expect([delivered(), sandbox.tokenFor('audit-token', 'acme')]).toEqual([false, token]);
  });

  test.each(['90d', '2027-02-19T09:00:00Z', '30m'])('takes %s', async (expires) => {
    const { generate, rotate } = await start({ maximum });
    expect(await generate(` --yes --expires ${expires}`)).toMatchObject({
      code: 0,
      readings: 1,
      asked: [expect.any(String)],
    });
    expect(await rotate(` --expires ${expires}`)).toMatchObject({ code: 0, readings: 1, asked: [expect.any(String)] });
  });

  test('warns of none and of never, and takes what the service decides', async () => {
    const { generate, rotate } = await start({ maximum });
    const warn = (which: string): string =>
      `warning: acme allows at most 90 days: the service decides what becomes of ${which}`;
    const made = "Created acme's new audit trail token; it expires in 90 days (2027-02-19 09:00 UTC).";
    const [none, never] = ['a token without --expires', 'a token that never expires'];
    expect(await generate(' --yes')).toEqual({
      code: 0,
      stderr: toText(warn(none), made, ...SHOWN_ONCE),
      readings: 1,
      asked: [undefined],
    });
    expect(await generate(' --yes --expires never')).toEqual({
      code: 0,
      stderr: toText(warn(never), made, ...SHOWN_ONCE),
      readings: 1,
      asked: [null],
    });
    const would =
      "Would replace acme's audit trail token (created today, never used); the service decides when the new one expires";
    expect(await generate(' --dry-run')).toMatchObject({
      code: 0,
      stderr: toText(warn(none), would, 'Nothing was sent.'),
      asked: [],
    });
    expect(await rotate(' --expires never')).toEqual({
      code: 0,
      stderr: toText(warn(never)),
      readings: 1,
      asked: [null],
    });
    const { stderr } = await rotate(' --expires never --dry-run');
    expect(stderr.replace(/ \(.*?\)/, '')).toBe(
      toText(
        warn(never),
        "Would replace acme's audit trail token; the service decides when the new one expires",
        'Checked: file:TARGET can be written, no other rotation runs',
        'Nothing was sent.',
      ),
    );
  });

  test('a question says so too', async () => {
    const { generate } = await start({ maximum });
    const tty = { stdin: true, stdout: true, stderr: true };
    const { stderr } = await generate('', { tty, stdin: 'n\n', columns: 200, env: { NO_COLOR: '1' } });
    expect(stderr).toContain('stops working at once.\nThe service decides when the new token expires.\n');
  });

  test('a rotation that is not due reads no policy', async () => {
    const { rotate } = await start({ maximum });
    await rotate(' --expires 60d');
    expect(await rotate(' --expires 1y --if-expires-within 30d')).toMatchObject({ code: 0, readings: 0, asked: [] });
  });
});

/** The policies of acme as a service shows them that does not say whether they are on. */
const HIDDEN: Pick<Organization, 'alter'> = {
  async alter(answer, request) {
    if (request.method !== 'GET' || !/organizations\/acme$/.test(request.url)) return answer;
    const { data } = (await answer.json()) as { data: { attributes: Record<string, unknown> } };
    const { 'max-ttl-enabled': _unsaid, ...attributes } = data.attributes;
    const headers = new Headers(answer.headers);
    headers.delete('content-length');
    return Response.json({ data: { ...data, attributes } }, { headers });
  },
};

describe('nothing is refused that the service allows', () => {
  const EXPIRIES = ['30d', '3y', '2031-01-01', 'never', undefined];
  /** By hand, generate, rotate, warned. */
  const TAKEN = [201, 0, 0, false];
  const WARNED = [201, 0, 0, true];
  const REFUSED = [422, 2, 2, false];
  const REJECTED = [422, 7, 7, true];

  test.each<[name: string, organization: Organization, ends: readonly (readonly unknown[])[]]>([
    ['no policy', {}, EXPIRIES.map(() => TAKEN)],
    ['a policy that is off', { maximum: 90 * DAY, isOn: false }, EXPIRIES.map(() => TAKEN)],
    ['a policy', { maximum: 90 * DAY }, [TAKEN, REFUSED, REFUSED, WARNED, WARNED]],
    [
      'one that is off, which is not said',
      { maximum: 90 * DAY, isOn: false, ...HIDDEN },
      [TAKEN, WARNED, WARNED, WARNED, WARNED],
    ],
    [
      'one that is on, which is not said',
      { maximum: 90 * DAY, ...HIDDEN },
      [TAKEN, REJECTED, REJECTED, WARNED, WARNED],
    ],
  ])('%s', async (_name, organization, ends) => {
    for (const like of ['document', 'hosted', 'enterprise'] as const) {
      const { ask, generate, rotate } = await start({ ...organization, like });
      const allow = like === 'enterprise' ? ' --allow-enterprise' : '';
      const rows = [];
      for (const expires of EXPIRIES) {
        const option = expires === undefined ? '' : ` --expires ${expires}`;
        const made = await generate(` --yes${option}${allow}`);
        const rotated = await rotate(`${option === '' ? ' --expires same' : option}${allow}`);
        const at = expires === undefined || expires === 'never' ? null : toUtcText(parseAt(expires));
        const attributes = expires === undefined ? {} : { 'expired-at': at };
        const body = { data: { type: 'authentication-token', attributes } };
        const byHand = await ask('POST', '/organizations/acme/authentication-token?token=audit-trails', 'owner', body);
        rows.push([byHand.status, made.code, rotated.code, /the service decides/.test(made.stderr)]);
      }
      expect([like, rows]).toEqual([like, ends]);
    }
  });
});

function parseAt(expires: string): Date {
  const when = parseWhen(expires, NOW);
  return when === 'never' ? new Date(Number.NaN) : when.at;
}

describe('the default of two years', () => {
  test('is what nobody is warned of', async () => {
    const { generate, rotate } = await start();
    const made = toText("Created acme's new audit trail token; it never expires.", ...SHOWN_ONCE);
    expect(await generate(' --yes')).toEqual({ code: 0, stderr: made, readings: 1, asked: [undefined] });
    expect(await generate(' --yes --expires never')).toMatchObject({ stderr: made, asked: [null] });
    expect(await rotate(' --expires never')).toMatchObject({ code: 0, stderr: '', asked: [null] });
  });

  const doubt = (text: string): string =>
    `warning: acme's token policy is 2 years at most, and possibly off: the service decides what becomes of ${text}`;

  // 731 days: they begin before the 29th of February 2028.
  test('is a warning, where policies are on, for what is longer than two years of the calendar', async () => {
    const { generate, rotate, ask } = await start();
    const attributes = { 'max-ttl-enabled': true };
    await ask('PATCH', '/organizations/acme', 'owner', { data: { type: 'organizations', attributes } });
    for (const [text, asked, warned] of [
      ['2y', '2028-11-21T09:00:00Z', false],
      ['2028-11-21', '2028-11-21T00:00:00Z', false],
      ['2028-11-22', '2028-11-22T00:00:00Z', true],
      ['3y', '2029-11-21T09:00:00Z', true],
    ] as const) {
      const { code, stderr, ...end } = await generate(` --yes --expires ${text}`);
      expect([code, end.asked, stderr.includes('warning: acme')]).toEqual([0, [asked], warned]);
    }
    expect((await generate(' --yes --expires 3y')).stderr).toContain(`${doubt('--expires 3y')}\n`);
    expect(await rotate(' --expires same')).toMatchObject({ code: 0, stderr: `${doubt('--expires same')}\n` });
  });

  // 730 days: no 29th of February is among them.
  test('has 730 days and 11 hours where two years have 730 days', async () => {
    const now = Date.UTC(2028, 2, 1);
    const { generate, ask } = await start();
    const attributes = { 'max-ttl-enabled': true };
    await ask('PATCH', '/organizations/acme', 'owner', { data: { type: 'organizations', attributes } });
    const isWarned = async (expires: string) =>
      (await generate(` --yes --expires ${expires}`, { now })).stderr.includes('token policy');
    expect(await isWarned('2y')).toBe(false);
    expect(await isWarned('2030-03-01T11:38:24Z')).toBe(false);
    expect(await isWarned('2030-03-01T11:38:25Z')).toBe(true);
  });
});

describe('a service that shows no policy', () => {
  const json = (status: number, body: unknown): ServiceOptions => altered(() => Response.json(body, { status }));
  const altered = (answer: () => Response): ServiceOptions => ({
    alter: (usual, request) => (request.url.endsWith(POLICIES) ? answer() : usual),
  });
  const policy = (attributes: unknown): unknown => ({ data: [{ id: 'ttl-1', type: 'x', attributes }] });

  test.each<[name: string, service: ServiceOptions]>([
    ['404', json(404, { errors: [{ status: '404' }] })],
    ['403', json(403, { errors: [{ status: '403' }] })],
    ['401', json(401, { errors: [{ status: '401' }] })],
    ['429', altered(() => new Response('{}', { status: 429, headers: { 'retry-after': '1' } }))],
    ['503', json(503, {})],
    ['a web page', altered(() => new Response('<html></html>', { headers: { 'content-type': 'text/html' } }))],
    ['a redirect', altered(() => new Response(null, { status: 302, headers: { location: 'https://example.com' } }))],
    ['no list', json(200, { data: { audit_trails: 1 } })],
    ['odd entries', json(200, { data: [null, 'x', { attributes: 3 }] })],
    ['other kinds of tokens', json(200, policy({ 'token-type': 'user', 'max-ttl-ms': DAY }))],
    ['a limit that is no number', json(200, policy({ 'token-type': 'audit_trails', 'max-ttl-ms': '1d' }))],
    ['a limit of nothing', json(200, policy({ 'token-type': 'audit_trails', 'max-ttl-ms': 0 }))],
    ['a limit beyond all dates', json(200, policy({ 'token-type': 'audit_trails', 'max-ttl-ms': 2 ** 52 }))],
  ])('%s: one request, and no word of it', async (_name, service) => {
    const { generate, rotate, run } = await start(service);
    expect(await generate(' --yes --expires 10y')).toEqual({
      code: 0,
      stderr: toText(
        "Created acme's new audit trail token; it expires in 10 years (2036-11-21 09:00 UTC).",
        ...SHOWN_ONCE,
      ),
      readings: 1,
      asked: ['2036-11-21T09:00:00Z'],
    });
    expect(await rotate(' --expires 10y')).toMatchObject({ code: 0, stderr: '', readings: 1 });
    const { stderr } = await run('doctor -o json');
    expect(stderr).not.toContain('policy');
  });

  test('a connection that breaks is no reason to stop', async () => {
    const { generate } = await start({ faults: [parseFault('GET token-ttl-policies: reset-before')] });
    expect(await generate(' --yes --expires 10y')).toMatchObject({ code: 0, readings: 0 });
  });
});

test('with --allow-enterprise the policy of the main token counts', async () => {
  const { generate } = await start({
    alter(answer, request) {
      const headers = new Headers(answer.headers);
      headers.set('TFP-AppName', 'Terraform Enterprise');
      const attributes = { 'token-type': 'organization', 'max-ttl-ms': 7 * DAY, 'max-ttl-enabled': true };
      const isRead = request.method === 'GET' && /organizations\/acme(\/token-ttl-policies)?$/.test(request.url);
      if (!isRead) return new Response(answer.body, { status: answer.status, headers });
      headers.delete('content-length');
      const data = { id: 'acme', type: 'x', attributes };
      return Response.json({ data: request.url.endsWith(POLICIES) ? [data] : data }, { headers });
    },
  });
  expect(await generate(' --yes --allow-enterprise --expires 8d')).toEqual(
    refused('--expires 8d is too long: acme allows at most 7 days', `Use --expires 7d or less. ${OWNER}`),
  );
});

test.each([
  [63_113_904_000, '2 years', '2y', true],
  [31_556_952_000, '1 year', '1y', false],
  [15_778_476_000, '6 months', '6mo', false],
  [63_072_000_000, '730 days', '730d', false],
  [90 * DAY, '90 days', '90d', false],
  [DAY, '1 day', '1d', false],
  [36 * 3_600_000, '36 hours', '36h', false],
  [90 * DAY + 1, '90 days', '90d', false],
  [3_600_000, '1 hour', '1h', false],
  [5_400_000, '1 hour', '1h', false],
  [90_500, '1 minute', '1m', false],
  [999, '999 milliseconds', '999ms', false],
])('%d ms are said as %s', (milliseconds, words, text, isDefault) => {
  expect(toTokenPolicy(milliseconds)).toEqual({ milliseconds, words, text, isDefault });
});
