import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { createBytes } from '../support/bytes.ts';
import { createFolder } from '../support/files.ts';
import { type Passing, type Reply, startFront } from '../support/front.ts';
import { NOW, run } from '../support/run.ts';
import { startService } from '../support/service.ts';
import { READING, WRITING } from '../support/verbs.ts';

/** Every verb that asks the service, with what it is called with. */
const ASKING: readonly (readonly [words: string, argv: readonly string[]])[] = [
  ...Object.entries(READING),
  ...Object.entries(WRITING).map(([words, argv]) => [words, [...argv, '--yes']] as const),
  ['api', ['organizations/acme/feature-sets', '--all', '--query', 'data']],
  ['api', ['POST', 'organizations/acme/organization-memberships', '--input', '-']],
  ['auth login', []],
];

// Encodings of URLs and of base64 change some character of them.
const TOKEN = 'ab.cd/ef+gh%ij.atlasv1.secret>of?the~test';
const STORED = `${TOKEN}-of-a-profile`;

function listForms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    encodeURI(secret),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
  ];
}

const FORMS = [TOKEN, STORED].flatMap(listForms);
const TEXT = FORMS.join(' ');

/** Ways of a service to say what it was sent. */
const ECHOES: Readonly<Record<string, (reply: Reply) => Reply>> = {
  'its result': ({ status, headers, body }) => ({ status, headers: addHeaders(headers), body: addForms(body) }),
  'an error document': () => {
    const error = { status: TEXT, title: TEXT, detail: TEXT, source: { pointer: TEXT }, meta: FORMS };
    return { status: 422, headers: addHeaders(), body: JSON.stringify({ errors: [error, TEXT] }) };
  },
  'a text': () => ({ status: 500, headers: addHeaders(), body: TEXT }),
  'a web page': () => ({
    status: 200,
    headers: addHeaders({ 'content-type': 'text/html' }),
    body: `<title>${STORED}</title>${TEXT}`,
  }),
  'a redirect': () => ({ status: 302, headers: addHeaders(), body: '' }),
};

function addHeaders(headers: Readonly<Record<string, string>> = { 'content-type': 'application/vnd.api+json' }) {
  return {
    ...headers,
    'x-request-id': TEXT,
    'retry-after': TEXT,
    location: `http://127.0.0.1:1/${encodeURIComponent(STORED)}`,
  };
}

function addForms(body: string): string {
  if (body === '') return '';
  return JSON.stringify(
    JSON.parse(body, (name, value) => (name === 'attributes' ? { ...value, 'created-at': TEXT, echo: FORMS } : value)),
  );
}

/** The service behind knows only its owner's token. */
function acceptAnyToken(sandbox: Sandbox): Pick<Sandbox, 'handle'> {
  return {
    handle(request) {
      const headers = new Headers(request.headers);
      headers.set('authorization', `Bearer ${sandbox.tokenFor('owner', 'acme')}`);
      return sandbox.handle(new Request(request, { headers }));
    },
  };
}

async function startEcho() {
  const sandbox = openSandbox({ state: ':memory:', rateLimit: 0, now: () => NOW, randomBytes: createBytes('echo') });
  onTestFinished(() => sandbox.close());
  let answer = async (passing: Passing): Promise<void> => passing.send(await passing.act());
  const front = await startFront(acceptAnyToken(sandbox), (passing) => answer(passing));
  return {
    url: front.url,
    echo(how: (reply: Reply) => Reply) {
      answer = async (passing) => passing.send(how(await passing.act()));
    },
  };
}

describe.each(Object.entries(ECHOES))('where %s echoes the secrets, no stream and no log has them', (_name, how) => {
  test.each(ASKING)('%s %j', async (words, argv) => {
    const { url, echo } = await startEcho();
    const home = createFolder();
    const log = join(home, 'writes.log');
    const env = { ORGCTL_BASE_URL: url, ORGCTL_ORG: 'acme', ORGCTL_LOG_FILE: log };
    // `auth status` asks with the tokens of all profiles.
    if (words === 'auth status')
      expect(await run(['auth', 'login', '--profile', 'work'], { env, home, stdin: STORED })).toMatchObject({
        code: 0,
      });
    echo(how);
    for (const options of [['-o', 'json'], ['--quiet']]) {
      const { stdout, stderr } = await run(
        [...words.split(' '), ...argv, '--debug', '--max-retries', '0', ...options],
        {
          env: { ...env, ...(words !== 'auth login' && { ORGCTL_TOKEN: TOKEN }) },
          home,
          stdin: words === 'auth login' ? TOKEN : '{}',
        },
      );
      const secrets = listForms(words === 'auth status' ? STORED : TOKEN);
      const written = existsSync(log) ? readFileSync(log, 'utf8') : '';
      for (const form of secrets) for (const text of [stdout, stderr, written]) expect(text).not.toContain(form);
    }
  });
});

test('nor has any the password of a proxy, which may end at a service', async () => {
  const password = 'proxy"pass\\word/+%';
  const forms = [password, `ana:${password}`].flatMap(listForms);
  const { url, echo } = await startEcho();
  echo(({ headers }) => ({ status: 422, headers, body: JSON.stringify({ errors: forms }) }));
  const proxy = `http://ana:${encodeURIComponent(password)}@127.0.0.1:1`;
  const env = { ORGCTL_BASE_URL: url, ORGCTL_TOKEN: TOKEN, HTTPS_PROXY: proxy };
  for (const argv of ['feature-sets list', 'feature-sets list -o json', 'api things', 'api things -o json']) {
    const { code, stdout, stderr } = await run([...argv.split(' '), '--debug'], { env });
    expect(code).toBe(7);
    for (const form of forms) expect(stdout + stderr).not.toContain(form);
  }
});

test('audit-token generate --debug shows the new token on stdout alone', async () => {
  const service = await startService();
  const { code, stderr } = await service.run(['audit-token', 'generate', '--yes', '--debug']);
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('debug: POST ');
  expect(stderr).not.toContain(service.secretOf() ?? '');
});
