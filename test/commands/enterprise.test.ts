import { describe, expect, test } from 'vitest';
import { startService } from '../support/service.ts';

/** The sandbox as Terraform Enterprise: its routes and its rules, not only its headers. */
async function run(line: string) {
  const service = await startService({ like: 'enterprise' });
  const { stderr, ...result } = await service.run(line.split(' '));
  const written = service.requests
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`);
  return { ...result, stderr: stderr.replace(/request [-0-9a-f]{36}/, 'request ID'), written };
}

const REFUSED = [
  'orgctl: this service is Terraform Enterprise, where audit trail tokens do not exist',
  '  The service says so: X-TFE-Version: v202604-1.',
  "  The request would act on acme's main organization token instead.",
  '  → If that is what you want, add --allow-enterprise.',
  '',
].join('\n');

test.each(['audit-token generate --yes', 'audit-token delete --yes'])(
  '%s is refused, and nothing is written',
  async (line) => {
    expect(await run(line)).toEqual({ code: 2, stdout: '', stderr: REFUSED, written: [] });
  },
);

test('with --allow-enterprise it is the organization token that is replaced', async () => {
  const service = await startService({ like: 'enterprise' });
  const general = async (): Promise<unknown> =>
    (await service.ask('GET', '/organizations/acme/authentication-token')).body;
  const before = await general();
  const { code, stdout } = await service.run(['audit-token', 'generate', '--yes', '--allow-enterprise']);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^sandbox\.\S+\n$/)]);
  expect(await general()).not.toEqual(before);
  expect((await service.ask('GET', '/organizations', 'org-token')).status).toBe(200);
});

test.each([
  ['audit-token generate', 'replace'],
  ['audit-token delete', 'delete'],
])('%s --allow-enterprise names that token before it acts', async (line, does) => {
  const { stderr } = await run(`${line} --allow-enterprise --dry-run`);
  expect(stderr).toContain(`Would ${does} acme's organization token`);
});

test('doctor names it, and counts no token of the audit trail', async () => {
  const { code, stdout } = await run('doctor --fields check,status,detail');
  expect(code).toBe(0);
  const lines = stdout.split('\n').filter((line) => /^(service|audit-token|token-policy)\t/.test(line));
  expect(lines).toEqual([
    'service\tok\tTerraform Enterprise 2.0.0, API 2.6',
    'audit-token\tok\tTerraform Enterprise has no audit trail tokens',
    "token-policy\tok\tacme doesn't limit how long organization tokens are valid",
  ]);
});

// Without the name of the application, and with the newer header of versions alone.
test('is known by its own number, too', async () => {
  const service = await startService({
    like: 'enterprise',
    alter: (given) => {
      for (const name of ['tfp-appname', 'x-tfe-version']) given.headers.delete(name);
      return given;
    },
  });
  const { code, stderr } = await service.run(['audit-token', 'generate', '--yes']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('The service says so: X-TFE-Current-Version: 2.0.0.')]);
  expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

/** Other services with the same API pass over the parameter, too, and send no header that says what they are. */
const withoutName = (given: Response): Response => {
  const headers = new Headers(given.headers);
  for (const name of ['tfp-appname', 'x-tfe-version', 'x-tfe-current-version', 'tfp-api-version']) headers.delete(name);
  return new Response(given.status === 204 ? null : given.body, { status: given.status, headers });
};

describe('a service that answers for the audit trail token with the organization token, and has no name', () => {
  const WRITES = {
    'audit-token generate': ['audit-token', 'generate', '--yes'],
    'audit-token rotate': ['audit-token', 'rotate', '--expires', '90d', '--to', 'exec:/bin/cat'],
    'audit-token delete': ['audit-token', 'delete', '--yes'],
  };
  test.each(Object.entries(WRITES))('%s sends nothing', async (_, argv) => {
    const service = await startService({ like: 'enterprise', alter: withoutName });
    await service.ask('POST', '/organizations/acme/authentication-token', 'owner', {
      data: { type: 'authentication-token', attributes: {} },
    });
    const { code, stderr } = await service.run(argv);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("with acme's main organization token, on which the request would act."),
    });
    expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test.each([
    ['generate', ['--yes']],
    ['rotate', ['--expires', '90d', '--to', 'exec:/bin/cat', '-q']],
  ])('where neither was there, audit-token %s says which one it made', async (verb, more) => {
    const service = await startService({ like: 'enterprise', alter: withoutName });
    await service.ask('DELETE', '/organizations/acme/authentication-token');
    const { stderr } = await service.run(['audit-token', verb, ...more]);
    expect(stderr).toMatch(/this service has no audit trail tokens: at-\w+ is acme's main organization token$/m);
  });

  test('audit-token generate calls it what it is, and leads to its rotation', async () => {
    const service = await startService({ like: 'enterprise', alter: withoutName });
    await service.ask('DELETE', '/organizations/acme/authentication-token');
    const { stderr } = await service.run(['audit-token', 'generate', '--yes']);
    expect(stderr).toContain("Created acme's new organization token; ");
    expect(stderr).toContain('$ orgctl --org acme tokens rotate organization --to file:./token ');
    expect(stderr).not.toContain('audit trail token;');
  });

  test('audit-token show says whose token it is', async () => {
    const service = await startService({ like: 'enterprise', alter: withoutName });
    await service.ask('POST', '/organizations/acme/authentication-token', 'owner', {
      data: { type: 'authentication-token', attributes: {} },
    });
    const { code, stderr } = await service.run(['audit-token', 'show']);
    expect(code).toBe(0);
    expect(stderr).toContain("it shows acme's main organization token");
  });
});
