import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { run } from '../support/run.ts';
import { startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

const createFullDisk = () =>
  new Writable({
    write: (_bytes, _encoding, done) => done(Object.assign(new Error('full'), { code: 'ENOSPC' })),
  });

test.each([['--help'], ['help', 'jobs'], ['members'], []])(
  '%s fails if it cannot be written',
  async (...argv: string[]) => {
    expect(await run(argv, { host: { stdout: createFullDisk() } })).toMatchObject({
      code: 1,
      stderr: 'orgctl: the result could not be written: no space is left\n',
    });
  },
);

test("says that a write was done if its result can't be printed", () =>
  transcript({ host: { stdout: createFullDisk() } })`
    $ members remove tara.team-manager@example.com --yes -o csv
    ! orgctl: the result could not be written: no space is left
    !   → What was changed stays changed.
    > DELETE /organization-memberships/ou-tara
    = 1
  `);

test.each([[['--fields', 'help', 'feature-sets', 'list']], [['feature-sets', 'list', '--fields=help']]])(
  '%s lists the fields, wherever the option stands',
  async (argv) => {
    expect((await run(argv)).stdout).toMatch(/^name\ncost\n/);
  },
);

// Jobs have such tokens, and a false reason would send people to the wrong place.
test('a token without memberships gets only what the service said', () => transcript()`
  $ AS=org-token api organizations/acme/nothing
  ! orgctl: can't send GET /organizations/acme/nothing: not found, or you don't have permission
  !   Your token is not a member of any organization; team and organization tokens never are.
  = 5
`);

test.each([
  ['/foo', "Your token is not a person's, or the base URL is wrong: its path is /foo."],
  ['/api/v2', "Your token is not a person's. An audit trail token reads only the audit trail."],
] as const)('a caller whose memberships are not shown learns what can be known: %s', async (path, why) => {
  const { run: runAt, url } = await startService();
  const argv = ['members', 'list', '--base-url', new URL(path, url).href];
  expect(await runAt(argv, { as: path === '/foo' ? 'owner' : 'audit-token' })).toMatchObject({
    code: 5,
    stderr: expect.stringMatching(new RegExp(`^ {2}${why}$`, 'm')),
  });
});
