import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../campaign/random.ts';
import { createFolder } from '../support/files.ts';
import { type Organizations, type Person, startOrganizations } from '../support/organizations.ts';
import { createReview, KINDS, toChanges } from '../support/reviews.ts';
import { run, toText } from '../support/run.ts';
import { startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

const PERSON: Person = { id: 'ou-1', email: 'ana@example.com', status: 'active', teams: ['audit'], secondFactor: true };
const OWNER: Person = {
  id: 'ou-2',
  email: 'olive@example.com',
  status: 'active',
  teams: ['owners'],
  secondFactor: true,
};

/** Prints a report of one service, and compares another service with it. */
async function compare(before: Organizations, after: Organizations, format: string) {
  const home = createFolder();
  const first = await startOrganizations(before);
  const printed = await run(['members', 'report', '-o', format], { env: first.env, home });
  writeFileSync(join(home, `before.${format}`), printed.stdout);
  const second = await startOrganizations(after);
  const against = ['members', 'report', '--against', `before.${format}`];
  const result = await run([...against, '-o', 'csv'], { env: second.env, home });
  return { ...result, rows: readRows(result.stdout) };
}

function readRows(csv: string): readonly Record<string, string>[] {
  const rows = parse(csv, { columns: true }) as Record<string, string>[];
  // What csv puts before a formula.
  const plain = (value: string): string => value.replace(/^'(?=[=+-])/, '');
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])));
}

