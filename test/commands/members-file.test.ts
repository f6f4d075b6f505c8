import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { createFolder } from '../support/files.ts';
import type { RunOptions } from '../support/run.ts';
import { type ServiceOptions, startService, type TestService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

const OF_ACME = '/api/v2/organizations/acme/organization-memberships';

function emails(count: number, from = 1): readonly string[] {
  return Array.from({ length: count }, (_, index) => `person-${from + index}@example.com`);
}

const toCsv = (addresses: readonly string[], teams = 'platform'): string =>
  ['email,teams', ...addresses.map((email) => `${email},${teams}`), ''].join('\n');

interface Row {
  readonly id: string | null;
  readonly email: string;
  readonly result: string;
  readonly changed: boolean;
  readonly error?: { readonly code: string; readonly message: string; readonly status?: number };
}

const toRows = (stdout: string): readonly Row[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);

function countResults(rows: readonly Row[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { result } of rows) counts[result] = (counts[result] ?? 0) + 1;
  return counts;
}

async function start(options: Partial<SandboxOptions> & ServiceOptions = {}) {
  const service = await startService(options);
  return {
    ...service,
    /** Runs a verb with its file on stdin. */
    pipe: (argv: string, stdin: string, more: RunOptions = {}) =>
      service.run([...argv.split(' '), '--file', '-'], { stdin, ...more }),
    posts: () => service.requests.filter(({ method }) => method === 'POST').map(({ body }) => emailOf(body)),
    writes: () => service.requests.filter(({ method }) => method !== 'GET').length,
  };
}

function emailOf(body: string): string {
  return (JSON.parse(body) as { data: { attributes: { email: string } } }).data.attributes.email;
}

function createLatch(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

describe('before anything is sent', () => {
  test('every row that cannot be used is named, with its line, and unknown teams with them: exit 2', () =>
    transcript({
      stdin:
        'email,teams\nana@example.com,platform\nnonsense,platform\n# fine\nben@example.com,\n,platform\ncy@example.com,nope;audit;none\n',
    })`
      $ members invite --file -
      ! orgctl: stdin: 4 lines can't be used
      !   line 3: 'nonsense' is not an email address
      !   line 5: ben@example.com has no team
      !   line 6: has no email
      !   line 7: acme has no teams 'nope', 'none'
      !   → Nothing was sent. Give it as name@example.com. The first line names the columns: email,teams. Separate teams by semicolons. Give each row a team in the column teams, or all of them one with --team. Teams of acme: owners, platform, security, audit.
      = 2
    `);

  test('what Excel writes with semicolons is read, and its teams are separated by commas', () =>
    transcript({
      files: {
        'people.csv': '\uFEFFsep=;\r\nEmail;Teams\r\nana@example.com;platform,security\r\n',
        'wrong.csv': 'Email;Teams\nana@example.com;platform;security\n',
      },
    })`
      $ members invite --file people.csv --dry-run --fields email,teams.name -q
      ana@example.com\tplatform,security
      ! Would invite ana@example.com to acme (platform, security)
      ! Nothing was sent.
      $ members invite --file wrong.csv
      ! orgctl: wrong.csv: 1 line can't be used
      !   line 2: 3 values where the header names 2: separate teams by commas
      !   → Nothing was sent. The first line names the columns: email;teams. Separate teams by commas.
      = 2
    `);

  test('what a row lacks is said with the columns that are not used, and with what its team may be', () =>
    transcript({
      files: {
        'groups.csv': 'email,groups\nzoe@example.com,platform\n',
        'lines.csv': `email,teams\n${['a', 'b', 'c'].map((name) => `${name}@example.com,nope\n`).join('')}`,
        'names.txt': 'Ana <ana2@example.com>\nben@example.com\n',
        'typo.csv': 'email,teams\nzoe@example.com,platfrom\nana,audit\n',
        'export.csv': 'Name,Member Email\nZoe,zoe@example.com\n',
      },
    })`
      $ members invite --file groups.csv
      ! orgctl: groups.csv: 1 line can't be used
      !   line 2: zoe@example.com has no team
      !   not used: groups
      !   → Nothing was sent. Give each row a team in the column teams, or all of them one with --team.
      = 2, nothing sent
      $ members invite --file lines.csv
      ! orgctl: lines.csv: 3 lines can't be used
      !   line 2: acme has no team 'nope' (also lines 3 to 4)
      !   → Nothing was sent. Teams of acme: owners, platform, security, audit.
      = 2
      $ members invite --file names.txt --team platform
      ! orgctl: names.txt: 1 line can't be used
      !   line 1: 'Ana <ana2@example.com>' is not an email address
      !   → Nothing was sent. Give it as name@example.com.
      = 2
      $ members invite --file typo.csv
      ! orgctl: typo.csv: 2 lines can't be used
      !   line 2: acme has no team 'platfrom'. Did you mean platform?
      !   line 3: 'ana' is not an email address
      !   → Nothing was sent. Give it as name@example.com. Teams of acme: owners, platform, security, audit.
      = 2
      $ members invite --file export.csv --team platform
      ! orgctl: export.csv has no column email
      !   Its first line has: 'Name', 'Member Email'.
      !   → Rename 'Member Email' to email.
      = 2, nothing sent
    `);

  test('what is wrong in the rows is said also where teams cannot be read', () =>
    transcript({ stdin: 'email,teams\nnonsense,nope\na@example.com,nope\n' })`
      $ members invite --file - --org nowhere
      ! orgctl: stdin: 1 line can't be used
      !   line 2: 'nonsense' is not an email address
      !   → Nothing was sent. Give it as name@example.com.
      = 2
    `);

  test('every unknown team is named: exit 2', () =>
    transcript({
      stdin: 'email,teams\na@example.com,platform;nope\nb@example.com,Audit\nc@example.com,none;nope\n',
    })`
      $ members invite --file -
      ! orgctl: stdin: 2 lines can't be used
      !   line 2: acme has no team 'nope'
      !   line 4: acme has no teams 'none', 'nope'
      !   → Nothing was sent. Teams of acme: owners, platform, security, audit.
      = 2
    `);

  test('a team that is missing wherever a row acts: exit 2, before the first change', () =>
    transcript({
      stdin: 'email,teams,organization\na@example.com,nope,\nb@example.com,network,acme\nc@example.com,network,\n',
    })`
      $ members invite --file - --orgs acme,globex
      ! orgctl: stdin: 2 lines can't be used
      !   line 2: acme has no team 'nope'
      !   line 2: globex has no team 'nope'
      !   line 3: acme has no team 'network'
      !   → Nothing was sent. Teams of acme: owners, platform, security, audit. Teams of globex: owners, platform, security, audit, network, data.
      = 2
    `);

  test.each(['members invite', 'members remove', 'members resend', 'teams add platform', 'teams remove platform'])(
    '%s: nothing piped in is nothing to do, and an empty file is a mistake',
    async (verb) => {
      const service = await start();
      const argv = `${verb} --yes -o json`;
      expect(await service.pipe(argv, ' \n')).toMatchObject({ code: 0, stdout: '[]\n' });
      const file = join(createFolder(), 'people.csv');
      writeFileSync(file, '');
      const { code, stderr } = await service.run([...argv.split(' '), '--file', file]);
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(' is empty') });
    },
  );

  test.each([
    ['members invite a@example.com --team audit', 'use emails or --file, not both'],
    ['members remove ou-1', 'use members or --file, not both'],
    ['members resend ou-1', 'use members or --file, not both'],
    ['members remove --all-orgs --org acme', 'use --org or --all-orgs, not both'],
  ])('%s --file -: %s', async (argv, message) => {
    const service = await start();
    const { code, stdout, stderr } = await service.pipe(argv, toCsv(['a@example.com']));
    expect({ code, stdout, message: stderr.split('\n')[0] }).toEqual({
      code: 2,
      stdout: '',
      message: `orgctl: ${message}`,
    });
    expect(service.requests).toEqual([]);
  });

  test('without a team: exit 2', () =>
    transcript()`
      $ members invite a@example.com
      ! orgctl: missing --team
      !   → Usage: orgctl members invite (<email...> --team <teams> | --file <path>) [options]   Help: orgctl members invite --help
      = 2, nothing sent
    `);

  test.each([
    ['missing.csv', undefined, "can't read missing.csv: it doesn't exist"],
    ['.', undefined, "can't read .: it is a folder"],
    ['sheet.csv', Buffer.from('\uFEFFemail,teams\r\n', 'utf16le'), 'sheet.csv is not UTF-8 text'],
    ['real.xlsx', Buffer.from('PK\x03\x04real'), 'real.xlsx is an Excel workbook or another zip, not text'],
    ['old.csv', Buffer.from('email,teams\nm\u00fcller@example.com,a\n', 'latin1'), 'old.csv is not UTF-8 text'],
    ['empty.csv', Buffer.from(''), 'empty.csv is empty'],
    ['large.csv', Buffer.alloc(64 * 1024 * 1024 + 1, ' '), "can't read large.csv: it is larger than 64 MiB"],
  ])('a file that cannot be used: %s', async (name, content, message) => {
    const service = await start();
    const home = createFolder();
    if (content !== undefined) writeFileSync(join(home, name), content);
    const { code, stderr } = await service.run(['members', 'invite', '--file', name], { home });
    expect({ code, message: stderr.split('\n')[0] }).toEqual({ code: 2, message: `orgctl: ${message}` });
    expect(service.requests).toEqual([]);
  });

  test('a list that keeps changing: exit 10', async () => {
    let total = 1_000;
    const service = await start({
      async alter(answer, request) {
        const document = (await answer.json()) as { data: object[]; meta?: { pagination: Record<string, unknown> } };
        if (document.meta === undefined || request.url.includes('/teams')) return Response.json(document);
        total += 1;
        const pagination = { ...document.meta.pagination, 'total-count': total };
        return Response.json({ ...document, meta: { pagination } });
      },
    });
    const { code, stdout, stderr } = await service.pipe('members invite', toCsv(emails(600)));
    expect({ code, stdout }).toEqual({ code: 10, stdout: '' });
    expect(stderr).toContain("orgctl: can't invite people to acme completely:");
    expect(service.writes()).toBe(0);
  });

  test('--fail-if-exists names every member who is there: exit 7', () =>
    transcript({ stdin: toCsv(['ADA.auditor@example.com', ...emails(3), 'ivan.invitee@example.com']) })`
      $ members invite --fail-if-exists --file -
      ! orgctl: 2 people are already in acme
      !   ada.auditor@example.com (active; audit)
      !   ivan.invitee@example.com (invited; platform)
      !   → Nothing was sent. Leave out --fail-if-exists to invite the others.
      = 7
    `);

  test('--dry-run shows each invitation, and prints who is there', () =>
    transcript({ stdin: toCsv([...emails(2), 'ada.auditor@example.com'], 'audit') })`
      $ members invite --dry-run --file - -o ndjson --fields email,result
      {"email":"person-1@example.com","result":"planned"}
      {"email":"person-2@example.com","result":"planned"}
      {"email":"ada.auditor@example.com","result":"unchanged"}
      ! {"planned":{"effect":"invite person-1@example.com to acme (audit)","method":"POST","url":"http://127.0.0.1:PORT/api/v2/organizations/acme/organization-memberships","body":{"data":{"type":"organization-memberships","attributes":{"email":"person-1@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-audit"}]}}}}}}
      ! {"planned":{"effect":"invite person-2@example.com to acme (audit)","method":"POST","url":"http://127.0.0.1:PORT/api/v2/organizations/acme/organization-memberships","body":{"data":{"type":"organization-memberships","attributes":{"email":"person-2@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-audit"}]}}}}}}
      ! {"note":{"message":"3 people: 2 planned, 1 unchanged."}}
    `);
});

