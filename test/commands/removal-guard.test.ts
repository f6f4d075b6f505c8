import { describe, expect, test } from 'vitest';
import { toRequestLines } from '../support/demo.ts';
import { createNames } from '../support/names.ts';
import { type ServiceOptions, startService } from '../support/service.ts';

/** Who may not be removed by a list of people: the same, whichever command reads the list. */

const OLIVE = 'olive.owner@example.com';
const ANA = 'ana@example.com';
const TARA = 'tara.team-manager@example.com';
const EVERYBODY = [
  'olive.owner',
  'milo.member',
  'tara.team-manager',
  'rex.registry-manager',
  'ada.auditor',
  'ivan.invitee',
];

interface Options {
  readonly service?: ServiceOptions & { readonly documentOnly?: boolean };
  /** A second owner, invited or active. */
  readonly ana?: 'invited' | 'active';
}

/** Removes these people in each way there is, called with the organization's token where the service says whose that is. */
async function removeEach(people: readonly string[], flags: string, { service: options = {}, ana }: Options = {}) {
  const as = options.documentOnly === true ? 'team-manager' : 'org-token';
  const ways = [
    { argv: ['members', 'remove'], stdin: `email\n${people.join('\n')}\n` },
    {
      argv: ['members', 'apply', '--prune', '--max-removals', '20'],
      stdin: `members: ${JSON.stringify([...EVERYBODY.map((name) => `${name}@example.com`), ...(ana ? [ANA] : [])].filter((email) => !people.includes(email)))}\n`,
    },
  ];
  return await Promise.all(
    ways.map(async ({ argv, stdin }) => {
      const service = await startService(options);
      const { plain } = await createNames(service.sandbox);
      if (ana !== undefined) {
        const teams = (await service.ask('GET', '/organizations/acme/teams')).body as {
          data: { id: string; attributes: { name: string } }[];
        };
        const id = teams.data.find(({ attributes }) => attributes.name === 'owners')?.id;
        await service.ask('POST', '/organizations/acme/organization-memberships', 'owner', {
          data: {
            type: 'organization-memberships',
            attributes: { email: ANA },
            relationships: { teams: { data: [{ type: 'teams', id }] } },
          },
        });
      }
      if (ana === 'active') service.sandbox.accept(ANA, 'acme');
      const { code, stderr } = await service.run(
        [...argv, '--file', '-', '--yes', ...flags.split(' ').filter((word) => word !== '')],
        { stdin, as },
      );
      const removed = toRequestLines(service.requests, { plain }).filter((request) => request.startsWith('DELETE '));
      return { code, removed, said: /^orgctl: (.*)$/m.exec(stderr)?.[1] };
    }),
  );
}

const both = <End>(end: End) => [end, end];
const UNSEEN = { code: 2, removed: [], said: "orgctl can't see who owns acme, so it removes no one" };
const OWNERLESS = { code: 2, removed: [], said: 'that would leave acme without an owner' };
const removed = (...names: readonly string[]) => ({
  code: 0,
  removed: names.map((name) => `DELETE /organization-memberships/ou-${name}`),
  said: undefined,
});

describe('where the owners cannot be seen', () => {
  const hideTeams: ServiceOptions['alter'] = async (answer, request) => {
    if (!new URL(request.url).pathname.endsWith('/organization-memberships')) return answer;
    const body = (await answer.json()) as { data: { relationships: object }[] };
    for (const member of body.data) member.relationships = {};
    return Response.json(body, { status: answer.status });
  };

  test.each<[string, NonNullable<Options['service']>]>([
    ['since no team is listed', { documentOnly: true }],
    ['since no team of anybody is said', { alter: hideTeams }],
  ])('%s, nobody is removed', async (_why, service) => {
    expect(await removeEach(['ada.auditor@example.com'], '', { service })).toEqual(both(UNSEEN));
  });

  test('--allow-owners removes them all the same', async () => {
    const hideNames: ServiceOptions['alter'] = async (answer) => {
      if (answer.status !== 200) return answer;
      const { included: _included, ...body } = (await answer.json()) as { included?: unknown };
      return Response.json(body);
    };
    const service = { documentOnly: true, alter: hideNames };
    const ends = await removeEach(['ada.auditor@example.com', OLIVE], '--allow-owners', { service });
    expect(ends.map((end) => ({ ...end, removed: [...end.removed].sort() }))).toEqual(both(removed('ada', 'olive')));
  });

  test('--allow-owners removes the last one never, where teams come along with members alone', async () => {
    const service = { documentOnly: true };
    expect(await removeEach(['ada.auditor@example.com', OLIVE], '--allow-owners', { service })).toEqual(
      both(OWNERLESS),
    );
    expect(await removeEach(['ada.auditor@example.com'], '--allow-owners', { service })).toEqual(both(removed('ada')));
  });
});

describe('where the owners can be seen', () => {
  test('an owner is removed only with --allow-owners', async () => {
    const [remove, apply] = await removeEach([ANA], '', { ana: 'active' });
    expect(remove).toEqual({
      code: 2,
      removed: [],
      said: `--file never removes you or an owner: ${ANA} (owner of acme)`,
    });
    expect(apply).toEqual(removed());
    const ends = await removeEach([ANA], '--allow-owners', { ana: 'active' });
    expect(ends.map(({ code, removed: gone }) => [code, gone.length])).toEqual(both([0, 1]));
  });

  test('the last owner never is', async () => {
    expect(await removeEach([OLIVE], '--allow-owners')).toEqual(both(OWNERLESS));
    expect(await removeEach([OLIVE, ANA], '--allow-owners', { ana: 'active' })).toEqual(both(OWNERLESS));
  });

  test('an owner who has not accepted yet does not count as one who stays', async () => {
    expect(await removeEach([OLIVE], '--allow-owners', { ana: 'invited' })).toEqual(both(OWNERLESS));
    expect(await removeEach([OLIVE], '--allow-owners', { ana: 'active' })).toEqual(both(removed('olive')));
  });
});

