import { describe, expect, test } from 'vitest';
import { formatJson, formatRequests } from '../support/demo.ts';
import { createNames } from '../support/names.ts';
import { startService } from '../support/service.ts';
import { AUDIT_TOKEN_ROWS } from './document/audit-tokens.ts';
import { FEATURE_SET_ROWS } from './document/feature-sets.ts';
import { PROVIDER_ROWS } from './document/providers.ts';

/** Operations of the service's document but those of memberships, and every parameter it shows for each. */
const DOCUMENT: Record<string, string[]> = {
  'GET /feature-sets': ['page[number]', 'page[size]'],
  'GET /organizations/:organization_name/feature-sets': [':organization_name', 'page[number]', 'page[size]'],
  'POST /organizations/:organization_name/authentication-token?token=audit-trails': [
    ':organization_name',
    'data.attributes.expired-at',
    'data.type',
    'token',
  ],
  'DELETE /organizations/:organization_name/authentication-token?token=audit-trails': [':organization_name', 'token'],
  'GET /organizations/:organization_name/registry-providers': [
    ':organization_name',
    'filter[organization_name]',
    'filter[registry_name]',
    'page[number]',
    'page[size]',
    'q',
  ],
  'POST /organizations/:organization_name/registry-providers': [
    ':organization_name',
    'data.attributes.name',
    'data.attributes.namespace',
    'data.attributes.registry-name',
    'data.type',
  ],
  'GET /organizations/:organization_name/registry-providers/:registry_name/:namespace/:name': [
    ':name',
    ':namespace',
    ':organization_name',
    ':registry_name',
  ],
  'DELETE /organizations/:organization_name/registry-providers/:registry_name/:namespace/:name': [
    ':name',
    ':namespace',
    ':organization_name',
    ':registry_name',
  ],
};

const ROWS = [...FEATURE_SET_ROWS, ...AUDIT_TOKEN_ROWS, ...PROVIDER_ROWS];

describe('the document, operation by operation and parameter by parameter', () => {
  test('all of them and all their parameters have a row', () => {
    const covered = Object.fromEntries(
      [...new Set(ROWS.map(({ operation }) => operation))].map((operation) => [
        operation,
        [...new Set(ROWS.filter((row) => row.operation === operation).flatMap(({ parameters }) => parameters))].sort(),
      ]),
    );
    expect(covered).toEqual(DOCUMENT);
  });

  for (const row of ROWS) {
    test([row.operation, row.parameters.join(', ') || 'no parameter', row.given].join(' | '), async () => {
      const [method = ''] = row.operation.split(' ');
      const asked = await startService();
      const names = await createNames(asked.sandbox);
      const body = row.ask.body === undefined ? undefined : JSON.parse(names.real(JSON.stringify(row.ask.body)));
      const answer = await asked.ask(method, names.real(row.ask.path), 'owner', body);
      expect({ status: answer.status, body: names.plainValue(answer.body) }).toEqual({
        status: row.answer.status,
        body: row.answer.body,
      });

      const commanded = await startService();
      const { plain, real } = await createNames(commanded.sandbox);
      const result = await commanded.run([...real(row.argv).split(' '), '-o', 'json']);
      expect({
        code: result.code,
        stdout: plain(result.stdout),
        stderr: plain(result.stderr),
        requests: formatRequests(commanded.requests, { plain }),
      }).toEqual({
        code: 0,
        stdout: formatJson(row.prints),
        stderr: (row.says ?? []).map((line) => `${line}\n`).join(''),
        requests: row.requests,
      });
    });
  }
});

describe('what holds after a write', () => {
  test('a new audit trail token replaces the one before', async () => {
    const service = await startService();
    const statusWith = async (token: string): Promise<number> => {
      const response = await fetch(`${service.url}/organization/audit-trail`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await response.text();
      return response.status;
    };
    const before = service.sandbox.tokenFor('audit-token', 'acme') ?? '';
    expect(await statusWith(before)).toBe(200);
    const { stdout } = await service.run(['audit-token', 'generate', '--yes', '-q']);
    expect(await statusWith(before)).toBe(401);
    expect(await statusWith(stdout.trimEnd())).toBe(200);
  });

  test('the secret is in the answer to its creation only', async () => {
    const service = await startService();
    const { stdout: secret } = await service.run(['audit-token', 'generate', '--yes', '-q']);
    const shown = await service.run(['audit-token', 'show', '-o', 'json']);
    expect(secret).toMatch(/^sandbox\.[A-Za-z0-9]{56}\n$/);
    expect(shown.stdout + shown.stderr).not.toContain(secret.trim());
  });

  test.each([
    ['audit-token delete --yes', '/organizations/acme/authentication-token?token=audit-trails'],
    ['members remove ou-ada --yes', '/organization-memberships/ou-ada'],
    ['providers delete private/acme/inventory --yes', '/organizations/acme/registry-providers/private/acme/inventory'],
  ])('gone after %s', async (argv, path) => {
    const service = await startService();
    const { real } = await createNames(service.sandbox);
    expect((await service.ask('GET', real(path))).status).toBe(200);
    expect((await service.run(real(argv).split(' '))).code).toBe(0);
    expect((await service.ask('GET', real(path))).status).toBe(404);
  });

  test('a name with characters that paths encode can be made, shown and deleted', async () => {
    const service = await startService();
    const run = (verb: string, ...more: string[]) =>
      service.run(['providers', verb, 'public/größe/50%25+?#', '--fields', 'id', ...more]);
    const made = await run('create');
    expect(made.code).toBe(0);
    expect(await run('get')).toEqual({ code: 0, stdout: made.stdout, stderr: '' });
    expect(await run('delete', '--yes')).toEqual({ code: 0, stdout: made.stdout, stderr: '' });
    expect(service.requests.map(({ path }) => path)).toContain(
      '/api/v2/organizations/acme/registry-providers/public/gr%C3%B6%C3%9Fe/50%2525%2B%3F%23',
    );
    expect((await run('get')).code).toBe(5);
  });
});
