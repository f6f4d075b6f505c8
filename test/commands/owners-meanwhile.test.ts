import { expect, test } from 'vitest';
import { createNames } from '../support/names.ts';
import { joinLines } from '../support/run.ts';
import { startService } from '../support/service.ts';

const OTHERS = [
  'olive.owner',
  'ada.auditor',
  'milo.member',
  'tara.team-manager',
  'rex.registry-manager',
  'ivan.invitee',
].map((name) => `${name}@example.com`);

/** What is answered to the question, `-y` here, may come long after the owners were read. */
test.each([
  ['members remove ana@example.com', 'org-token'],
  ['members remove --allow-owners --file -', 'org-token'],
  ['members remove --allow-owners --file -', 'team-manager'],
  ['teams remove owners ana@example.com', 'org-token'],
  ['teams remove owners --file -', 'owners-team'],
  ['teams add platform ana@example.com --from owners', 'org-token'],
  ['members apply --prune --allow-owners --file -', 'org-token'],
] as const)('%s, by %s: the other owner leaves after the owners were read', async (line, as) => {
  let isLast = false;
  const service = await startService({
    async alter(answer, { method, url }) {
      const isRead = method === 'GET' && url.includes(`/teams/${owners}`);
      if (!isRead || isLast) return answer;
      isLast = true;
      await service.ask('DELETE', `/teams/${owners}/relationships/organization-memberships`, 'org-token', {
        data: [{ id: real('ou-olive'), type: 'organization-memberships' }],
      });
      return answer;
    },
  });
  const { real } = await createNames(service.sandbox);
  const owners = real('team-owners');
  await service.run(['members', 'invite', 'ana@example.com', '--team', 'owners', '--yes']);
  service.sandbox.accept('ana@example.com', 'acme');
  isLast = false;
  const before = service.requests.length;
  const stdin = line.includes('apply') ? joinLines('email', ...OTHERS) : 'email\nana@example.com\n';
  const { code, stderr } = await service.run([...line.split(' '), '--yes'], { as, stdin });
  const writes = service.requests.slice(before).filter(({ method }) => method !== 'GET');
  expect({ code, stderr, writes }).toEqual({
    code: 10,
    stderr: expect.stringContaining('acme would have no owner: ana@example.com stayed\n'),
    writes: [],
  });
});

test('you are known by your account too, if your own memberships come back empty', async () => {
  const service = await startService({
    alter: (answer, { url }) =>
      /\/organization-memberships(\?|$)/.test(url.replace(/\/organizations\/.*/, ''))
        ? Response.json({ data: [] })
        : answer,
  });
  const run = (line: string, stdin: string) =>
    service.run([...line.split(' '), '--yes'], { as: 'team-manager', stdin });
  const removed = await run('members remove --file -', 'user\ntara-team-manager\n');
  expect(removed.stderr).toContain('a list never removes you (tara.team-manager@example.com)');
  const others = OTHERS.filter((email) => !email.startsWith('tara'));
  const applied = await run('members apply --prune --file -', joinLines('email', ...others));
  expect(applied).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('tara.team-manager@example.com is you, kept'),
  });
  expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

const [ADD, INVITE] = ['teams add TEAM ada-auditor', 'members invite ana@example.com --team TEAM'];
const [LEAVE, APPLY] = ['teams remove TEAM ivan.invitee@example.com olive-owner', 'members apply --file -'];

test.each<[line: string, team: string, showsTeams: boolean, ends: string]>([
  [ADD, 'owners', true, '2 confirmation-needed'],
  [INVITE, 'owners', true, '2 confirmation-needed'],
  [APPLY, 'owners', true, '2 confirmation-needed'],
  [`${LEAVE} --yes`, 'owners', true, '2 protected'],
  [ADD, 'platform', true, '0'],
  [INVITE, 'platform', true, '0'],
  [APPLY, 'platform', true, '0'],
  [`${LEAVE} --yes`, 'platform', true, '0'],
  [ADD, 'platform', false, '2 confirmation-needed'],
  [INVITE, 'platform', false, '2 confirmation-needed'],
  [`${INVITE} --yes`, 'platform', false, '0'],
  [`${ADD} --yes`, 'platform', false, '0'],
  [`${LEAVE} --yes`, 'platform', false, '2 protected'],
])('%s, by the id of %s, where teams are not listed (members show teams: %s)', async (line, name, isShown, ends) => {
  const service = await startService({
    faults: ['GET acme/teams: 404'],
    async alter(answer, { url }) {
      if (isShown || !url.includes('memberships?')) return answer;
      const { included, ...list } = (await answer.json()) as { included: { type: string }[] };
      return Response.json({ ...list, included: included.filter(({ type }) => type !== 'teams') });
    },
  });
  const team = (await createNames(service.sandbox)).real(`team-${name}`);
  const argv = `${line.replace('TEAM', team)} -o json`.split(' ');
  const { code, stderr } = await service.run(argv, { stdin: `email,teams\nada.auditor@example.com,${team}\n` });
  expect(`${code} ${stderr.match(/"code":"([\w-]+)"/)?.[1] ?? ''}`.trim()).toBe(ends);
});