/** One rule for all that takes an owner away, whoever calls and however they are named. */
describe('whoever removes an owner', () => {
  const ALTERED = { headers: { 'content-type': 'application/vnd.api+json' } };
  const hideOwn: ServiceOptions['alter'] = (answer, { url }) =>
    new URL(url).pathname === '/api/v2/organization-memberships' ? Response.json({ data: [] }, ALTERED) : answer;
  const hideSelf: ServiceOptions['alter'] = (answer, request, body) =>
    request.url.endsWith('/account/details')
      ? Response.json({ errors: [{ status: '404', title: 'not found' }] }, { status: 404, ...ALTERED })
      : hideOwn(answer, request, body);
  const everyoneBut = (...people: readonly string[]) =>
    `members: ${JSON.stringify(EVERYBODY.map((name) => `${name}@example.com`).filter((email) => !people.includes(email)))}\n`;
  const APPLY = 'members apply --prune --max-removals 20 --file -';

  test.each([
    ['members remove olive.owner@example.com', ''],
    ['members remove --file - --allow-owners', `email\n${OLIVE}\n`],
    ['members remove olive.owner@example.com --orgs globex', ''],
    [`${APPLY} --allow-owners`, 'members: [gina.globex@example.com]\n'],
  ])('%s: no service account is an owner who stays, whatever else comes along', async (argv, stdin) => {
    // The list of a team has no include.
    const service = await startService({
      alter: async (answer, { url }) => {
        if (!url.includes('/relationships/organization-memberships?')) return answer;
        const { included: _included, ...body } = (await answer.json()) as { included?: unknown };
        return Response.json(body, ALTERED);
      },
    });
    const options = { as: 'org-token', org: 'globex', stdin } as const;
    await service.run(['teams', 'add', 'owners', 'api-team_1001', '--yes'], options);
    const before = service.requests.length;
    const { code, stderr } = await service.run([...argv.split(' '), '--yes'], options);
    const sent = service.requests.slice(before).filter(({ method }) => method !== 'GET');
    expect({ code, said: stderr.split('\n')[0], sent }).toEqual({
      code: 2,
      said: 'orgctl: that would leave globex without an owner',
      sent: [],
    });
  });

  test.each([
    ['members remove --file -', `email\n${TARA}\n`, `orgctl: --file never removes you or an owner: ${TARA} (you)`],
    [`members remove ${TARA} --orgs acme`, '', `orgctl: --orgs never removes you: ${TARA} (you)`],
    [APPLY, everyoneBut(TARA), 'Nothing to do.'],
  ])('%s: no list of own memberships makes the caller a stranger', async (argv, stdin, said) => {
    const service = await startService({ alter: hideOwn });
    const { stderr } = await service.run([...argv.split(' '), '--yes'], { as: 'team-manager', stdin });
    expect(stderr).toContain(said);
    expect(service.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
  });

  test.each([
    ['members remove --file -', `email\n${TARA}\n`],
    [`members remove ${TARA} --orgs acme`, ''],
    [APPLY, everyoneBut(TARA)],
    [`members remove ${OLIVE}`, ''],
    [`members remove --file - --allow-owners`, `email\n${OLIVE}\n`],
  ])('%s: refused where nothing says who calls', async (argv, stdin) => {
    const service = await startService({ alter: hideSelf });
    const { code, stderr } = await service.run([...argv.split(' '), '--yes'], { as: 'team-manager', stdin });
    expect({ code, said: stderr.split('\n')[0] }).toEqual({
      code: 2,
      said: "orgctl: orgctl can't see which member of acme you are, so it removes no one",
    });
    expect(service.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
  });

  test('you as an owner are not removed, whatever the service would do; others are', async () => {
    const service = await startService();
    await service.run(['members', 'invite', ANA, '--team', 'owners', '--yes']);
    service.sandbox.accept(ANA, 'acme');
    const { code, stdout, stderr } = await service.run(
      ['members', 'remove', OLIVE, ANA, '--yes', '--fields', 'email,result,error.code'],
      { as: 'owner' },
    );
    expect({ code, stdout }).toEqual({
      code: 10,
      stdout: `${OLIVE}\tfailed\tforbidden\n${ANA}\tremoved\t\n`,
    });
    expect(stderr).toContain("owners can't remove themselves, and you own acme");
    expect(service.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
  });
});

test('a list for every organization removes an owner of none of them', async () => {
  const service = await startService();
  const remove = async (email: string) => {
    const { code, stderr } = await service.run(['members', 'remove', '--all-orgs', '--file', '-', '--yes'], {
      as: 'member',
      stdin: `email,organization\n${email},acme\n${email},globex\n`,
    });
    return { code, stderr };
  };
  const { code, stderr } = await remove(OLIVE);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^orgctl: --file never removes you or an owner: .* \(owner of (?:acme|globex)\)\n/);
  expect(service.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
});

test.each([
  ['members remove ada-auditor --allow-owners', '--allow-owners works only with --file'],
  ['members apply --file - --allow-owners', '--allow-owners works only with --prune'],
  ['members plan --file - --allow-owners', '--allow-owners works only with --prune'],
])('%s: exit 2', async (argv, said) => {
  const service = await startService();
  const { code, stderr } = await service.run(argv.split(' '));
  expect({ code, stderr: stderr.split('\n')[0] }).toEqual({ code: 2, stderr: `orgctl: ${said}` });
  expect(service.requests).toEqual([]);
});
