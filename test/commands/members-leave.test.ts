import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { CallerKind } from '../../src/sandbox/sandbox.ts';
import { toRequestLines } from '../support/demo.ts';
import { createNames } from '../support/names.ts';
import { NOW, type RunOptions } from '../support/run.ts';
import { type ServiceOptions, startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

interface Options extends RunOptions {
  readonly as?: CallerKind;
  readonly org?: string;
  readonly service?: ServiceOptions & { readonly documentOnly?: boolean };
}

interface Row {
  readonly id: string | null;
  readonly email?: string;
  readonly asked?: string;
  readonly organization?: { readonly id: string };
  readonly result: string;
  readonly error?: { readonly code: string; readonly message: string; readonly next?: readonly string[] };
}

/** Ids have names in what comes back; rows are those of ndjson. */
async function run(argv: string, { service: serviceOptions = {}, ...options }: Options = {}) {
  const service = await startService(serviceOptions);
  const { plain, real } = await createNames(service.sandbox);
  const { code, stdout, stderr } = await service.run(real(argv).split(' '), options);
  const lines = plain(stdout)
    .split('\n')
    .filter((line) => line.startsWith('{'));
  return {
    code,
    stdout: plain(stdout),
    stderr: plain(stderr),
    rows: lines.map((line) => JSON.parse(line) as Row),
    writes: toRequestLines(service.requests, { plain }).filter((request) => !request.startsWith('GET ')),
    service,
  };
}

const refusing = (path: string, status: number): ServiceOptions => ({
  alter: (answer, request) =>
    request.url.includes(path) ? Response.json({ errors: [{ status: `${status}`, title: 'no' }] }, { status }) : answer,
});
const toFile = (...people: readonly string[]): string => `email\n${people.join('\n')}\n`;
const ADA = 'ada.auditor@example.com';
const IVAN = 'ivan.invitee@example.com';
const GINA = 'gina.globex@example.com';
const OLIVE = 'olive.owner@example.com';
const MILO = 'milo.member@example.com';
const TARA = 'tara.team-manager@example.com';

describe('members remove --file', () => {
  test('removes each person once, with a row for each in the order of the file', () =>
    transcript({ stdin: toFile(IVAN, ADA.toUpperCase(), '# gone', ADA, IVAN) })`
      $ members remove --file - --yes --fields id,result
      ou-ivan\tremoved
      ou-ada\tremoved
      ! stdin: 2 rows repeat a person.
      ! 2 people: 2 removed.
      > DELETE /organization-memberships/ou-ivan
      > DELETE /organization-memberships/ou-ada
    `);

  test('no one is removed while some are unknown, and all of those are named: exit 5', () =>
    transcript({ stdin: toFile(ADA, 'no@example.com', 'nil@example.com') })`
      $ members remove --file - --yes
      ! orgctl: no member or invitation in acme for 2 of 3 people
      !   no@example.com
      !   nil@example.com
      !   → Nothing was changed. Add --ignore-missing, or check them against the list:
      !   $ orgctl --org acme members list
      = 5
    `);

  test('--ignore-missing: a row for a person who is not there, and the same file again is no error', () =>
    transcript({ stdin: toFile(ADA, 'no@example.com') })`
      $ members remove --file - --ignore-missing --yes --fields email,changed,result
      ${ADA}\ttrue\tremoved
      no@example.com\tfalse\tabsent
      ! 2 people: 1 removed, 1 absent.
      > DELETE /organization-memberships/ou-ada
      $ members remove --file - --ignore-missing --yes --fields email,changed,result
      ${ADA}\tfalse\tabsent
      no@example.com\tfalse\tabsent
      ! 2 people: 2 absent.
    `);

  test('without a terminal: exit 2, with everyone it is about', async () => {
    const service = await startService({ seed: { kind: 'members', count: 40 } });
    const list = await service.ask('GET', '/organizations/acme/organization-memberships?q=member-0&page%5Bsize%5D=100');
    const people = (list.body as { data: { attributes: { email: string } }[] }).data
      .map(({ attributes }) => attributes.email)
      .slice(0, 30);
    const { code, stderr } = await service.run(['members', 'remove', '--file', '-'], { stdin: toFile(...people) });
    expect(code).toBe(2);
    expect(stderr).toContain(
      'orgctl: this needs confirmation, and there is no terminal to ask at: Remove these 30 people from acme?\n',
    );
    expect(stderr.match(/^ {2}member-\d+@/gm)).toHaveLength(30);
    expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

test('of more than 20 at a terminal, who was removed is named, and what the dry run would remove', async () => {
  const emails = Array.from({ length: 22 }, (_, index) => `p${index}@example.com`);
  const service = await startService();
  await service.run(['members', 'invite', ...emails, '--team', 'platform']);
  const dry = await service.run(['members', 'remove', ...emails, '--dry-run'], { tty: { stdout: true } });
  expect(dry.stderr.match(/^Would remove p\d+@example\.com /gm)).toHaveLength(22);
  const { stdout } = await service.run(['members', 'remove', ...emails, '--yes'], { tty: { stdout: true } });
  expect(stdout.match(/Removed p\d+@example\.com from acme \(invited; platform\)$/gm)).toHaveLength(22);
});

/** Who calls, and who must not go by a list of people. */
describe('a file removes neither the caller nor an owner, and no one elsewhere', () => {
  const REX = 'rex.registry-manager@example.com';
  describe.each<[as: CallerKind, self: string | undefined, end: string, code: number]>([
    ['owner', OLIVE, 'removed', 0],
    ['owners-team', undefined, 'removed', 0],
    ['org-token', undefined, 'removed', 0],
    ['team-manager', TARA, 'removed', 0],
    ['member', MILO, 'failed', 5],
    ['registry-manager', REX, 'failed', 5],
  ])('%s', (as, self, end, code) => {
    test.each([OLIVE, MILO, TARA, REX, ADA, IVAN])('× %s', async (target) => {
      const stdin = toFile(target === ADA ? IVAN : ADA, target);
      const result = await run('members remove --file - --yes -o ndjson', { as, stdin });
      if (target !== OLIVE && target !== self) {
        expect([result.code, ...result.rows.map((row) => row.result)]).toEqual([code, end, end]);
      } else {
        expect([result.code, result.writes]).toEqual([2, []]);
        const who = `${target} (${target === self ? 'you' : 'owner of acme'})`;
        expect(result.stderr).toContain(`"--file never removes you or an owner: ${who}"`);
      }
      // The same people have memberships of their own in the other organizations.
      const others = result.service.sandbox.info().organizations.slice(1);
      expect(others.map(({ members }) => members)).toEqual([9, 4]);
    });
  });

  test('a member of another organization is not there', () =>
    transcript({ stdin: toFile(ADA, GINA) })`
      $ members remove --file - --yes
      ! orgctl: no member or invitation in acme for gina.globex@example.com
      !   → Nothing was changed. Add --ignore-missing, or see who is there:
      !   $ orgctl --org acme members list
      = 5
    `);

  test('named one by one, the service decides: its refusal is a row', () =>
    transcript()`
      $ members remove olive.owner@example.com ada.auditor@example.com --yes --fields id,result,error.code 2>/dev/null
      ou-olive\tfailed\tforbidden
      ou-ada\tremoved\t
      > DELETE /organization-memberships/ou-ada
      = 10
    `);
});

describe('members remove --all-orgs', () => {
  test('from every organization of the caller, a result for each', () =>
    transcript()`
      $ members remove ${TARA.toUpperCase()} --all-orgs --yes --fields id,organization.id,result
      ou-tara\tacme\tremoved
      ou-tara.globex\tglobex\tremoved
      ou-tara.initech\tinitech\tremoved
      ! 1 person in 3 organizations: 3 removed.
      > DELETE /organization-memberships/ou-tara
      > DELETE /organization-memberships/ou-tara.globex
      > DELETE /organization-memberships/ou-tara.initech
    `);

  test('an organization without the person is no error', () =>
    transcript()`
      $ members remove ${GINA} --all-orgs --yes --fields organization,email,result
      globex\t${GINA}\tremoved
      ! 1 person in 3 organizations: 1 removed.
      > DELETE /organization-memberships/ou-gina.globex
    `);

  test('a person who is nowhere: exit 5 before anyone is removed, or one row', () =>
    transcript()`
      $ members remove ${GINA} no@example.com --all-orgs --yes
      ! orgctl: no@example.com is in none of 3 organizations
      !   → Nothing was changed. Check the email, or add --ignore-missing.
      = 5
      $ members remove no@example.com ${GINA} nil@example.com --orgs acme,globex --yes -o ndjson
      ! {"error":{"code":"not-found","exit":5,"message":"2 of 3 people are in none of 2 organizations","reasons":["no@example.com","nil@example.com"],"hint":"Nothing was changed. Check the email, or add --ignore-missing."}}
      = 5
      $ members remove no@example.com ${GINA} --all-orgs --ignore-missing --yes --fields organization,email,result
      globex\t${GINA}\tremoved
      \tno@example.com\tabsent
      ! 2 people in 3 organizations: 1 removed, 1 absent.
      > DELETE /organization-memberships/ou-gina.globex
      $ members remove no@example.com --all-orgs --ignore-missing --yes -o table
      = no@example.com is in none of the organizations
      ! 1 person in 3 organizations: 1 absent.
    `);

  test('where one organization cannot be read, no one is said to be nowhere', () =>
    transcript({ service: refusing('/globex/', 503) })`
      $ members remove gina.globex@example.com --orgs acme,globex --yes --fields organization.id,result 2>/dev/null
      globex\tfailed
      = 9
    `);

  test('never the caller, and people are named by email: exit 2, and no one is removed', () =>
    transcript()`
      $ members remove ada.auditor@example.com olive.owner@example.com --all-orgs --yes
      ! orgctl: --all-orgs never removes you: olive.owner@example.com (you)
      !   → Nothing was removed. Leave yourself out.
      = 2
      $ members remove ou-ada --all-orgs --yes
      ! orgctl: with --all-orgs people are named by email, not by 'ou-ada'
      !   → An email is the same in every organization.
      = 2, nothing sent
    `);

  test('an organization that refuses is a row that failed, and the others go on', () =>
    transcript({ service: refusing('/globex/', 404) })`
      $ members remove tara.team-manager@example.com --all-orgs --yes --fields id,email,organization.id,result,error.code 2>/dev/null
      ou-tara\ttara.team-manager@example.com\tacme\tremoved\t
      \ttara.team-manager@example.com\tglobex\tfailed\tnot-found
      ou-tara.initech\ttara.team-manager@example.com\tinitech\tremoved\t
      > DELETE /organization-memberships/ou-tara
      > DELETE /organization-memberships/ou-tara.initech
      = 10
    `);

  test('the confirmation names the organizations, or the one there is', () =>
    transcript()`
      $ members remove ${TARA} --all-orgs
      ! orgctl: this needs confirmation, and there is no terminal to ask at: Remove ${TARA} from these 3 organizations?
      !   ${TARA} is in acme (active; security; 2FA off), globex (active; security; 2FA off) and initech (active; security; 2FA off).
      !   → Add --yes, or --dry-run to preview.
      = 2
      $ members remove ${ADA} --all-orgs
      ! orgctl: this needs confirmation, and there is no terminal to ask at: Remove ${ADA} (active; audit; 2FA off) from acme?
      !   → Add --yes, or --dry-run to preview.
      = 2
    `);

  test('an organization token and a team token act in their organization', () =>
    transcript()`
      $ AS=org-token members remove ${ADA} --all-orgs --yes --fields organization.id,result
      acme\tremoved
      ! 1 person in 1 organization: 1 removed.
      > DELETE /organization-memberships/ou-ada
      $ AS=owners-team members remove ${IVAN} --all-orgs --yes --fields organization.id,result
      acme\tremoved
      ! 1 person in 1 organization: 1 removed.
      > DELETE /organization-memberships/ou-ivan
    `);

  test('the result says what the person had, of one organization and of several', () =>
    transcript()`
      $ members remove ${ADA} --yes -o table
      ✓ Removed ${ADA} from acme (active; audit; 2FA off)
      > DELETE /organization-memberships/ou-ada
      $ members remove ${TARA} --orgs acme,globex --yes -o table
      ✓ Removed ${TARA} from acme (active; security; 2FA off) and globex (active; security; 2FA off)
      ! 1 person in 2 organizations: 2 removed.
      > DELETE /organization-memberships/ou-tara
      > DELETE /organization-memberships/ou-tara.globex
    `);

  test('--dry-run sends nothing', () =>
    transcript()`
      $ members remove gina.globex@example.com --all-orgs --dry-run
      planned\tglobex\tgina.globex@example.com\tou-gina.globex\tplatform\t\t\t
      ! Would remove gina.globex@example.com (active; platform; 2FA off) from globex
      ! 1 person in 3 organizations: 1 planned.
      ! Nothing was sent.
    `);
});

describe('members resend', () => {
  test('takes the invitation back and makes it anew, with the same teams', () =>
    transcript()`
      $ members resend ivan.invitee@example.com --yes --fields id,email,status,changed,result
      ou-1\tivan.invitee@example.com\tinvited\ttrue\tresent
      ! Revoking the invitation of ivan.invitee@example.com (platform). If this stops now, run:
      !   $ orgctl --org acme members invite ivan.invitee@example.com --team team-platform
      > DELETE /organization-memberships/ou-ivan
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ivan.invitee@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-platform"}]}}}}
    `);

  test.each(['ou-ivan', 'user-ivan', `email:${IVAN}`])(
    'named by %s',
    (reference) =>
      transcript()`
      $ members resend ${reference} --yes --fields email,result 2>/dev/null
      ${IVAN}\tresent
      > DELETE /organization-memberships/ou-ivan
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"${IVAN}"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-platform"}]}}}}
    `,
  );

  test('members are refused, all of them, before anything is sent, and invitations need confirmation', () =>
    transcript()`
      $ members resend ivan.invitee@example.com ada.auditor@example.com milo.member@example.com --yes
      ! orgctl: 2 invitations can't be sent again
      !   ada.auditor@example.com has already accepted
      !   milo.member@example.com has already accepted
      !   → Nothing was sent. Leave them out, and run the command again.
      = 2
      $ members resend ivan.invitee@example.com
      ! orgctl: this needs confirmation, and there is no terminal to ask at: Invite ivan.invitee@example.com to acme (platform) again?
      !   The current invitation is revoked and a new one is sent.
      !   → Add --yes, or --dry-run to preview.
      = 2
    `);

  const INVITED = ['a@example.com', 'b@example.com', 'c@example.com'];

  /** Three are invited; what the service answers to a POST after that is the test's. */
  async function resendThree(answerPost: (email: string) => Response | undefined, options: RunOptions = {}) {
    let armed = false;
    const service = await startService({
      alter(answer, request, body) {
        if (!armed || request.method !== 'POST') return answer;
        const { data } = JSON.parse(body) as { data: { attributes: { email: string } } };
        return answerPost(data.attributes.email) ?? answer;
      },
    });
    await service.run(['members', 'invite', ...INVITED, '--team', 'audit,platform']);
    armed = true;
    const before = service.requests.length;
    const { plain } = await createNames(service.sandbox);
    const { code, stdout, stderr } = await service.run(
      ['members', 'resend', ...INVITED, '--yes', '-o', 'ndjson', '--max-retries', '0'],
      options,
    );
    return {
      code,
      rows: stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(plain(line)) as Row),
      error: JSON.parse(plain(stderr).trimEnd().split('\n').at(-1) ?? '{}').error as Record<string, unknown>,
      writes: toRequestLines(service.requests.slice(before), { plain })
        .filter((request) => !request.startsWith('GET '))
        .map((line) => line.split(' ')[0]),
    };
  }

  test('an invitation that is gone is shown with the command that makes it, and no other is put at stake', async () => {
    const { code, rows, error, writes } = await resendThree((email) =>
      email === 'b@example.com'
        ? Response.json({ errors: [{ status: '400', title: 'bad request', detail: 'full' }] }, { status: 400 })
        : undefined,
    );
    const command = expect.stringMatching(/^orgctl --org acme members invite b@example\.com --team team-\w+,team-\w+$/);
    expect(code).toBe(10);
    expect(rows).toMatchObject([
      { email: 'a@example.com', result: 'resent' },
      { id: null, email: 'b@example.com', result: 'failed', error: { code: 'invitation-gone', next: [command] } },
      { email: 'c@example.com', result: 'not-attempted' },
    ]);
    expect(rows[1]?.error?.message).toContain(
      'the invitation of b@example.com to acme was revoked, and the new one failed; ',
    );
    expect(error).toMatchObject({ next: [command] });
    expect(writes).toEqual(['DELETE', 'POST', 'DELETE', 'POST']);
  });

  test('the printed command is one for a shell, whatever the address holds', async () => {
    const email = "o'neil$(id)`x`&y@example.com".replace('(', '').replace(')', '');
    const service = await startService();
    await service.run(['members', 'invite', email, '--team', 'audit']);
    const { stderr } = await service.run(['members', 'resend', email, '--dry-run']);
    expect(stderr).not.toContain('should it end here');
    const sent = await service.run(['members', 'resend', email, '--yes']);
    const [, word = ''] = /orgctl --org acme members invite (\S+) --team/.exec(sent.stderr) ?? [];
    expect(execFileSync('sh', ['-c', `printf %s ${word}`], { encoding: 'utf8' })).toBe(email);
  });

  test('the printed command brings it back', async () => {
    let full = false;
    const service = await startService({
      alter: (answer, request) =>
        full && request.method === 'POST'
          ? Response.json({ errors: [{ status: '422', title: 'invalid' }] }, { status: 422 })
          : answer,
    });
    full = true;
    const failed = await service.run(['members', 'resend', IVAN, '--yes', '-q']);
    expect(failed.code).toBe(7);
    const [, command = ''] = /^ {2}\$ orgctl (.*)$/m.exec(failed.stderr) ?? [];
    // The sandbox itself had made it; a service that refuses has not.
    const list = await service.ask('GET', `/organizations/acme/organization-memberships?filter%5Bemail%5D=${IVAN}`);
    for (const { id } of (list.body as { data: { id: string }[] }).data) {
      await service.ask('DELETE', `/organization-memberships/${id}`);
    }
    full = false;
    const mended = await service.run([...command.split(' '), '--fields', 'email,result']);
    expect(mended).toMatchObject({ code: 0, stdout: `${IVAN}\tinvited\n` });
  });

  test('a signal between the two waits for the second, and stops what comes after', async () => {
    let send: () => void = () => undefined;
    let writes = 0;
    const service = await startService({
      alter(answer, request) {
        if (request.method !== 'GET') writes += 1;
        // After the third invitation was made, the first one is taken back.
        if (writes === INVITED.length + 1 && request.method === 'DELETE') send();
        return answer;
      },
    });
    await service.run(['members', 'invite', ...INVITED, '--team', 'audit']);
    const { code, stdout } = await service.run(['members', 'resend', ...INVITED, '--yes', '--fields', 'email,result'], {
      onStart(sender) {
        send = () => sender('SIGINT');
      },
    });
    expect({ code, stdout }).toEqual({
      code: 130,
      stdout: 'a@example.com\tresent\nb@example.com\tnot-attempted\nc@example.com\tnot-attempted\n',
    });
    expect(writes).toBe(INVITED.length + 2);
  });

  test('what a list of old invitations prints can be sent again', () =>
    transcript({ now: NOW + 3_600_000 })`
      $ members list --pending-older-than 1m -o json > old.json
      $ members resend --file old.json --yes --fields email,result 2>/dev/null
      ivan.invitee@example.com\tresent
      > DELETE /organization-memberships/ou-ivan
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"ivan.invitee@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-platform"}]}}}}
    `);

  test('an empty file: nothing to do', () =>
    transcript({ stdin: '[]' })`
      $ members resend --file - --yes -o json
      []
      ! {"note":{"message":"Nothing to do."}}
    `);
});

describe('members list --pending-older-than', () => {
  const DAY = 86_400_000;
  /** When Ivan was invited. */
  const INVITED_AT = Date.UTC(2026, 8, 27, 9);

  test('only invitations, asked of the service as such', () =>
    transcript({ now: NOW + 400 * DAY, reads: true })`
      $ members list --pending-older-than 30d --fields email
      ivan.invitee@example.com
      > GET /organizations/acme/organization-memberships?filter%5Bstatus%5D=invited&page%5Bsize%5D=100
    `);

  test.each([
    [-1, ''],
    [0, ''],
    [1, `${IVAN}\n`],
  ])('%i ms older than that', async (more, stdout) => {
    const service = await startService();
    const argv = ['members', 'list', '--pending-older-than', '90d', '--fields', 'email'];
    expect(await service.run(argv, { now: INVITED_AT + 90 * DAY + more })).toMatchObject({ code: 0, stdout });
  });

  test('a service that leaves out when people were invited: a warning, and no row', () =>
    transcript({
      now: NOW + 400 * DAY,
      service: {
        async alter(answer) {
          const left = JSON.stringify(await answer.json(), (key, value) => (key === 'created-at' ? undefined : value));
          return new Response(left, { headers: { 'content-type': 'application/vnd.api+json' } });
        },
      },
    })`
      $ members list --pending-older-than 1d
      ! warning: 1 person left out: the service doesn't say when they were invited to acme
    `);

  test('a service that ignores the filter: members are left out', () =>
    transcript({
      now: NOW + 400 * DAY,
      service: {
        async alter(answer, request) {
          const url = request.url.replace('filter%5Bstatus%5D=invited&', '');
          return url === request.url ? answer : await fetch(url, { headers: request.headers });
        },
      },
    })`
      $ members list --pending-older-than 1d --fields email
      ivan.invitee@example.com
    `);

  test.each([
    ['--pending-older-than soon', "--pending-older-than: 'soon' is not a duration"],
    ['--pending-older-than 1d --status active', "--pending-older-than lists invitations, and --status is 'active'"],
    ['--pending-older-than 1d --limit 5', 'use --pending-older-than or --limit, not both'],
    ['--pending-older-than 1d --page 2', 'use --pending-older-than or --page, not both'],
  ])('%s: exit 2', async (options, message) => {
    const service = await startService();
    const { code, stderr } = await service.run(['members', 'list', ...options.split(' ')]);
    expect({ code, message: stderr.split('\n')[0], requests: service.requests }).toEqual({
      code: 2,
      message: `orgctl: ${message}`,
      requests: [],
    });
  });
});
