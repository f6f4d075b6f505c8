import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createFolder } from '../support/files.ts';
import { type RunOptions, run } from '../support/run.ts';
import { answer, startScripted } from '../support/scripted.ts';
import { startService } from '../support/service.ts';
import { createHomeOf } from '../support/stored.ts';

const LONG = 'abcdefghijklmn.atlasv1.'.padEnd(20_000, 'Q7x');
const ORIGIN = 'http://127.0.0.1:9';
const TARGET = { ORGCTL_BASE_URL: `${ORIGIN}/api/v2`, ORGCTL_ORG: 'acme' };

describe('a token that is longer than 4096 characters is refused before anything is sent, by where it comes from', () => {
  test.each([
    ['ORGCTL_TOKEN', { ...TARGET, ORGCTL_TOKEN: LONG }, {}],
    ['TFE_TOKEN', { ...TARGET, TFE_TOKEN: LONG }, {}],
    [
      'TF_TOKEN_tfe_example_test',
      { ...TARGET, ORGCTL_BASE_URL: 'https://tfe.example.test', TF_TOKEN_tfe_example_test: LONG },
      {},
    ],
    ['the token in credentials.json', TARGET, { credentials: { credentials: { [ORIGIN]: { token: LONG } } } }],
    [
      '.terraform.d/credentials.tfrc.json',
      { ...TARGET, ORGCTL_BASE_URL: 'https://tfe.example.test' },
      { terraform: { credentials: { 'tfe.example.test': { token: LONG } } } },
    ],
  ])('%s', async (source, env, stored) => {
    for (const mode of [[], ['--debug', '-o', 'json']]) {
      const home = createHomeOf(stored);
      const { code, stdout, stderr } = await run(['members', 'list', ...mode], { env, home });
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(`${source} is longer than 4096 characters, so it is not a token`);
      expect(stderr).toContain('Copy the token again, alone on one line.');
      expect(stderr).not.toContain('Q7xQ7x');
    }
  });

  test('stdin', async () => {
    const { code, stderr } = await run(['auth', 'login'], { stdin: LONG, env: TARGET });
    expect(code).toBe(2);
    expect(stderr).toContain('what stdin holds is longer than 4096 characters, so it is not a token');
    expect(stderr).not.toContain('Q7xQ7x');
  });

  test('one of 4096 is not', async () => {
    const service = await startService();
    const { code, stderr } = await service.run(['members', 'list'], { env: { ORGCTL_TOKEN: LONG.slice(0, 4_096) } });
    expect(code).toBe(4);
    expect(stderr).not.toContain('Q7xQ7x');
  });

  test('a new one from the service leaves open what became of the one before', async () => {
    const service = await startService({
      async alter(response, request) {
        if (request.method !== 'POST') return response;
        const { data } = (await response.json()) as { data: { attributes: object } };
        const attributes = { ...data.attributes, token: LONG };
        return Response.json({ data: { ...data, attributes } }, { status: 201 });
      },
    });
    for (const mode of [[], ['--debug'], ['-o', 'json']]) {
      const { code, stdout, stderr } = await service.run(['audit-token', 'generate', '--yes', ...mode]);
      expect([code, stdout]).toEqual([11, '']);
      expect(stderr).toContain('the token in it is longer than 4096 characters');
      expect(stderr).not.toContain('Q7xQ7x');
    }
  });
});

