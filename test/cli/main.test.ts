import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { run } from '../support/run.ts';
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
