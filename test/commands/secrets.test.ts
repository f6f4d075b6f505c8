import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { createFolder } from '../support/files.ts';
import { type Reply, startFront } from '../support/front.ts';
import { run } from '../support/run.ts';
import { startService } from '../support/service.ts';
import { READING, WRITING } from '../support/verbs.ts';

/** Every verb that asks the service, with what it is called with. */
const ASKING: [words: string, argv: string[]][] = [
  ...Object.entries(READING),
  ...Object.entries(WRITING).map(([words, argv]): [string, string[]] => [words, [...argv, '--yes']]),
  ['api', ['organizations/acme/feature-sets', '--all', '--query', 'data']],
  ['api', ['POST', 'organizations/acme/organization-memberships', '--input', '-']],
  ['auth login', []],
];

// Encodings of URLs and of base64 change some character of them.
const TOKEN = 'ab.cd/ef+gh%ij.atlasv1.secret>of?the~test';
const STORED = `${TOKEN}-of-a-profile`;

function listForms(secret: string): string[] {
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
const ECHOES: ((act: () => Promise<Reply>) => Reply | Promise<Reply>)[] = [
  async (act) => {
    const { status, headers, body } = await act();
    return { status, headers: addHeaders(headers), body: addForms(body) };
  },
  () => {
    const error = { status: TEXT, title: TEXT, detail: TEXT, source: { pointer: TEXT }, meta: FORMS };
    return { status: 422, headers: addHeaders(), body: JSON.stringify({ errors: [error, TEXT] }) };
  },
  () => ({ status: 500, headers: addHeaders(), body: TEXT }),
  () => ({
    status: 200,
    headers: addHeaders({ 'content-type': 'text/html' }),
    body: `<title>${STORED}</title>${TEXT}`,
  }),
  () => ({ status: 302, headers: addHeaders(), body: '' }),
];

function addHeaders(headers: Record<string, string> = { 'content-type': 'application/vnd.api+json' }) {
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
  const { sandbox } = await startService();
  let answer: (typeof ECHOES)[number] = (act) => act();
  const front = await startFront(acceptAnyToken(sandbox), async ({ act, send }) => send(await answer(act)));
  return {
    url: front.url,
    echo(how: typeof answer) {
      answer = how;
    },
  };
}

test.each(ASKING)('%s %j shows no secret that the service repeats', async (words, argv) => {
  const { url, echo } = await startEcho();
  const home = createFolder();
  const log = join(home, 'writes.log');
  const env = { ORGCTL_BASE_URL: url, ORGCTL_ORG: 'acme', ORGCTL_LOG_FILE: log };
  // `auth status` asks with the tokens of all profiles.
  if (words === 'auth status') {
    const login = await run(['auth', 'login', '--profile', 'work'], { env, home, stdin: STORED });
    expect(login).toMatchObject({ code: 0 });
  }
  const secrets = listForms(words === 'auth status' ? STORED : TOKEN);
  for (const how of ECHOES) {
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
      // `api` prints what the service said, as it is.
      const printed = words === 'api' ? [stderr] : [stdout, stderr];
      for (const form of secrets) for (const text of printed) expect(text).not.toContain(form);
    }
  }
  const written = existsSync(log) ? readFileSync(log, 'utf8') : '';
  for (const form of secrets) expect(written).not.toContain(form);
});

test('shows no proxy password, even if the proxy leads to the service', async () => {
  const password = 'proxy"pass\\word/+%';
  const forms = [password, `ana:${password}`].flatMap(listForms);
  const { url, echo } = await startEcho();
  echo(() => ({ status: 422, headers: addHeaders(), body: JSON.stringify({ errors: forms }) }));
  const proxy = `http://ana:${encodeURIComponent(password)}@127.0.0.1:1`;
  const env = { ORGCTL_BASE_URL: url, ORGCTL_TOKEN: TOKEN, HTTPS_PROXY: proxy };
  for (const argv of ['feature-sets list', 'feature-sets list -o json', 'api things', 'api things -o json']) {
    const { code, stdout, stderr } = await run([...argv.split(' '), '--debug'], { env });
    expect(code).toBe(7);
    for (const form of forms) expect(stdout + stderr).not.toContain(form);
  }
});

test('nor has any a new token that an error document holds', async () => {
  const errors = [{ title: 'half done', token: 'a-new-token' }];
  const { run: call } = await startService({
    alter: (answer, { method }) => (method === 'POST' ? Response.json({ errors }, { status: 422 }) : answer),
  });
  const { code, stdout, stderr } = await call('audit-token generate --yes -o json --debug'.split(' '));
  expect({ code, text: stdout + stderr }).toEqual({ code: 7, text: expect.not.stringContaining('a-new-token') });
});