describe('what orgctl printed', () => {
  test.each(['json', 'ndjson', 'csv'])(
    'as %s is a list of people, without a word about the rest of it',
    async (format) => {
      const service = await start();
      const list = await service.run(['members', 'list', '--status', 'invited', '-o', format]);
      const text = format === 'ndjson' ? `[${list.stdout.trim().split('\n').join(',')}]` : list.stdout;
      const { code, stderr } = await service.pipe('members resend --yes', text);
      expect(code).toBe(0);
      expect(stderr).not.toContain('not used');
    },
  );

  test('columns of another program are named where they are not used', async () => {
    const service = await start();
    const { stderr } = await service.pipe('members resend --yes', 'email,phone\nivan.invitee@example.com,1\n');
    expect(stderr).toContain('stdin: not used: phone.\n');
  });
});

describe('one result for each person', () => {
  /** One each of what can happen: invited, there, refused (422), and what a full organization leaves. */
  const TEXT =
    'email,teams\nnew@example.com,\nADA.auditor@example.com,audit\nodd@example..com,platform\n# again\nNEW@example.com,security\nlast@example.com,\n';

  test.each([
    [
      'csv',
      /^result,email,organization\.id,id,teams\.name,teams-missing,error\.code,error\.message\r\ninvited,new@example\.com,acme,ou-\w+,"security,audit",,,\r\nunchanged,ada.*\r\nfailed,odd@example\.\.com,acme,,,,rejected,"odd@example\.\.com: the service rejected the request; \/data\/attributes\/email: Email is not an email address"\r\ninvited,.*\r\n$/,
    ],
    [
      'table',
      /^✓ Invited new@example\.com to acme \(security, audit\)\n= ada\.auditor@example\.com is already a member of acme \(audit\)\n✗ Failed: odd@example\.\.com: .*\n✓ Invited last@example\.com to acme \(audit\)\n$/,
    ],
  ])('%s', async (format, expected) => {
    const service = await start();
    const { code, stdout, stderr } = await service.pipe(`members invite --team audit -o ${format}`, TEXT);
    expect(code).toBe(10);
    expect(stdout).toMatch(expected);
    expect(stderr).toContain('4 people: 2 invited, 1 unchanged, 1 failed');
  });

  test('json: one array, in the order of the file, with the reason of what failed', async () => {
    const service = await start();
    const { code, stdout } = await service.pipe('members invite --team audit -o json', TEXT);
    expect(code).toBe(10);
    const rows = JSON.parse(stdout) as readonly Row[];
    expect(stdout).toBe(`${JSON.stringify(rows, undefined, 2)}\n`);
    expect(rows).toMatchObject([
      { email: 'new@example.com', status: 'invited', changed: true, result: 'invited' },
      { email: 'ada.auditor@example.com', status: 'active', changed: false, result: 'unchanged' },
      {
        id: null,
        email: 'odd@example..com',
        changed: false,
        result: 'failed',
        error: {
          code: 'rejected',
          status: 422,
          message:
            'odd@example..com: the service rejected the request; /data/attributes/email: Email is not an email address',
        },
      },
      { email: 'last@example.com', changed: true, result: 'invited' },
    ]);
  });

  test('each gets the teams of its row, and those of --team', () =>
    transcript({ stdin: TEXT })`
      $ members invite --team audit --file -
      invited\tnew@example.com\tacme\tou-1\tsecurity,audit\t\t\t
      unchanged\tada.auditor@example.com\tacme\tou-ada\taudit\t\t\t
      failed\todd@example..com\tacme\t\t\t\trejected\todd@example..com: the service rejected the request; /data/attributes/email: Email is not an email address
      invited\tlast@example.com\tacme\tou-2\taudit\t\t\t
      ! stdin: 1 row repeats a person.
      ! 4 people: 2 invited, 1 unchanged, 1 failed.
      ! orgctl: 1 of 4 failed
      !   odd@example..com: the service rejected the request; /data/attributes/email: Email is not an email address
      !   → Fix these values and run the command again.
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"new@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-security"},{"type":"teams","id":"team-audit"}]}}}}
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"odd@example..com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-platform"},{"type":"teams","id":"team-audit"}]}}}}
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"last@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-audit"}]}}}}
      = 10
    `);

  test.each([
    [{}, 21],
    [{ tty: { stdout: true } }, 0],
  ])(
    'a sentence for each of many where the table is kept, a count at the end everywhere: %j',
    async (options, sentences) => {
      const service = await startService();
      const emails = Array.from({ length: 21 }, (_, index) => `p${index}@example.com`);
      const argv = ['members', 'invite', ...emails, '--team', 'audit', '-o', 'table'];
      const { stdout, stderr } = await service.run(argv, options);
      expect(stdout.match(/^✓ Invited p\d+@example\.com to acme \(audit\)$/gm) ?? []).toHaveLength(sentences);
      expect(stderr).toContain('21 people: 21 invited.');
    },
  );

  test('JSON of several forms, and an empty list', () =>
    transcript({
      files: { 'two.json': '["a@example.com", {"email": "b@example.com", "teams": ["audit"]}]', none: '[]' },
    })`
      $ members invite --team platform --file two.json --fields email,result -q
      a@example.com\tinvited
      b@example.com\tinvited
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"a@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-platform"}]}}}}
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"b@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-audit"},{"type":"teams","id":"team-platform"}]}}}}
      $ members invite --team platform --file none -o json -q
      []
    `);

  test('the same command again changes nothing', async () => {
    const service = await start();
    const text = toCsv(emails(60));
    const first = await service.pipe('members invite -o ndjson', text);
    expect(countResults(toRows(first.stdout))).toEqual({ invited: 60 });
    const again = await service.pipe('members invite -o ndjson', text);
    expect(again.code).toBe(0);
    expect(countResults(toRows(again.stdout))).toEqual({ unchanged: 60 });
    expect(service.posts()).toHaveLength(60);
  });

  test('a person whom another user invites meanwhile is there, and no failure', () =>
    // The one who came first is stood in for by a service that refuses, having made it.
    transcript({
      service: {
        alter: (answer, request) =>
          request.method === 'POST' && answer.status === 201
            ? Response.json({ errors: [{ status: '422', title: 'invalid attribute' }] }, { status: 422 })
            : answer,
      },
    })`
      $ members invite a@example.com --team platform --fields email,result
      a@example.com\tunchanged
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"a@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-platform"}]}}}}
      $ members invite b@example.com --team platform --fail-if-exists --fields email,result 2>/dev/null
      b@example.com\tfailed
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"b@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-platform"}]}}}}
      = 7
    `);

  test('missing teams: exit 13, after everything was done', () =>
    transcript({ stdin: toCsv(['ada.auditor@example.com', 'new@example.com']) })`
      $ members invite --file - --fields email,teams-missing,result
      ada.auditor@example.com\tplatform\tunchanged
      new@example.com\t\tinvited
      ! 2 people: 1 invited, 1 unchanged.
      ! orgctl: ada.auditor@example.com is already a member, but is not in platform
      !   → An invitation can't change teams. Use teams add.
      > POST /organizations/acme/organization-memberships {"data":{"type":"organization-memberships","attributes":{"email":"new@example.com"},"relationships":{"teams":{"data":[{"type":"teams","id":"team-platform"}]}}}}
      = 13
    `);
});