// As JSON Web Tokens do: the first part is the same in all of them.
test('a new one that begins like the token that asks is given as it came', async () => {
  const head = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.';
  const made = `${head}eyJzdWIiOiJvdC1OZXcifQ.Q7xQ7xQ7xQ7x`;
  const data = { id: 'at-1', type: 'authentication-tokens', attributes: { token: made, description: head } };
  const [done, absent] = [answer(201, { data }), answer(404, { errors: [{ status: '404' }] })];
  const { origin } = await startScripted((socket, request) =>
    (request.method === 'POST' ? done : absent)(socket, request),
  );
  const env = { ...TARGET, ORGCTL_BASE_URL: `${origin}/api/v2`, ORGCTL_TOKEN: `${head}eyJzdWIiOiJhIn0.abcabcabcabc` };
  const call = (argv: string, options: RunOptions = {}) => run(argv.split(' '), { env, ...options });
  expect(await call('audit-token generate --yes')).toMatchObject({ code: 0, stdout: `${made}\n` });
  const home = createFolder();
  await call('audit-token rotate --expires 90d --to file:./token', { home });
  expect(readFileSync(join(home, 'token'), 'utf8')).toBe(made);
  const path = '/organizations/acme/authentication-token';
  const { stdout } = await call(`api POST ${path} --yes --input -`, { stdin: '{"data":{}}' });
  expect(JSON.parse(stdout)).toEqual({ data: { ...data, attributes: { token: made, description: '[removed]' } } });
});

test('a token of less than eight characters takes no word of orgctl away', async () => {
  const env = { ...TARGET, ORGCTL_TOKEN: 'x', HTTPS_PROXY: 'http://[', ORGCTL_BASE_URL: 'https://tfe.example.test' };
  const { stderr } = await run(['members', 'list', '--max-retries', '0'], { env });
  expect(stderr).toContain('HTTPS_PROXY');
  expect(stderr).not.toContain('[removed]');
});

describe('a service that says more than anybody reads', () => {
  const detail = 'so '.repeat(7_000_000);
  test('is shown as far as people read', async () => {
    const server = await startScripted(answer(422, { errors: [{ title: 'no', detail }, ...Array(5_000).fill('no')] }));
    const env = { ORGCTL_BASE_URL: server.origin, ORGCTL_TOKEN: 'a-token-of-tests' };
    const { code, stderr } = await run(['members', 'show', 'ou-1'], { env });
    expect(code).toBe(7);
    expect(stderr).toMatch(/so so [so]*… \(\d{8} more characters\)\n {2}no\n/);
    expect(stderr).toMatch(/\n {2}… \(\d{4} more lines\)\n$/);
    expect(stderr.length).toBeLessThan(30_000);
  });

  test('is repeated in JSON as far as programs need', async () => {
    const server = await startScripted(answer(422, { errors: [{ title: 'no', detail }, ...Array(5_000).fill('no')] }));
    const env = { ORGCTL_BASE_URL: server.origin, ORGCTL_TOKEN: 'a-token-of-tests' };
    const { stderr } = await run(['members', 'show', 'ou-1', '-o', 'json'], { env });
    const { error } = JSON.parse(stderr) as { error: { errors: { detail: string }[]; exit: number } };
    expect(error.exit).toBe(7);
    expect(error.errors[0]?.detail).toMatch(/^so so [so ]*… \(\d{8} more characters\)$/);
    expect(error.errors.at(-1)).toBe('… (4001 more)');
    expect(stderr.length).toBeLessThan(60_000);
  });
});

test.each([
  [
    [],
    `orgctl: the command failed with exit code 4, and the error can't be shown
`,
  ],
  [
    ['-o', 'json'],
    `{"error":{"code":"not-authenticated","exit":4,"message":"the command failed with exit code 4, and the error can't be shown"}}
`,
  ],
])('an error that cannot be shown ends with its code, and without a word of it: %j', async (mode, expected) => {
  let shown = '';
  let failures = 0;
  const stderr: Writable = Object.defineProperty(
    new Writable({
      write(piece: Buffer, _encoding, done) {
        shown += piece.toString('utf8');
        done();
      },
    }),
    'on',
    {
      value(...listened: Parameters<Writable['on']>): Writable {
        failures += 1;
        // Where the error is to be shown.
        if (failures === 1) throw new Error('a-secret-of-mine');
        return Writable.prototype.on.apply(stderr, listened);
      },
    },
  );
  const { code } = await run(['members', 'list', ...mode], { host: { stderr } });
  expect([code, shown]).toEqual([4, expected]);
});
