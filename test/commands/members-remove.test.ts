import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { parseFault } from '../../src/sandbox/faults.ts';
import { pass, refuse, resetAfter, resetBefore, truncate } from '../support/faults.ts';
import { startFront } from '../support/front.ts';
import { createNames } from '../support/names.ts';
import { AT_TERMINAL } from '../support/run.ts';
import { hide, startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

const IVAN = 'ivan.invitee@example.com';
const listWrites = (requests: readonly { method: string }[]): string[] =>
  requests.map(({ method }) => method).filter((method) => method !== 'GET');

describe('members remove', () => {
  test('each membership once, by email, user name or id, also an invitation', () =>
    transcript()`
      $ members remove ou-ada name:Ada-Auditor ADA.auditor@example.com ivan.invitee@example.com user-rex --yes
      removed\tada.auditor@example.com\tacme\taudit\tou-ada\t\t
      removed\tivan.invitee@example.com\tacme\tplatform\tou-ivan\t\t
      removed\trex.registry-manager@example.com\tacme\tplatform\tou-rex\t\t
      > DELETE /organization-memberships/ou-ada
      > DELETE /organization-memberships/ou-ivan
      > DELETE /organization-memberships/ou-rex
      $ members remove milo-member --yes -o ndjson
      {"id":"ou-milo","type":"organization-memberships","email":"milo.member@example.com","status":"active","user":{"id":"user-milo","type":"users","username":"milo-member"},"teams":[{"id":"team-audit","name":"audit","type":"teams"}],"organization":{"id":"acme","type":"organizations"},"changed":true,"result":"removed"}
      > DELETE /organization-memberships/ou-milo
    `);

  test('at a terminal a sentence each; it asks, and a dry run does not', () =>
    transcript({ ...AT_TERMINAL, tty: { stdout: true, stderr: true } })`
      $ members remove ada.auditor@example.com ivan.invitee@example.com --no-input
      ! orgctl: this needs a confirmation: Remove these 2 memberships?
      !   ada.auditor@example.com (active; audit) from acme
      !   ivan.invitee@example.com (invited; platform) from acme
      !   → Add --yes, or --dry-run to see what would be done.
      = 2
      $ members remove ada-auditor --dry-run
      ! Would remove ada.auditor@example.com (active; audit) from acme
      $ members remove ada-auditor --yes
      ! ✓ Removed ada.auditor@example.com from acme
      > DELETE /organization-memberships/ou-ada
      $ members remove milo-member --yes -q
      > DELETE /organization-memberships/ou-milo
      $ members remove milo-member@example.com --ignore-missing
      ! = milo-member@example.com is not in acme
    `);

  test('nobody is removed while somebody is unknown: 5; with --ignore-missing the others are', () =>
    transcript()`
      $ members remove ou-ada nobody@example.com ou-nobody --yes
      ! orgctl: acme has no member or invitation nobody@example.com, ou-nobody
      !   → orgctl members list shows who is there.
      = 5
      $ members remove ou-gina.globex ou-ada --yes
      ! orgctl: gina.globex@example.com is a member of globex, not of acme
      !   → Add --org globex.
      = 2
      $ members remove nobody@example.com ou-nobody ou-ada --yes --ignore-missing --fields email,changed,result
      nobody@example.com\tfalse\tunchanged
      \tfalse\tunchanged
      ada.auditor@example.com\ttrue\tremoved
      > DELETE /organization-memberships/ou-ada
    `);

  test('several organizations: from each that has the person', () =>
    transcript()`
      $ members remove tara.team-manager@example.com gina.globex@example.com --org globex,acme --fields result
      ! orgctl: this needs a confirmation: Remove these 3 memberships?
      !   tara.team-manager@example.com (active; security) from acme
      !   tara.team-manager@example.com (active; security) from globex
      !   gina.globex@example.com (active; platform) from globex
      !   → Add --yes, or --dry-run to see what would be done.
      = 2
      $ members remove tara.team-manager@example.com gina.globex@example.com --org globex,acme --yes --fields organization.id,email,result
      acme\ttara.team-manager@example.com\tremoved
      globex\ttara.team-manager@example.com\tremoved
      globex\tgina.globex@example.com\tremoved
      > DELETE /organization-memberships/ou-tara
      > DELETE /organization-memberships/ou-tara.globex
      > DELETE /organization-memberships/ou-gina.globex
      $ members remove ada.auditor@example.com nobody@example.com --all-orgs --yes
      ! orgctl: acme, globex and initech have no member or invitation nobody@example.com
      !   → orgctl members list shows who is there.
      = 5
    `);

  test('an organization that fails is a line on stderr, and the others go on: 10', () =>
    transcript({ service: { alter: hide(/organizations\/globex/) } })`
      $ members remove tara.team-manager@example.com gina.globex@example.com --org acme,globex --yes --fields organization.id,email,result
      acme\ttara.team-manager@example.com\tremoved
      acme\tgina.globex@example.com\tunchanged
      ! orgctl: 1 organization failed
      !   globex: can't list the members of globex: not found (you are an owner of globex)
      !   → Run the same command again to do the rest.
      > DELETE /organization-memberships/ou-tara
      = 10
    `);

  test('yourself: sent by name, and the service answers; by a list never', () =>
    transcript({ files: { 'own.csv': 'email\nolive.owner@example.com\n', 'tara.csv': 'user\ntara-team-manager\n' } })`
      $ members remove olive.owner@example.com --yes
      failed\tolive.owner@example.com\tacme\towners\tou-olive\tforbidden\tyou don't have permission to remove olive.owner@example.com from acme; forbidden: You cannot remove yourself from an organization you own
      ! orgctl: you don't have permission to remove olive.owner@example.com from acme
      !   forbidden: You cannot remove yourself from an organization you own
      !   → Owners can't remove themselves; another owner can.
      > DELETE /organization-memberships/ou-olive
      = 6
      $ members remove --file - --allow-owners --yes < own.csv
      ! orgctl: a list never removes you (olive.owner@example.com)
      !   → Nobody was removed.
      = 2
      $ AS=team-manager members remove --file - --yes < tara.csv
      ! orgctl: a list never removes you (tara.team-manager@example.com)
      !   → Nobody was removed.
      = 2
      $ AS=team-manager members remove tara-team-manager --yes --fields result
      removed
      > DELETE /organization-memberships/ou-tara
    `);

  test('of another person a 403 says who can', () => {
    const alter = (given: Response, { method }: Request): Response =>
      method === 'DELETE' ? Response.json({}, { status: 403 }) : given;
    return transcript({ service: { alter } })`
      $ members remove ada.auditor@example.com --yes > row
      ! orgctl: you don't have permission to remove ada.auditor@example.com from acme
      !   Owners, the owners team token, the organization token and people with Team Management can.
      > DELETE /organization-memberships/ou-ada
      = 6
    `;
  });

  test('owners: by a list with --allow-owners alone, and never the last one, however named', async () => {
    const service = await startService();
    await service.run(['members', 'invite', 'ana@example.com', '--team', 'owners', '--yes']);
    service.sandbox.accept('ana@example.com', 'acme');
    await transcript({
      service,
      files: { 'ana.csv': 'email\nana@example.com\n', 'both.csv': 'email\nana@example.com\nolive.owner@example.com\n' },
    })`
      $ AS=team-manager members remove --file - --yes < ana.csv
      ! orgctl: ana@example.com owns acme
      !   → Add --allow-owners to remove owners.
      = 2
      $ AS=team-manager members remove --file - --allow-owners --yes < both.csv
      ! orgctl: acme would have no owner: ana@example.com and olive.owner@example.com can't be removed
      !   → Nobody was removed.
      = 2
      $ AS=team-manager members remove ana@example.com olive.owner@example.com --yes
      ! orgctl: acme would have no owner: ana@example.com and olive.owner@example.com can't be removed
      !   → Nobody was removed.
      = 2
      $ AS=team-manager members remove --file - --allow-owners --yes --fields email,result < ana.csv
      ana@example.com\tremoved
      > DELETE /organization-memberships/ou-ana@example
      $ AS=org-token members remove olive.owner@example.com --yes
      ! orgctl: acme would have no owner: olive.owner@example.com can't be removed
      !   → Nobody was removed.
      = 2
    `;
  });

  test('where owners can not be seen, a list needs --allow-owners', () =>
    transcript({ service: { documentOnly: true }, files: { 'ada.csv': 'email\nada.auditor@example.com\n' } })`
      $ members remove --file - --yes < ada.csv
      ! orgctl: can't see who owns acme
      !   → Add --allow-owners if owners may be removed too.
      = 2
      $ members remove --file - --allow-owners --yes --fields result < ada.csv
      removed
      > DELETE /organization-memberships/ou-ada
      $ members remove ivan.invitee@example.com --yes --fields result
      removed
      > DELETE /organization-memberships/ou-ivan
    `);
});

describe('whoever is removed or invited again is read right before, and refused if it is not who was meant', () => {
  test.each([
    ['another email', (text: string) => text.replaceAll(IVAN, 'eve@example.com')],
    ['another user', (text: string) => text.replace(/"user-\w+"/g, '"user-0000000000000000"')],
    ['another organization', (text: string) => text.replace('"id":"acme"', '"id":"globex"')],
    ['accepted', (text: string) => text.replace('"invited"', '"active"')],
  ])('%s', async (_what, change) => {
    const { run, requests } = await startService({
      alter: async (answer, { url }) =>
        url.includes('/organization-memberships/ou-') ? Response.json(JSON.parse(change(await answer.text()))) : answer,
    });
    for (const verb of ['remove', 'resend']) {
      const argv = `members ${verb} ${IVAN} --yes -q --fields result,error.code`.split(' ');
      const { code, stdout, stderr } = await run(argv);
      expect({ code, stdout }).toEqual({ code: 10, stdout: 'failed\tchanged-meanwhile\n' });
      expect(stderr).toContain(`orgctl: ${IVAN} changed in the meantime, so it was not removed\n`);
    }
    expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('gone meanwhile: unchanged for remove', () =>
    transcript({ service: { alter: hide(/\/organization-memberships\/ou-/) } })`
      $ members remove ivan.invitee@example.com --yes --fields result
      unchanged
      $ members resend ivan.invitee@example.com --yes -q
      failed\tivan.invitee@example.com\tacme\tplatform\tou-ivan\tincomplete\tivan.invitee@example.com is no longer invited to acme
      ! orgctl: ivan.invitee@example.com is no longer invited to acme
      = 10
    `);
});

describe('a write without a clear answer is looked at once, and never sent twice', () => {
  const [invite, remove, resend] = [
    'invite Ana@example.com --team audit',
    `remove ${IVAN} --yes`,
    `resend ${IVAN} --yes`,
  ];
  const fail = refuse(503);
  test.each([
    [invite, 'whose answer is lost', resetAfter, pass, 0, 'invited', ['POST', 'GET']],
    [invite, 'whose answer is half lost', truncate, pass, 0, 'invited', ['POST', 'GET']],
    [invite, 'that never arrived', resetBefore, pass, 9, 'failed', ['POST', 'GET']],
    [invite, 'that is answered 503', fail, pass, 9, 'failed', ['POST', 'GET']],
    [invite, 'whose look fails', resetAfter, fail, 11, 'unknown', ['POST', 'GET']],
    [remove, 'whose answer is lost', resetAfter, pass, 0, 'removed', ['DELETE', 'GET']],
    [remove, 'that never arrived', resetBefore, pass, 9, 'failed', ['DELETE', 'GET']],
    [remove, 'whose look fails', resetAfter, fail, 11, 'unknown', ['DELETE', 'GET']],
    [resend, 'whose answer is lost', resetAfter, pass, 0, 'resent', ['DELETE', 'GET', 'POST']],
    [resend, 'that never arrived', resetBefore, pass, 9, 'failed', ['DELETE', 'GET']],
    [resend, 'whose look fails', resetAfter, fail, 11, 'unknown', ['DELETE', 'GET']],
  ])('%s: %s', async (argv, _what, write, look, code, result, sent) => {
    const { sandbox, run } = await startService();
    const front = await startFront(sandbox, (passing, self) => {
      const isFirst = listWrites(self.requests).length === 1;
      return (isFirst ? (passing.isWrite ? write : look) : pass)(passing, self);
    });
    const ended = await run(`members ${argv} --fields result --max-retries 0`.split(' '), {
      env: { ORGCTL_BASE_URL: front.url },
    });
    expect(ended).toMatchObject({ code, stdout: `${result}\n` });
    expect(ended.stderr.includes('\n  This did not happen: ')).toBe(code === 9);
    const methods = front.requests.map(({ method }) => method);
    expect(methods.slice(methods.findIndex((method) => method !== 'GET'))).toEqual(sent);
  });
});

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

  test('invitations alone: whoever is none is named, and nothing is sent: 2', () =>
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
    const fault = parseFault(`POST organization-memberships: nth=${INVITED.length + 2} 400`);
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

  /** People are invited. What is to happen once the first invitation is revoked is told later. */
  async function startInvited() {
    let act = (): void => undefined;
    const service = await startService({
      alter(answer, { method }) {
        if (method === 'DELETE') act();
        return answer;
      },
    });
    await service.run(INVITE);
    const onRevoked = (then: () => void): void => {
      act = then;
    };
    return { ...service, onRevoked };
  }

  test('a signal waits between the two, and ends the run', async () => {
    const { run, requests, onRevoked } = await startInvited();
    const ended = await run(RESEND, { onStart: (send) => onRevoked(() => send('SIGTERM')) });
    expect(ended).toEqual({
      code: 143,
      stdout: `a@example.com\tresent\no'b@example.com\tnot-attempted\n${NOT_ATTEMPTED}`,
      stderr: 'Interrupted.\n',
    });
    expect(listWrites(requests).slice(INVITED.length)).toEqual(['DELETE', 'POST']);
  });
});

describe('a row of a file acts where it says, on whom all of it names', () => {
  /** What --org says, and the row. */
  const PLACES: [orgs: string, organization: string][] = [
    ['acme', 'acme'],
    ['acme', 'globex'],
    ['acme', ''],
    ['acme,globex', ''],
    ['acme,globex', 'acme'],
  ];
  // How many requests change something. None: exit 2. Tara is in acme and globex alike.
  test.each([
    ['members invite --team audit', 'new@example.com', '', [1, 0, 1, 2, 1]],
    ['members remove', 'tara.team-manager@example.com', 'user-tara', [1, 0, 1, 0, 1]],
    ['members resend', 'ivan.invitee@example.com', 'user-ivan', [2, 0, 2, 0, 2]],
    ['teams add audit', 'tara.team-manager@example.com', 'user-tara', [1, 0, 1, 2, 1]],
    ['teams remove security', 'tara.team-manager@example.com', 'user-tara', [1, 0, 1, 0, 1]],
  ])('%s', async (verb, email, id, sent) => {
    const writes = await Promise.all(
      PLACES.map(async ([orgs, organization]) => {
        const service = await startService();
        const { real } = await createNames(service.sandbox);
        const act = async (person: string) => {
          const stdin = real(`email,id,Organization\n${email},${person},${organization}\n`);
          const { code } = await service.run([...verb.split(' '), '--org', orgs, '--file', '-', '--yes'], { stdin });
          const { length } = listWrites(service.requests);
          expect(code).toBe(length > 0 ? 0 : 2);
          return length;
        };
        expect(await act('user-milo')).toBe(0);
        return await act(id);
      }),
    );
    expect(writes).toEqual(sent);
  });

  test('over several organizations every row says in which one, by a column of that name', () =>
    transcript({
      files: {
        'empty.csv':
          'email,organization\ntara.team-manager@example.com,acme\nada.auditor@example.com,\nrex-registry-manager,\n',
        'misspelt.csv': 'email;Organisation\ntara.team-manager@example.com;acme\n',
        people: 'ada.auditor@example.com\n',
        'people.json': '[{"email":"ada.auditor@example.com","organization":null}]',
        'gone.csv': 'email,organization\nada.auditor@example.com,acme\nada.auditor@example.com,globex\n',
      },
    })`
      $ members remove --file - --all-orgs --yes < empty.csv
      ! orgctl: stdin has 2 wrong rows, nothing was sent
      !   line 3: it names no organization, and this command acts on several
      !   line 4: 'rex-registry-manager' is not an email address
      = 2
      $ members remove --file - --org acme,globex --yes < misspelt.csv
      ! orgctl: stdin: line 2: it names no organization, and this command acts on several
      !   not used: Organisation
      = 2, nothing sent
      $ members remove --file - --all-orgs --yes < people
      ! orgctl: stdin: line 1: it names no organization, and this command acts on several
      = 2
      $ members remove --file - --all-orgs --yes < people.json
      ! orgctl: stdin: entry 1: it names no organization, and this command acts on several
      = 2
      $ members remove --file - --org acme,globex --yes < gone.csv
      ! orgctl: globex has no member or invitation ada.auditor@example.com
      !   → orgctl members list --org acme,globex shows who is there.
      = 5
    `);

  test('what a row says besides the email has to be of the same person; an id alone will do', () =>
    transcript({
      files: {
        'people.csv': 'email,user\nada.auditor@example.com,milo-member\nnobody@example.com,rex-registry-manager\n',
        'id.csv': 'id\nou-ada\n',
      },
    })`
      $ members remove --file - --yes < people.csv
      ! orgctl: 2 problems, nothing was sent
      !   ada.auditor@example.com and milo-member are not the same person in acme
      !   nobody@example.com and rex-registry-manager are not the same person in acme
      = 2
      $ members remove --file - --yes --fields email,result < id.csv
      ada.auditor@example.com\tremoved
      > DELETE /organization-memberships/ou-ada
    `);
});

describe('what orgctl prints can be read back', () => {
  // A spreadsheet would take it for a formula.
  const FORMULA = '+ana@example.com';
  test.each([
    ['members invite --team platform', 'csv', []],
    ['members remove --yes', 'csv', ['DELETE']],
    ['members resend --yes', 'json', ['DELETE', 'POST']],
    ['teams add audit', 'ndjson', ['POST']],
    ['teams remove platform --yes', 'json', ['DELETE']],
  ])('%s --file, from %s', async (verb, format, sent) => {
    const service = await startService();
    const orgs = ['--org', 'acme,globex'];
    await service.run(['members', 'invite', FORMULA, '--team', 'platform', ...orgs]);
    const { stdout: stdin } = await service.run(['members', 'list', '--email', FORMULA, '-o', format, ...orgs]);
    const before = service.requests.length;
    const { code, stderr } = await service.run([...verb.split(' '), '--file', '-', ...orgs], { stdin });
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.not.stringContaining('not used') });
    expect(listWrites(service.requests.slice(before))).toEqual([...sent, ...sent]);
  });
});