describe('who is there already is read with the fewer requests', () => {
  const reads = (service: TestService): readonly string[] =>
    service.requests.filter(({ method, path }) => method === 'GET' && path.startsWith(OF_ACME)).map(({ path }) => path);

  test.each([
    { members: 10, people: 20, told: undefined, requests: 1 },
    { members: 10, people: 100, told: 'Reading all 16 members of acme (1 request)', requests: 2 },
    { members: 150, people: 100, told: 'Reading all 156 members of acme (2 requests)', requests: 3 },
    {
      members: 250,
      people: 100,
      told: 'Asking acme for 100 emails (up to 2 requests) instead of reading all 256',
      requests: 3,
    },
  ])('$people among $members: $requests', async ({ members, people, told, requests }) => {
    const service = await start({ seed: { kind: 'members', count: members } });
    const { code, stdout, stderr } = await service.pipe('members invite -o ndjson', toCsv(emails(people)));
    expect({ code, results: countResults(toRows(stdout)) }).toEqual({ code: 0, results: { invited: people } });
    expect(reads(service)).toHaveLength(requests);
    if (told === undefined) expect(stderr).not.toContain('members of acme');
    else expect(stderr).toContain(told);
  });

  test('addresses in capitals cost a request each, and are found by reading all', async () => {
    const service = await start({ seed: { kind: 'members', count: 900 } });
    const list = await service.ask('GET', '/organizations/acme/organization-memberships?page%5Bsize%5D=100');
    const there = (list.body as { data: { attributes: { email: string } }[] }).data
      .slice(10, 40)
      .map(({ attributes }) => attributes.email.toUpperCase());
    const { code, stdout } = await service.pipe('members invite -o ndjson', toCsv(there));
    expect(countResults(toRows(stdout))).toEqual({ unchanged: 30 });
    expect(code).toBe(0);
    expect(service.writes()).toBe(0);
    expect(reads(service)).toHaveLength(11);
  });
});