describe('members report', () => {
  test('as programs read it', () =>
    transcript()`
      $ members report
      acme\tada.auditor@example.com\tada-auditor\tactive\tfalse\taudit\tfalse\ttfc\tfalse\t2026-09-26T09:00:00.000Z\tou-ada
      acme\tivan.invitee@example.com\t\tinvited\tfalse\tplatform\t\ttfc\tfalse\t2026-09-27T09:00:00.000Z\tou-ivan
      acme\tmilo.member@example.com\tmilo-member\tactive\tfalse\taudit\tfalse\ttfc\tfalse\t2026-09-23T09:00:00.000Z\tou-milo
      acme\tolive.owner@example.com\tolive-owner\tactive\ttrue\towners\tfalse\ttfc\tfalse\t2026-09-22T09:00:00.000Z\tou-olive
      acme\trex.registry-manager@example.com\trex-registry-manager\tactive\tfalse\tplatform\tfalse\ttfc\tfalse\t2026-09-25T09:00:00.000Z\tou-rex
      acme\ttara.team-manager@example.com\ttara-team-manager\tactive\tfalse\tsecurity\tfalse\ttfc\tfalse\t2026-09-24T09:00:00.000Z\tou-tara
      ! 6 members of acme: 1 owner, 5 without two-factor, 1 invited.
    `);

  test('as people read it', () =>
    transcript()`
      $ members report -o table
      EMAIL                             ORGANIZATION  STATUS   TEAMS     2FA  OWNER  ADDED       USER                  ID
      ada.auditor@example.com           acme          active   audit     off         2026-09-26  ada-auditor           ou-ada
      ivan.invitee@example.com          acme          invited  platform              2026-09-27                        ou-ivan
      milo.member@example.com           acme          active   audit     off         2026-09-23  milo-member           ou-milo
      olive.owner@example.com           acme          active   owners    off  owner  2026-09-22  olive-owner           ou-olive
      rex.registry-manager@example.com  acme          active   platform  off         2026-09-25  rex-registry-manager  ou-rex
      tara.team-manager@example.com     acme          active   security  off         2026-09-24  tara-team-manager     ou-tara
      ! 6 members of acme: 1 owner, 5 without two-factor, 1 invited.
    `);

  test('of several organizations says in 80 columns who has a second factor, and not who is an owner', async () => {
    const { stdout } = await run(['--sandbox', 'members', 'report', '--all-orgs', '-o', 'table'], {
      env: { COLUMNS: '80' },
    });
    expect(stdout.split('\n')[0]).toMatch(/^EMAIL +ORGANIZATION +STATUS +TEAMS +2FA$/);
  });

  test('of one organization says in 80 columns since when, in place of its name', () =>
    transcript({ env: { COLUMNS: '80' } })`
      $ members report -o table
      EMAIL                             STATUS   TEAMS     2FA  OWNER  ADDED
      ada.auditor@example.com           active   audit     off         2026-09-26
      ivan.invitee@example.com          invited  platform              2026-09-27
      milo.member@example.com           active   audit     off         2026-09-23
      olive.owner@example.com           active   owners    off  owner  2026-09-22
      rex.registry-manager@example.com  active   platform  off         2026-09-25
      tara.team-manager@example.com     active   security  off         2026-09-24
      ! (no room for user.username; use --fields or -o json)
      ! 6 members of acme: 1 owner, 5 without two-factor, 1 invited.
    `);

  test('reads the members alone, where the names of teams come along', async () => {
    const service = await startService();
    await service.run(['members', 'report']);
    expect(service.requests.map(({ path }) => decodeURIComponent(path))).toEqual([
      '/api/v2/organizations/acme/organization-memberships?include=user,teams&page[size]=100',
    ]);
  });

  test('by email without case, then by id; those without an email are last', async () => {
    const people = [
      { ...PERSON, id: 'ou-9', email: null },
      { ...PERSON, id: 'ou-3', email: 'ben@example.com' },
      { ...PERSON, id: 'ou-2', email: 'Ana@example.com' },
      { ...PERSON, id: 'ou-1', email: 'ana@example.com' },
    ];
    const { env } = await startOrganizations({ acme: people });
    const { stdout } = await run(['members', 'report', '--fields', 'email,id'], { env });
    expect(stdout).toBe(toText('ana@example.com\tou-1', 'Ana@example.com\tou-2', 'ben@example.com\tou-3', '\tou-9'));
  });

  test('what can not be seen is empty, with a warning', async () => {
    const hidden = { ...PERSON, secondFactor: null };
    const { env } = await startOrganizations({ acme: [hidden, { ...hidden, id: 'ou-2', status: 'invited' }] });
    const fields = 'id,owner,user.two-factor.enabled';
    expect(await run(['members', 'report', '--fields', fields], { env })).toEqual({
      code: 0,
      stdout: toText('ou-1\t\t', 'ou-2\t\t'),
      stderr: toText(
        'warning: owner is empty in acme: your token sees no one in the team of owners, or no teams',
        "warning: two-factor is empty for 1 member of acme: the service doesn't show it",
        '2 members of acme: owners unknown, two-factor unknown, 1 invited.',
      ),
    });
  });

  test('what is unknown of some is not counted as none', async () => {
    interface Answer {
      readonly data: readonly { relationships: { teams?: object } }[];
      readonly included: readonly { attributes: Record<string, unknown> }[];
    }
    const service = await startService({
      async alter(answer, request) {
        if (!request.url.includes('/acme/')) return answer;
        const body = (await answer.json()) as Answer;
        delete body.data[1]?.relationships.teams;
        for (const { attributes } of body.included) {
          if (attributes['username'] === 'tara-team-manager') delete attributes['two-factor'];
        }
        return Response.json(body);
      },
    });
    const fields = ['--fields', 'email,owner,user.two-factor.enabled', '--orgs', 'acme,initech'];
    const { stdout, stderr } = await service.run(['members', 'report', ...fields]);
    expect(stdout).toContain('milo.member@example.com\t\tfalse\n');
    expect(stdout).toContain('tara.team-manager@example.com\tfalse\t\n');
    expect(stderr).toBe(
      toText(
        "warning: owner is empty for 1 member of acme: the service doesn't show their teams",
        "warning: two-factor is empty for 1 member of acme: the service doesn't show it",
        '11 members of 2 organizations: 2 owners (1 unknown), 8 without two-factor (1 unknown), 2 invited.',
      ),
    );
  });

  test('where names of teams do not come along, the list of teams says them', async () => {
    const service = await startService({
      async alter(answer, request) {
        const { searchParams } = new URL(request.url);
        if (searchParams.get('include')?.includes('teams') !== true) return answer;
        return Response.json({ errors: [{ status: '400', detail: 'invalid include' }] }, { status: 400 });
      },
    });
    const { code, stdout } = await service.run(['members', 'report', '--fields', 'email,owner,teams.name']);
    expect({ code, line: stdout.split('\n')[3] }).toEqual({ code: 0, line: 'olive.owner@example.com\ttrue\towners' });
  });
});