/** Where a token comes from: the environment, and the words that make a home folder know it. */
const SOURCES: [source: string, env: Record<string, string>, stored?: string[]][] = [
  ['ORGCTL_TOKEN', { ORGCTL_TOKEN: TOKEN }],
  ['TFE_TOKEN', { TFE_TOKEN: TOKEN }],
  ['auth login', {}, ['auth', 'login']],
  ['token-command', {}, ['settings', 'set', 'token-command', `printf %s '${TOKEN}'`]],
];

test.each(SOURCES)('a token from %s is in no file, row, error or message', async (_source, more, stored) => {
  const { url, echo } = await startEcho();
  const home = createFolder();
  const log = join(home, 'writes.log');
  const env = { ORGCTL_BASE_URL: url, ORGCTL_ORG: 'acme', ORGCTL_LOG_FILE: log, ...more };
  if (stored) expect(await run(stored, { env, home, stdin: TOKEN })).toMatchObject({ code: 0 });
  for (const how of ECHOES) {
    echo(how);
    for (const argv of [
      'teams list -o table',
      'audit-token show -o csv',
      'members invite a@b.co --team audit -o json',
    ]) {
      for (const options of [{}, { tty: { stdout: true, stderr: true }, columns: 60 }]) {
        const words = [...argv.split(' '), '--debug', '--max-retries', '0'];
        const { stdout, stderr } = await run(words, { env, home, ...options });
        // A table cuts what is long.
        for (const form of [...listForms(TOKEN), TOKEN.slice(0, 20)]) expect(stdout + stderr).not.toContain(form);
      }
    }
  }
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const holders = files.filter(({ name, parentPath }) => readFileSync(join(parentPath, name), 'utf8').includes(TOKEN));
  expect(holders.map(({ name }) => name)).toEqual(
    stored ? [stored[0] === 'auth' ? 'credentials.json' : 'config.json'] : [],
  );
});

test('what the service said is data: a team may be called like the password of a proxy', async () => {
  const { url, sandbox } = await startService();
  const token = sandbox.tokenFor('owner', 'acme') ?? '';
  const env = { ORGCTL_BASE_URL: url, ORGCTL_TOKEN: token, HTTPS_PROXY: 'http://ana:platform@127.0.0.1:1' };
  for (const argv of ['teams list --org acme --fields name -o csv', 'api organizations/acme/teams']) {
    expect((await run(argv.split(' '), { env })).stdout).toContain('platform');
  }
});

test('the secret of a token is read by api alone', async () => {
  const alter = async (answer: Response, { url }: Request): Promise<Response> => {
    if (!/authentication-token|team-tokens/.test(url)) return answer;
    const text = (await answer.text()).replaceAll('"token":null', '"token":"a-secret-of-it"');
    return Response.json(JSON.parse(text), { status: answer.status });
  };
  const { run: call } = await startService({ alter });
  for (const argv of ['audit-token show', 'tokens list', 'audit-token show --debug', 'tokens list --debug']) {
    const { code, stdout, stderr } = await call([...argv.split(' '), '-o', 'json']);
    expect(code).toBe(0);
    expect(stdout + stderr).not.toContain('a-secret-of-it');
  }
  const { stdout } = await call(['api', 'organizations/acme/authentication-token?token=audit-trails']);
  expect(stdout).toContain('"token":"a-secret-of-it"');
});

test('the answer to a request for a token is not shown, whatever it calls the secret', async () => {
  const service = await startService({
    alter: async (answer, { method }) =>
      method === 'POST' ? Response.json({ meta: { value: 'a-secret-of-it' }, ...Object(await answer.json()) }) : answer,
  });
  const { code, stderr } = await service.run('audit-token generate --yes --debug'.split(' '));
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('debug: POST ') });
  for (const secret of ['a-secret-of-it', service.secretOf()]) expect(stderr).not.toContain(secret);
});

test('a bug shows where it is with --debug, and no secret', async () => {
  const { url } = await startEcho();
  const now = () => {
    throw new TypeError(`broken by ${TOKEN}`);
  };
  for (const debug of [[], ['--debug']]) {
    const { code, stderr } = await run(['teams', 'list', '--org', 'acme', ...debug], {
      env: { ORGCTL_BASE_URL: url, ORGCTL_TOKEN: TOKEN },
      host: { now },
    });
    expect({ code, isShown: /\n {2}at .*\n/.test(stderr) }).toEqual({ code: 1, isShown: debug.length > 0 });
    expect(stderr).toContain('orgctl has a bug: broken by [removed]');
  }
});