describe('several at a time', () => {
  test('never more than eight, more than one, and printed in order', async () => {
    let [now, most] = [0, 0];
    const waiting: (() => void)[] = [];
    const service = await start({
      async alter(answer, request) {
        if (request.method !== 'POST') return answer;
        now += 1;
        most = Math.max(most, now);
        // Whoever comes first is answered last.
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          setImmediate(() => waiting.pop()?.());
        });
        now -= 1;
        return answer;
      },
    });
    const people = emails(120);
    const { code, stdout } = await service.pipe('members invite -o ndjson', toCsv(people));
    expect(code).toBe(0);
    expect(toRows(stdout).map(({ email }) => email)).toEqual(people);
    expect(most).toBeGreaterThan(2);
    expect(most).toBeLessThanOrEqual(8);
  });

  test('a few go one after the other', async () => {
    let [now, most] = [0, 0];
    const service = await start({
      async alter(answer, request) {
        now += request.method === 'POST' ? 1 : 0;
        most = Math.max(most, now);
        await new Promise(setImmediate);
        now -= request.method === 'POST' ? 1 : 0;
        return answer;
      },
    });
    await service.pipe('members invite', toCsv(emails(8)));
    expect(most).toBe(1);
  });

  test('rows are printed as they become certain', async () => {
    const latch = createLatch();
    const service = await start({
      async alter(answer, request, body) {
        if (request.method === 'POST' && emailOf(body) === 'person-20@example.com') await latch.opened;
        return answer;
      },
    });
    let printed = 0;
    const { stdout } = await service.pipe('members invite -o ndjson', toCsv(emails(30)), {
      onStdout(text) {
        printed += text.split('\n').length - 1;
        if (printed === 19) latch.open();
      },
    });
    expect(toRows(stdout)).toHaveLength(30);
  });

  test('where stdout is closed, the rest is invited all the same', async () => {
    const service = await start();
    const { code } = await service.pipe('members invite -o ndjson', toCsv(emails(40)), { stdoutClosed: true });
    expect(code).toBe(0);
    expect(service.posts()).toHaveLength(40);
  });
});