describe('members report --all-orgs', () => {
  const toPeople = (organization: string, count: number): readonly Person[] =>
    Array.from({ length: count }, (_, index) => ({
      ...PERSON,
      id: `ou-${organization}-${index}`,
      email: `person${(index * 7919) % 10_007}@example.com`,
      teams: [index === 0 ? 'owners' : 'audit'],
    }));
  const sizes = [0, 1, 99, 100, 101, 250, 7, 320, 50];
  const whole = Object.fromEntries(
    sizes.map((size, index) => [`org-${index}`, toPeople(`org-${index}`, size)] as const),
  );
  const toRows = (organizations: typeof whole): readonly string[] =>
    Object.values(organizations).flatMap((people) =>
      [...people].sort((one, other) => ((one.email ?? '') < (other.email ?? '') ? -1 : 1)).map(({ id }) => id),
    );

  test('every row of each, by name and then by email, with a request for each hundred', async () => {
    const { env, requests } = await startOrganizations(whole);
    const { code, stdout, stderr } = await run(['members', 'report', '--all-orgs', '--fields', 'id'], { env });
    expect({ code, stderr, rows: stdout.trimEnd().split('\n') }).toEqual({
      code: 0,
      stderr: toText('928 members of 9 organizations: 8 owners, 0 without two-factor.'),
      rows: toRows(whole),
    });
    expect(requests).toHaveLength(1 + sizes.reduce((sum, size) => sum + Math.max(1, Math.ceil(size / 100)), 0));
  });

  test('some can not be read: a line for each, exit 10, and the others are whole', async () => {
    const { env } = await startOrganizations({
      ...whole,
      'org-2': { status: 404 },
      'org-4': { status: 503 },
      'org-5': { changing: toPeople('org-5', 250) },
      'org-8': { status: 404 },
    });
    const { code, stdout, stderr } = await run(['members', 'report', '--all-orgs', '--fields', 'id'], { env });
    const { 'org-2': _2, 'org-4': _4, 'org-5': _5, 'org-8': _8, ...left } = whole;
    expect({ code, rows: stdout.trimEnd().split('\n') }).toEqual({ code: 10, rows: toRows(left) });
    const lines = stderr.split('\n').map((line) => line.replace(/;.*/, '').replace(/from \d+ to \d+/, 'meanwhile'));
    expect(lines.slice(0, 6)).toEqual([
      '428 members of 5 organizations: 4 owners, 0 without two-factor.',
      'orgctl: 4 of 9 organizations failed',
      "  the service doesn't show you the members of org-2",
      "  can't list the members of org-4: the service answered 503 (5 times)",
      "  can't list the members of org-5 completely: its length changed meanwhile. The list was read 4 times.",
      "  the service doesn't show you the members of org-8",
    ]);
  });

  test('against an earlier one: the changes of those that both have', async () => {
    const home = createFolder();
    const before = await startOrganizations(whole);
    const printed = await run(['members', 'report', '--all-orgs', '-o', 'csv'], { env: before.env });
    writeFileSync(join(home, 'january.csv'), printed.stdout);
    const [first, ...rest] = whole['org-7'] as readonly [Person, ...Person[]];
    const { 'org-6': _6, ...others } = whole;
    const seventh = [{ ...first, secondFactor: false }, ...rest];
    const after = { ...others, 'org-3': { status: 404 }, 'org-7': seventh };
    const { env } = await startOrganizations(after);
    const argv = ['members', 'report', '--all-orgs', '--against', 'january.csv', '--fields', 'change,id'];
    const { code, stdout, stderr } = await run(argv, { env, home });
    expect({ code, stdout, stderr: stderr.split('\n').slice(0, 5) }).toEqual({
      code: 10,
      stdout: toText('2fa-lost\tou-org-7-0'),
      stderr: [
        'warning: not compared: org-0 (not in january.csv)',
        'warning: not compared: org-6 (only in january.csv)',
        '1 change in 6 organizations since january.csv: 1 2fa-lost.',
        'orgctl: 1 of 8 organizations failed',
        "  the service doesn't show you the members of org-3",
      ],
    });
  });
});

