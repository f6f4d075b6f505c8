import { describe, expect, test } from 'vitest';
import { pass, refuse, resetAfter, resetBefore, startFront, truncate } from '../support/front.ts';
import { AT_TERMINAL } from '../support/run.ts';
import { hide, listWrites, startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

const IVAN = 'ivan.invitee@example.com';
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

  test('prints a sentence for each at a terminal', () =>
    transcript({ ...AT_TERMINAL, tty: { stdout: true, stderr: true } })`
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

  test('removes nobody if one is unknown: 5; --ignore-missing removes the others', () =>
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

  test('sends a removal of yourself by name, never from a file', () =>
    transcript({ files: { 'own.csv': 'email\nolive.owner@example.com\n', 'tara.csv': 'user\ntara-team-manager\n' } })`
      $ members remove olive.owner@example.com --yes
      failed\tolive.owner@example.com\tacme\towners\tou-olive\tforbidden\tyou don't have permission to remove olive.owner@example.com from acme; forbidden: You cannot remove yourself from an organization you own
      ! orgctl: you don't have permission to remove olive.owner@example.com from acme
      !   forbidden: You cannot remove yourself from an organization you own
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

  const noOwners = (url: string) => ({
    ...{ id: /team-\w+/.exec(url)?.[0], type: 'teams' },
    relationships: { 'organization-memberships': { data: [] } },
  });
  test.each<[string, NonNullable<Parameters<typeof startService>[0]>]>([
    ['of a service without teams', { documentOnly: true }],
    [
      'their team comes empty',
      { alter: (answer, { url }) => (url.includes('include=users') ? Response.json({ data: noOwners(url) }) : answer) },
    ],
  ])(
    'where owners can not be seen, %s, a list needs --allow-owners',
    (_why, service) =>
      transcript({ service, files: { 'ada.csv': 'email\nada.auditor@example.com\n' } })`
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
    `,
  );
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

  test('not shown, but still listed: 5', () =>
    transcript({ service: { alter: hide(/\/organization-memberships\/ou-/) } })`
      $ members remove ivan.invitee@example.com --yes --ignore-missing --fields result
      failed
      ! orgctl: can't show member ou-ivan: not found (you are an owner of acme)
      = 5
    `);

  test('gone meanwhile: unchanged for remove', async () => {
    const { sandbox, run } = await startService();
    for (const [verb, expected] of [
      ['remove', { code: 0, stdout: 'unchanged\t\n' }],
      ['resend', { code: 10, stdout: `failed\t${IVAN} is no longer invited to acme\n` }],
    ] as const) {
      let isGone = false;
      const front = await startFront(sandbox, async ({ target, act, send }) => {
        isGone ||= target.includes('/organization-memberships/ou-');
        const reply = await act();
        if (!isGone) return send(reply);
        const missing = { ...reply, status: 404, body: '{"errors":[]}' };
        const empty = { ...reply, body: '{"data":[]}' };
        send(/memberships\/ou-/.test(target) ? missing : target.includes('memberships?') ? empty : reply);
      });
      const env = { ORGCTL_BASE_URL: front.url };
      const argv = ['members', verb, IVAN, '--yes', '--fields', 'result,error.message'];
      expect(await run(argv, { env })).toMatchObject(expected);
    }
  });
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
    const front = await startFront(sandbox, (passing) => {
      const isFirst = listWrites(front.requests).length === 1;
      return (isFirst ? (passing.isWrite ? write : look) : pass)(passing);
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
