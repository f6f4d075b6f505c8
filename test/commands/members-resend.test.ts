import { execFileSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { AT_TERMINAL } from '../support/run.ts';
import { listWrites, startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

describe('members resend', () => {
  test('revokes the invitation and makes it anew with the same teams', () =>
    transcript({ ...AT_TERMINAL, tty: { stdout: true, stderr: true } })`
      $ members resend ou-ivan --dry-run
      ! Would invite ivan.invitee@example.com to acme again (platform)
      $ members resend ivan.invitee@example.com noor.newcomer@example.com --org acme,globex --dry-run
      ! Would invite ivan.invitee@example.com to acme again (platform)
      ! Would invite noor.newcomer@example.com to globex again (audit)
      ! 2 invitations: 2 planned
      $ members resend ou-ivan --yes
      ! ✓ Invited ivan.invitee@example.com to acme again (platform)
      > DELETE /organization-memberships/ou-ivan
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ivan.invitee@example.com"},"relationships":{"teams":{"data":[{"id":"team-platform","type":"teams"}]}}}}
      $ members invite ana@example.com --team platform,audit -q
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ana@example.com"},"relationships":{"teams":{"data":[{"id":"team-platform","type":"teams"},{"id":"team-audit","type":"teams"}]}}}}
      $ members resend ana@example.com --yes -q -o tsv
      resent\tana@example.com\tacme\tplatform,audit\tou-2\t\t
      > DELETE /organization-memberships/ou-1
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ana@example.com"},"relationships":{"teams":{"data":[{"id":"team-platform","type":"teams"},{"id":"team-audit","type":"teams"}]}}}}
    `);

  test('accepts invitations alone, and names everyone else: 2', () =>
    transcript({
      files: {
        'people.csv': 'email\nivan.invitee@example.com\nada.auditor@example.com\nmilo.member@example.com\n',
        none: '[]',
      },
    })`
      $ members resend --file - --yes < people.csv
      ! orgctl: 2 problems, nothing was sent
      !   ada.auditor@example.com is active in acme, not invited
      !   milo.member@example.com is active in acme, not invited
      = 2
      $ members resend --file - -o json < none
      []
    `);

  /** More than ten, which other commands do several at a time. */
  const REST = Array.from({ length: 9 }, (_, at) => `c${at}@example.com`);
  const INVITED = ['a@example.com', "o'b@example.com", ...REST];
  const NOT_ATTEMPTED = REST.map((email) => `${email}\tnot-attempted\n`).join('');
  const INVITE = ['members', 'invite', ...INVITED, '--team', 'audit'];
  const RESEND = ['members', 'resend', ...INVITED, '--yes', '--fields', 'email,result'];

  test('a POST that fails ends the run: it says what is gone and how to bring it back, the rest is not attempted', async () => {
    // That of the second invitation that is sent again.
    const fault = `POST organization-memberships: nth=${INVITED.length + 2} 400`;
    const service = await startService({ faults: [fault] });
    await service.run(INVITE);
    const { code, stdout, stderr } = await service.run([...RESEND, '--org', 'acme', '-q']);
    expect({ code, stdout }).toEqual({
      code: 10,
      stdout: `a@example.com\tresent\no'b@example.com\tfailed\n${NOT_ATTEMPTED}`,
    });
    expect(stderr).toContain("the invitation of o'b@example.com (audit) to acme was revoked, and the new one failed; ");
    const [, command] = /→ Run: orgctl (.*)/.exec(stderr) ?? [];
    const words = execFileSync('sh', ['-c', `printf '%s\n' ${command}`], { encoding: 'utf8' }).trimEnd();
    expect((await service.run([...words.split('\n'), '--fields', 'email,result'])).stdout).toBe(
      "o'b@example.com\tinvited\n",
    );
    const writes = listWrites(service.requests).slice(INVITED.length);
    expect(writes).toEqual(['DELETE', 'POST', 'DELETE', 'POST']);
  });

  test('a signal waits between the two, and ends the run', async () => {
    const signals = new EventEmitter();
    const { run, requests } = await startService({
      alter(answer, { method }) {
        if (method === 'DELETE') signals.emit('SIGTERM');
        return answer;
      },
    });
    await run(INVITE);
    const ended = await run(RESEND, { signals });
    expect(ended).toEqual({
      code: 143,
      stdout: `a@example.com\tresent\no'b@example.com\tnot-attempted\n${NOT_ATTEMPTED}`,
      stderr: 'Interrupted.\n',
    });
    expect(listWrites(requests).slice(INVITED.length)).toEqual(['DELETE', 'POST']);
  });
});