describe('what stops the rest', () => {
  test('a refused token: those on their way have rows, and nothing more is sent', async () => {
    let posts = 0;
    const service = await start({
      alter(answer, request) {
        posts += request.method === 'POST' ? 1 : 0;
        return posts > 20
          ? Response.json({ errors: [{ status: '401', title: 'unauthorized' }] }, { status: 401 })
          : answer;
      },
    });
    const { code, stdout, stderr } = await service.pipe('members invite -o ndjson', toCsv(emails(300)));
    const rows = toRows(stdout);
    const counts = countResults(rows);
    expect(code).toBe(10);
    expect(counts['invited']).toBe(20);
    expect(counts['failed']).toBeGreaterThan(0);
    expect(counts['failed']).toBeLessThanOrEqual(8);
    expect(service.posts()).toHaveLength(20 + (counts['failed'] ?? 0));
    expect(counts['not-attempted']).toBe(300 - service.posts().length);
    expect(stderr).toMatch(/"Not attempted: \d+, from person-\d+@example\.com on"/);
  });

  test('a full organization at the first: one request, one reason, exit 7', async () => {
    const service = await start();
    const { code, stdout, stderr } = await service.run(['members', 'invite', '--file', '-', '-o', 'ndjson'], {
      stdin: toCsv(emails(300)),
      env: { ORGCTL_ORG: 'initech' },
    });
    expect(code).toBe(7);
    expect(countResults(toRows(stdout))).toEqual({ failed: 1, 'not-attempted': 299 });
    expect(service.posts()).toHaveLength(1);
    expect(stderr).toContain('300 people: 1 failed, 299 not attempted');
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    '%s: every row is accounted for, exit %i, and the same command does what is left',
    async (signal, code) => {
      let send: () => void = () => undefined;
      let posts = 0;
      const service = await start({
        alter(answer, request) {
          if (request.method === 'POST') posts += 1;
          if (posts === 30) send();
          return answer;
        },
      });
      const stopped = await service.pipe('members invite -o ndjson', toCsv(emails(100)), {
        onStart(sender) {
          send = () => sender(signal);
        },
      });
      const rows = toRows(stopped.stdout);
      expect(stopped.code).toBe(code);
      expect(rows.map(({ email }) => email)).toEqual(emails(100));
      const unclear = rows.filter(({ result }) => result === 'failed');
      expect(unclear.every(({ error }) => error?.code === 'outcome-unknown')).toBe(true);
      expect(rows.filter(({ result }) => result === 'not-attempted').length).toBeGreaterThan(50);
      const again = await service.pipe('members invite -o ndjson', toCsv(emails(100)));
      expect(again.code).toBe(0);
      expect(new Set(service.posts()).size).toBe(100);
      expect(service.posts()).toHaveLength(100);
    },
  );

  test('a row whose outcome is unknown is failed as such, and the others go on', async () => {
    let posts = 0;
    const service = await start({
      alter(answer, request) {
        if (request.method === 'POST') posts += 1;
        // The answer of the third is lost on the way, and so is every look at what became of it.
        const lost = posts === 3 && (request.method === 'POST' || request.url.includes('person-3'));
        return lost ? new Response('<html>', { status: 504 }) : answer;
      },
    });
    const { code, stdout } = await service.pipe('members invite -o ndjson --max-retries 0', toCsv(emails(5)));
    expect(code).toBe(10);
    expect(toRows(stdout).map(({ result, error }) => error?.code ?? result)).toEqual([
      'invited',
      'invited',
      'outcome-unknown',
      'invited',
      'invited',
    ]);
  });
});

test('a file is found from the folder the command runs in', async () => {
  const service = await start();
  const home = createFolder();
  writeFileSync(join(home, 'people.csv'), toCsv(['a@example.com']));
  const { code, stderr } = await service.run(['members', 'invite', '--file', 'people.csv'], { home });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '1 person: 1 invited.\n' });
});
