import { describe, expect, test } from 'vitest';
import { startService } from '../support/service.ts';

const EMPTY =
  'no events. The service also answers so to a token that may not read them: it takes the audit trail token or the organization token, not a user or team token';

describe('audit-trail list without any event', () => {
  // To a person's token the service answers with an empty list.
  const ENDS = [
    { argv: 'audit-trail list', says: `warning: ${EMPTY}\n` },
    { argv: 'audit-trail list -q', says: `warning: ${EMPTY}\n` },
    { argv: 'audit-trail list -o json', prints: '[]\n', says: `${JSON.stringify({ warning: { message: EMPTY } })}\n` },
    { argv: 'audit-trail list --since 1h', says: `${EMPTY}\n` },
    { argv: 'audit-trail list --since 1h -q', says: '' },
    { argv: 'audit-trail list --page 2', says: `${EMPTY}\n` },
    { argv: 'audit-trail list --page 2 -q', says: '' },
    {
      argv: 'audit-trail list --since 1h -o json',
      prints: '[]\n',
      says: `${JSON.stringify({ note: { message: EMPTY } })}\n`,
    },
  ];
  for (const { argv, prints = '', says } of ENDS) {
    test(`${argv}: exit 0, and what it may mean`, async () => {
      const service = await startService();
      expect(await service.run(argv.split(' '), { as: 'owner' })).toEqual({ code: 0, stdout: prints, stderr: says });
    });
  }

  test('with a token that may read them nothing is said', async () => {
    const service = await startService();
    const result = await service.run(['audit-trail', 'list', '-o', 'ndjson'], { as: 'audit-token' });
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' });
    expect(result.stdout).not.toBe('');
  });
});
