import { describe, expect, test } from 'vitest';
import type { RunOptions } from '../support/run.ts';
import { startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

test('--file names people, and where each row acts', () =>
  transcript({
    files: {
      people: 'email,user,id,teams,note\nada.auditor@example.com,,,security,x\n,milo-member,,,\n,,ou-olive,,\n',
      wrong: 'email,organization\nno,\n,\nada.auditor@example.com,globex\nmilo.member@example.com,acme\n',
      two: 'email,user\nada.auditor@example.com,milo-member\n',
      sam: 'email,organization\nsam.sso@example.com,globex\n',
    },
  })`
    $ teams add audit --file - --fields result,id < people
    unchanged\tou-ada
    unchanged\tou-milo
    added\tou-olive
    ! stdin: not used: note
    > POST /teams/team-audit/relationships/organization-memberships {"data":[{"id":"ou-olive","type":"organization-memberships"}]}
    $ teams members audit -o json > members
    $ teams add audit --file - --fields result,changed < members
    unchanged\tfalse
    unchanged\tfalse
    unchanged\tfalse
    $ teams add audit --file - < wrong
    ! orgctl: stdin: 2 problems, nothing was sent
    !   line 2: 'no' is not an email address
    !   line 4: it names globex, but this command acts on acme
    !   → It must look like name@example.com.
    = 2, nothing sent
    $ teams add audit --file - < two
    ! orgctl: stdin: line 2: ada.auditor@example.com and milo-member are not the same person in acme
    = 2
    $ teams add network --file - --org acme,globex --fields organization.id,result,email < sam
    globex\tunchanged\tsam.sso@example.com
  `);

test('several organizations get the change, and one that fails leaves the others', () =>
  transcript()`
    $ teams add platform gina.globex@example.com ou-sam.globex milo-member --org acme,globex
    acme\tadded\tmilo.member@example.com\tplatform\tou-milo\t\t
    globex\tunchanged\tgina.globex@example.com\tplatform\tou-gina.globex\t\t
    globex\tadded\tsam.sso@example.com\tplatform\tou-sam.globex\t\t
    globex\tadded\tmilo.member@example.com\tplatform\tou-milo.globex\t\t
    > POST /teams/team-platform/relationships/organization-memberships {"data":[{"id":"ou-milo","type":"organization-memberships"}]}
    > POST /teams/team-platform.globex/relationships/organization-memberships {"data":[{"id":"ou-sam.globex","type":"organization-memberships"},{"id":"ou-milo.globex","type":"organization-memberships"}]}
  `);

describe('a batch of people', () => {
  /** Invites ten people. */
  async function inviteAll(answer: (given: Response) => Response | Promise<Response>, options: RunOptions = {}) {
    const service = await startService({ alter: (given, { method }) => (method === 'POST' ? answer(given) : given) });
    const people = Array.from({ length: 10 }, (_, at) => `p-${at}@example.com`);
    const argv = ['members', 'invite', ...people, '--team', 'audit', '--fields', 'result'];
    const { code, stdout, stderr } = await service.run(argv, options);
    const sent = service.requests.filter(({ method }) => method === 'POST').length;
    return { ended: { code, results: stdout.trim().split('\n'), sent }, stderr };
  }
  const eight = (text: string) => Array.from({ length: 8 }, () => text);

  test('ends at a 401', async () => {
    const answers = [(given: Response) => given, () => Response.json({ errors: [{ status: '401' }] }, { status: 401 })];
    const { ended, stderr } = await inviteAll((given) => answers.shift()?.(given) ?? given);
    expect(ended).toEqual({ code: 10, results: ['invited', 'failed', ...eight('not-attempted')], sent: 2 });
    expect(stderr).toContain('Set ORGCTL_TOKEN to a new one.');
  });

  test('prints what is done before a bug', async () => {
    let sent = 0;
    const random = () => {
      if (sent === 2) throw new TypeError('x');
      return 0.5;
    };
    const options = { env: { ORGCTL_OUTPUT: 'table' }, host: { random } };
    const { ended, stderr } = await inviteAll((given) => {
      sent += 1;
      return given;
    }, options);
    expect(ended).toEqual({ code: 1, results: ['RESULT', 'invited', 'unknown', ...eight('not-attempted')], sent: 2 });
    expect(stderr).toContain('orgctl has a bug: x');
  });

  test('goes on if the result can not be printed', async () => {
    const { ended } = await inviteAll((given) => given, { stdoutClosed: true });
    expect(ended).toEqual({ code: 0, results: [''], sent: 10 });
  });
});
