import { describe, expect, test } from 'vitest';
import { type ServiceOptions, startService } from '../support/service.ts';

const SAME = "The service answers the same to a token that can't read the audit trail.";
const EMPTY = `No events. ${SAME}`;

/** Nobody says who calls. */
const SILENT: ServiceOptions = {
  alter: (answer, request) =>
    request.url.endsWith('/account/details') ? Response.json({ errors: [{ status: '404' }] }, { status: 404 }) : answer,
};

describe('audit-trail list without any event', () => {
  test.each([
    ['owner', 'a user token (olive-owner)', ''],
    ['owner', 'a user token (olive-owner)', '--since 2d -q'],
    ['owners-team', 'a team token (api-team-owners-acme)', '--page 2 -o csv'],
    ['owner', 'a user token (olive-owner)', '-o ndjson'],
  ] as const)('by %s, %s %s: exit 4, and nothing is printed', async (as, kind, flags) => {
    const service = await startService();
    const { code, stdout, stderr } = await service.run(['audit-trail', 'list', ...flags.split(' ').filter(Boolean)], {
      as,
    });
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toContain(`this token can't read the audit trail: it is ${kind}`);
    expect(stderr).toContain('Use the organization token or the audit trail token.');
  });

  test('a token that can read it: exit 0, without a word', async () => {
    const service = await startService();
    const result = await service.run(['audit-trail', 'list', '--since', '30m', '-o', 'json'], { as: 'org-token' });
    expect(result).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
  });

  // What keeps its account from being seen does not say which token it is.
  const ENDS = [
    { argv: 'audit-trail list', says: `warning: ${EMPTY}\n` },
    { argv: 'audit-trail list -q', says: `warning: ${EMPTY}\n` },
    { argv: 'audit-trail list -o json', prints: '[]\n', says: `${JSON.stringify({ warning: { message: EMPTY } })}\n` },
    { argv: 'audit-trail list --since 1h', says: `${EMPTY}\n` },
    { argv: 'audit-trail list --page 2', says: `${EMPTY}\n` },
    {
      argv: 'audit-trail list --since 1h -o json',
      prints: '[]\n',
      says: `${JSON.stringify({ note: { message: EMPTY } })}\n`,
    },
  ];
  for (const { argv, prints = '', says } of ENDS) {
    test(`${argv}, where nothing says which token it is: exit 0, and what it may mean`, async () => {
      const service = await startService(SILENT);
      expect(await service.run(argv.split(' '), { as: 'owner' })).toEqual({ code: 0, stdout: prints, stderr: says });
    });
  }
});

test('audit-trail list: when, who, what, and which', async () => {
  const service = await startService();
  await service.ask('POST', '/organizations/acme/authentication-token?token=audit-trails', 'owner', {
    data: { type: 'authentication-token', attributes: {} },
  });
  const { code, stdout, stderr } = await service.run(['audit-trail', 'list', '--limit', '1'], { as: 'org-token' });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^2026-11-21T09:00:00\.000Z\tolive-owner\tcreate\tauthentication_token\tat-\w+\t[\w-]+\n$/);
});
