import { expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';

/** What is between the user and the service, or the service itself, may answer with these. */
const json = (status: number, body: string) => () =>
  new Response(body, { status, headers: { 'content-type': 'application/json' } });
const html = (status: number) => () =>
  new Response('<html><title>Sorry</title>', { status, headers: { 'content-type': 'text/html' } });
const text =
  (status: number, body = '') =>
  () =>
    new Response(body, { status });

const PAGES = {
  '503 page': html(503),
  '403 page': html(403),
  '200 page': html(200),
  '405 xml': text(405, '<?xml version="1.0"?><Error/>'),
  '403 text': text(403, 'Forbidden'),
  '403 of a gateway': json(403, '{"message":"Forbidden"}'),
  'half of a 200': json(200, '{"data":[{"id":'),
  'too deep': json(200, `{"data":${'['.repeat(20_000)}${']'.repeat(20_000)}}`),
};
/** In JSON:API. */
const DAMAGED = {
  'null attributes': json(200, '{"data":{"id":"acme","type":"x","attributes":null}}'),
  'null relationships': json(200, '{"data":[{"id":"a","type":"x","relationships":null}]}'),
  'a null relationship': json(200, '{"data":[{"id":"a","type":"x","relationships":{"user":null}}]}'),
};

/** The policy of tokens is in force. */
function startAt(path: RegExp, answer: () => Response): Promise<TestService> {
  return startService({
    async alter(given, { url }) {
      if (path.test(url)) return answer();
      if (!/\/organizations\/\w+$/.test(url)) return given;
      return json(given.status, (await given.text()).replace('"max-ttl-enabled":false', '"max-ttl-enabled":true'))();
    },
  });
}

async function call(service: TestService, argv: string) {
  const { code, stdout, stderr } = await service.run(`${argv} --max-retries 0`.split(' '));
  return { code, stdout, stderr, writes: service.requests.filter(({ method }) => method !== 'GET').length };
}

const UNREADABLE: [path: RegExp, argv: string, code: number][] = [
  [/\/acme\/teams\?/, 'teams remove owners olive-owner --allow-self --yes', 9],
  [/\/teams\/team-\w+\?include/, 'teams remove owners olive-owner --allow-self --yes', 9],
  [/\/acme\/teams\?/, 'members remove ada-auditor --yes', 9],
  [/\/authentication-token\?/, 'audit-token show', 9],
  [/\/entitlement-set/, 'feature-sets current', 9],
  [/\/subscription/, 'feature-sets current', 9],
  [/\/organizations\/acme$/, 'tokens list', 9],
  [/\/team-tokens\?/, 'tokens list', 9],
  [/terraform\.json/, 'providers versions hashicorp/aws', 9],
  [/\/token-ttl-policies/, 'audit-token show --fail-if-expires-within 1d', 10],
  [/\/token-ttl-policies/, 'tokens list --fail-if-expires-within 1d', 10],
  // A creator and the names of teams only decorate.
  [/\/account\/details/, 'audit-token show', 0],
  [/\/acme\/teams\?/, 'tokens list --kind team', 0],
];

test.each(UNREADABLE)(
  'what is not the service at %s: %s exits with %i, and nothing is written',
  async (path, argv, code) => {
    const pages = argv.startsWith('providers') ? PAGES : { ...PAGES, ...DAMAGED };
    for (const [name, page] of Object.entries(pages)) {
      const result = await call(await startAt(path, page), argv);
      expect({ name, code: result.code, writes: result.writes, stderr: result.stderr }).toEqual({
        name,
        code,
        writes: 0,
        stderr: expect.not.stringMatching(/permission|has a bug|not found/),
      });
    }
  },
);

test.each([
  ['teams update audit --visibility organization', 9],
  ['teams delete audit --yes', 9],
  ['teams members audit', 9],
  ['teams remove owners olive-owner --allow-self --yes', 9],
  ['orgs update session-timeout=60 --yes', 9],
  ['orgs show', 9],
  ['tokens list', 9],
  ['orgs check', 10],
])('what answers with another team or organization is not the service: %s exits with %i', async (argv, code) => {
  const service = await startService({
    alter: async (given, { url, method }) =>
      method === 'GET' && /\/teams\/team-\w+(\?|$)|\/acme$/.test(url)
        ? json(given.status, (await given.text()).replaceAll(/"(id|name)":"[^"]*"/g, '"$1":"other"'))()
        : given,
  });
  expect(await call(service, argv)).toMatchObject({ code, writes: 0 });
});

test.each<[answer: string, page: () => Response, documented: number, other: number, policy: number]>([
  ['a 404 of the service', json(404, '{"errors":[{"status":"404"}]}'), 5, 5, 10],
  ['a 403 of the service', json(403, '{"errors":[{"status":"403"}]}'), 6, 6, 10],
  ['an empty 404', text(404), 9, 5, 10],
  ['a 404 in plain text', text(404, '404 page not found'), 9, 5, 10],
  ['an empty 405', text(405), 9, 7, 10],
])('%s counts', async (_answer, page, documented, other, policy) => {
  const ask = async (path: RegExp, argv: string) => (await call(await startAt(path, page), argv)).code;
  expect([
    await ask(/\/feature-sets/, 'feature-sets list'),
    await ask(/\/authentication-token/, 'audit-token show'),
    await ask(/\/token-ttl-policies/, 'audit-token show --fail-if-expires-within 1d'),
  ]).toEqual([documented, other, policy]);
});

test('a page for the tokens of Terraform Enterprise replaces none', async () => {
  for (const [name, page] of Object.entries(PAGES)) {
    const service = await startService({
      alter: (given, { url, method }) => (/\/ping|authentication-token/.test(url) && method === 'GET' ? page() : given),
    });
    expect({ name, ...(await call(service, 'audit-token generate --yes')) }).toMatchObject({
      name,
      code: 9,
      writes: 0,
    });
  }
});

test('a refusal without a word is named by its status', async () => {
  const { code, stderr } = await call(await startAt(/organization-memberships/, text(413)), 'members invite a@x.co');
  expect({ code, stderr }).toEqual({ code: 7, stderr: expect.stringContaining('the service answered 413') });
});

/** Services say less, or say it elsewhere. */
const drop = (name: string) => (body: string) =>
  JSON.stringify(JSON.parse(body, (key, value) => (key === name ? undefined : value)));
const dropEmails = (body: string): string =>
  JSON.stringify(
    JSON.parse(body, (_key, value) =>
      value?.type === 'organization-memberships' ? JSON.parse(drop('email')(JSON.stringify(value))) : value,
    ),
  );
const DEEP = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
const addDeep = (body: string): string => body.replace('{', `{"meta":${DEEP},`);

const [MEMBERS, AUDIT_TOKEN] = ['members list -o csv --fields email', 'audit-token show'];
const [INVITE, GENERATE] = ['members invite a@b.co --team audit --debug', 'audit-token generate --yes --debug'];

test.each<[what: string, path: RegExp, alter: (body: string) => string, argv: string, shown: RegExp]>([
  ['an email that only the user has', /memberships/, dropEmails, MEMBERS, /\nada\.auditor@/],
  ['a list that ignores include', /relationships/, drop('included'), 'teams members audit', /\tada-auditor\t/],
  ['own teams', /\/organization-memberships\?/, drop('included'), AUDIT_TOKEN, /not found, or you/],
  ['a deep answer to an invitation', /memberships/, addDeep, INVITE, /invited\ta@b\.co/],
  ['a deep answer to a new token', /authentication-token/, addDeep, GENERATE, /^[\w.-]+\n/],
])('%s', async (_what, path, alter, argv, shown) => {
  const service = await startService({
    async alter(given, { url, method }) {
      if (argv === AUDIT_TOKEN && url.includes('authentication-token')) return json(404, '{"errors":[]}')();
      const isAltered = path.test(url) && (!argv.includes('--debug') || method === 'POST');
      return isAltered ? json(given.status, alter(await given.text()))() : given;
    },
  });
  const result = await call(service, argv);
  expect({ code: result.code, text: result.stdout + result.stderr }).toEqual({
    code: argv === AUDIT_TOKEN ? 5 : 0,
    text: expect.stringMatching(shown),
  });
});

test('an address that is too long is said to be', async () => {
  const many = Array.from({ length: 400 }, (_, at) => `person${at}@example.com`).join(',');
  const token = await call(await startAt(/./, text(431)), 'members list');
  expect(token.stderr).not.toContain('too long');
  for (const page of [text(431), html(414), html(400), text(400)]) {
    const result = await call(await startAt(/filter/, page), `members list --email ${many}`);
    expect(result).toMatchObject({ code: 7, stderr: expect.stringContaining('the request is too long') });
  }
});
