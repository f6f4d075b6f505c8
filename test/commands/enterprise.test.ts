import { expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';

/** The sandbox as Terraform Enterprise: its routes and its rules, not only its headers. */
const ORGANIZATION = '/organizations/acme/authentication-token';
const WRITES = [
  'audit-token generate --yes',
  'audit-token rotate --expires 90d --to file:token --yes',
  'audit-token delete --yes',
  'tokens rotate audit-trail --expires 90d --to file:token --yes',
  'tokens delete audit-trail --yes',
];

/** A service that ignores what names the audit trail token. Without its headers it doesn't say what it is. */
const start = (kept: string[]) =>
  startService({
    like: 'enterprise',
    alter(answer) {
      const headers = new Headers(answer.headers);
      for (const name of ['tfp-appname', 'x-tfe-version', 'x-tfe-current-version']) {
        if (!kept.includes(name)) headers.delete(name);
      }
      return new Response(answer.status === 204 ? null : answer.body, { status: answer.status, headers });
    },
  });

const listWrites = ({ requests }: TestService) => requests.filter(({ method }) => method !== 'GET');

test.each(WRITES)('%s is refused, however the service is known', async (line) => {
  for (const kept of [['tfp-appname'], ['x-tfe-version'], ['x-tfe-current-version'], []]) {
    const service = await start(kept);
    const { code, stderr } = await service.run(line.split(' '));
    expect([code, listWrites(service)]).toEqual([2, []]);
    expect(stderr).toContain("this service has no audit trail tokens: acme's organization token would be affected\n");
  }
});

test.each(WRITES)('%s --allow-enterprise acts on the organization token, and says so', async (line) => {
  const service = await start(['tfp-appname']);
  const argv = [...line.split(' '), '--allow-enterprise'];
  const tty = { stdout: true };
  expect((await service.run([...argv, '--dry-run'], { tty })).stderr).toMatch(
    /^Would (replace|delete) acme's organization token/,
  );
  expect((await service.run(argv, { tty })).code).toBe(0);
  expect(listWrites(service).map(({ path }) => path)).toEqual([`/api/v2${ORGANIZATION}`]);
});

test.each(['audit-token show', 'audit-token show --org acme,globex'])(
  "%s doesn't show the organization's token",
  async (line) => {
    for (const kept of [['tfp-appname'], []]) {
      const service = await start(kept);
      const { code, stdout, stderr } = await service.run([...line.split(' '), '-o', 'json']);
      expect([code, stdout.includes('at-')]).toEqual([5, false]);
      expect(stderr).toContain('this service has no audit trail tokens');
    }
  },
);

test('doctor names it', async () => {
  const { code, stdout } = await (await startService({ like: 'enterprise' })).run(['doctor', '-o', 'tsv']);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining('Terraform Enterprise 2.0.0 answers at '),
  });
});