describe('members report --against', () => {
  test.each(['csv', 'json'])('40 changes of every kind, and nothing else: %s', async (format) => {
    const { january, march, changes } = createReview(createRandom(40).int, 40);
    const { code, rows, stderr } = await compare({ acme: january }, { acme: march }, format);
    expect(toChanges(rows)).toEqual(changes);
    expect(changes).toHaveLength(40);
    expect(new Set(rows.map((row) => row['change']))).toEqual(new Set(KINDS));
    expect({ code, error: stderr.split('\n').at(-4) }).toEqual({
      code: 13,
      error: `orgctl: 40 changes since before.${format}`,
    });
  });

  test.each(Array.from({ length: 12 }, (_, seed) => seed))('any changes, by seed %i', async (seed) => {
    const draw = createRandom(seed).int;
    const { january, march, changes } = createReview(draw, draw(120));
    const { code, rows } = await compare({ acme: january }, { acme: march }, seed % 2 === 0 ? 'csv' : 'json');
    expect(toChanges(rows)).toEqual(changes);
    expect(code).toBe(changes.length === 0 ? 0 : 13);
  });

  test('the same again: no change, whatever the order', async () => {
    const { january } = createReview(createRandom(7).int, 40);
    const { code, stderr, rows } = await compare({ acme: january }, { acme: [...january].reverse() }, 'csv');
    expect({ code, rows, last: stderr.split('\n').at(-2) }).toEqual({
      code: 0,
      rows: [],
      last: 'No changes in acme since before.csv.',
    });
  });

  test('a person with another id is the same by email; with another email by id', async () => {
    const { rows, code } = await compare(
      { acme: [PERSON, OWNER] },
      {
        acme: [
          { ...PERSON, id: 'ou-9', status: 'invited' },
          { ...OWNER, email: 'o@example.com', secondFactor: false },
        ],
      },
      'csv',
    );
    expect({ code, rows: rows.map(({ change, email, before, after }) => [change, email, before, after]) }).toEqual({
      code: 13,
      rows: [
        ['status', 'ana@example.com', 'active', 'invited'],
        ['2fa-lost', 'o@example.com', 'true', 'false'],
      ],
    });
  });

  test('an organization that only one of them has is not compared', async () => {
    const home = createFolder();
    writeFileSync(join(home, 'old.csv'), 'organization.id,email\nglobex,ana@example.com\n');
    const { env } = await startOrganizations({ acme: [OWNER] });
    expect(await run(['members', 'report', '--against', 'old.csv'], { env, home })).toEqual({
      code: 10,
      stdout: '',
      stderr: toText(
        'warning: not compared: acme (not in old.csv)',
        'warning: not compared: globex (only in old.csv)',
        'orgctl: 2 organizations were not compared with old.csv',
        '  → Compare two reports of the same organizations.',
      ),
    });
  });

  test('what the earlier one does not say is not compared, and said', async () => {
    const home = createFolder();
    writeFileSync(join(home, 'old.csv'), 'organization.id,email\nacme,olive@example.com\n');
    const { env } = await startOrganizations({ acme: [OWNER] });
    const { code, stderr } = await run(['members', 'report', '--against', 'old.csv'], { env, home });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: toText(
        "warning: status is not compared in acme: old.csv doesn't have it",
        "warning: teams.name is not compared in acme: old.csv doesn't have it",
        "warning: owner is not compared in acme: old.csv doesn't have it",
        "warning: user.two-factor.enabled is not compared in acme: old.csv doesn't have it",
        'No changes in acme since old.csv.',
      ),
    });
  });

  test('at a terminal: a sentence for each', async () => {
    const home = createFolder();
    const rows = [
      'acme,olive@example.com,active,true,owners,true',
      'acme,ana@example.com,invited,false,platform,true',
      'acme,ben@example.com,active,false,"audit,platform",',
    ];
    writeFileSync(
      join(home, 'old.csv'),
      `${['organization.id,email,status,owner,teams.name,user.two-factor.enabled', ...rows].join('\r\n')}\r\n`,
    );
    const people = [
      { ...OWNER, teams: [] },
      { ...PERSON, teams: ['audit', 'owners'], secondFactor: false },
      { ...PERSON, id: 'ou-7', email: 'new@example.com' },
    ];
    const { env } = await startOrganizations({ acme: people });
    const argv = ['members', 'report', '--against', 'old.csv', '-o', 'table'];
    expect((await run(argv, { env, home })).stdout).toBe(
      toText(
        '~ ana@example.com (acme): was invited, is active',
        '~ ana@example.com (acme): is an owner now',
        '~ ana@example.com (acme): added to audit',
        '~ ana@example.com (acme): removed from platform',
        '~ ana@example.com (acme): two-factor is off now',
        '- ben@example.com left acme: was active (audit, platform)',
        '+ new@example.com joined acme: active (audit)',
        '~ olive@example.com (acme): is no longer an owner',
      ),
    );
  });

  test.each<[what: string, name: string, text: string, stderr: readonly string[]]>([
    ['an empty one', 'r.csv', ' \n', ['orgctl: r.csv is empty']],
    [
      'one without the column of organizations',
      'r.csv',
      'id,email\nou-1,ana@example.com\n',
      ['orgctl: r.csv has no column organization.id', "  The first line names the columns. It has: 'id', 'email'."],
    ],
    [
      'one with a column twice',
      'r.csv',
      'organization.id,email,email\nacme,ana@example.com,ben@example.com\n',
      ['orgctl: r.csv has two columns email'],
    ],
    [
      'one with a column that is nested without end',
      'r.csv',
      `organization.id,email,${'a.'.repeat(20_000)}b\nacme,ana@example.com,1\n`,
      ['orgctl: r.csv has a column whose name has more than 500 parts'],
    ],
    [
      'one with a value that is',
      'r.json',
      `[{"organization":{"id":"acme"},"email":"ana@example.com","user":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}]`,
      ['orgctl: r.json is not JSON: it is nested more than 500 levels deep'],
    ],
    [
      'one that names no one',
      'r.csv',
      'organization.id,status\nacme,active\n',
      [
        'orgctl: r.csv has no column email or id',
        "  The first line names the columns. It has: 'organization.id', 'status'.",
      ],
    ],
    [
      'rows that name no one, all at once',
      'r.csv',
      'organization.id,email\nacme,ana@example.com\nacme,\n,ben@example.com\n',
      ["orgctl: r.csv: 2 lines can't be used", '  line 3: has no email and no id', '  line 4: has no organization.id'],
    ],
    ['an object', 'r.json', '{"a":1}', ['orgctl: r.json is a JSON object, where an array is expected']],
    [
      'entries that are no rows',
      'r.json',
      '[7, {"organization":{"id":"acme"},"id":"ou-1"}, {}]',
      [
        "orgctl: r.json: 2 entries can't be used",
        '  entry 1: has no email and no id',
        '  entry 3: has no email and no id',
      ],
    ],
  ])('%s is refused before anything is sent', async (_, name, text, stderr) => {
    const home = createFolder();
    writeFileSync(join(home, name), text);
    const { env, requests } = await startOrganizations({ acme: [OWNER] });
    const hint = '  → Give what members report printed with -o csv or -o json.';
    expect(await run(['members', 'report', '--against', name], { env, home })).toEqual({
      code: 2,
      stdout: '',
      stderr: toText(...stderr, hint),
    });
    expect(requests).toEqual([]);
  });
});
