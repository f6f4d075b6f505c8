import { describe, expect, test } from 'vitest';
import { parseJsonLines } from '../support/formats.ts';
import { NOW, run } from '../support/run.ts';
import { type ServiceOptions, startService } from '../support/service.ts';
import { DAY, MINUTE, startTrail } from '../support/trail.ts';

const SAME = "The service answers the same to a token that can't read the audit trail.";
const EMPTY = `No events. ${SAME}`;

/** Nobody says who calls. */
const SILENT: ServiceOptions = {
  alter: (answer, request) =>
    request.url.endsWith('/account/details') ? Response.json({ errors: [{ status: '404' }] }, { status: 404 }) : answer,
};

test('audit-trail list says where the service keeps less than is asked for', async () => {
  const trail = await startTrail();
  trail.add(-20 * DAY, -DAY);
  const list = (since: string) => run(['audit-trail', 'list', '--since', since], { env: trail.env });
  expect(await list('40d')).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^\S+\t.*event-2\n$/),
    stderr: 'warning: the service keeps 14 days, so nothing before 2026-11-07 09:00 UTC is listed\n',
  });
  expect((await list('14d')).stderr).toBe('');
});

test.each(['ndjson', 'json', 'csv', 'tsv'])('events whose id is null are printed with -o %s', async (format) => {
  const trail = await startTrail();
  const event = { id: null, timestamp: '2026-11-21T08:00:00.000Z', resource: { id: 'ws-1' } };
  trail.onRequest = () => Response.json({ data: [event], pagination: {} });
  for (const words of [['list'], ['follow', '--once', '--since', '1d']]) {
    const { code, stdout, stderr } = await run(['audit-trail', ...words, '-o', format], { env: trail.env });
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('2026-11-21T08:00:00.000Z');
  }
});

describe('audit-trail list without any event', () => {
  test.each([
    ['owner', 'a user token (olive-owner)', ''],
    ['owner', 'a user token (olive-owner)', '--since 2d -q'],
    ['owners-team', 'a team token (api-team-owners-acme)', '--page 2 -o csv'],
    ['owner', 'a user token (olive-owner)', '-o ndjson'],
  ] as const)('by %s, %s %s: exit 4, and nothing is printed', async (as, kind, flags) => {
    const service = await startService();
    const { code, stdout, stderr } = await service.run(['audit-trail', 'list', ...flags.split(' ').filter(Boolean)], {
      as,
    });
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toContain(`this token can't read the audit trail: it is ${kind}`);
    expect(stderr).toContain('Use the organization token or the audit trail token. See how:');
  });

  test('of Terraform Enterprise: by its documentation there is none', async () => {
    const { code, stderr } = await (await startService({ like: 'enterprise' })).run(['audit-trail', 'list']);
    expect(code).toBe(4);
    expect(stderr).toContain(
      '  This is Terraform Enterprise, which has no audit trail by its documentation.\n' +
        '  → If this one has a trail, the organization token reads it.\n',
    );
  });

  test('in the sandbox: who can, as it is chosen there', async () => {
    const { code, stderr } = await run(['--sandbox', 'audit-trail', 'list']);
    expect(code).toBe(4);
    expect(stderr).toContain('Act as one that can: --as org-token or --as audit-token.');
  });

  test('a token that can read it: exit 0, without a word', async () => {
    const service = await startService();
    const result = await service.run(['audit-trail', 'list', '--since', '30m', '-o', 'json'], { as: 'org-token' });
    expect(result).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
  });

  // What keeps its account from being seen does not say which token it is.
  const ENDS = [
    { argv: 'audit-trail list', says: `warning: ${EMPTY}\n` },
    { argv: 'audit-trail list -q', says: `warning: ${EMPTY}\n` },
    { argv: 'audit-trail list -o json', prints: '[]\n', says: `${JSON.stringify({ warning: { message: EMPTY } })}\n` },
    { argv: 'audit-trail list --since 1h', says: `${EMPTY}\n` },
    { argv: 'audit-trail list --page 2', says: `${EMPTY}\n` },
    {
      argv: 'audit-trail list --since 1h -o json',
      prints: '[]\n',
      says: `${JSON.stringify({ note: { message: EMPTY } })}\n`,
    },
  ];
  for (const { argv, prints = '', says } of ENDS) {
    test(`${argv}, where nothing says which token it is: exit 0, and what it may mean`, async () => {
      const service = await startService(SILENT);
      expect(await service.run(argv.split(' '), { as: 'owner' })).toEqual({ code: 0, stdout: prints, stderr: says });
    });
  }
});

test('audit-trail list: when, who, what, and which', async () => {
  const service = await startService();
  await service.ask('POST', '/organizations/acme/authentication-token?token=audit-trails', 'owner', {
    data: { type: 'authentication-token', attributes: {} },
  });
  const { code, stdout, stderr } = await service.run(['audit-trail', 'list', '--limit', '1'], { as: 'org-token' });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^2026-11-21T09:00:00\.000Z\tolive-owner\tcreate\tauthentication_token\tat-\w+\t[\w-]+\n$/);
});

describe('the organization that the command line names', () => {
  const UNCHECKED = 'warning: The token decides whose audit trail is read; --org is not checked.\n';
  const ask = async (words: string, organization: string | undefined) => {
    const trail = await startTrail();
    trail.add(-MINUTE);
    const data = { id: organization, type: 'organizations' };
    const account = { id: 'user-1', type: 'users', relationships: { 'authenticated-resource': { data } } };
    trail.account = organization === undefined ? undefined : account;
    const result = await run(['audit-trail', ...words.split(' '), '--fields', 'id'], { env: trail.env });
    return { ...result, asked: trail.queries.length };
  };

  test.each(['list', 'follow --once --since 1d', 'follow --once --cursor globex.json'])(
    '%s refuses a token that is known to read another one, before anything is read',
    async (words) => {
      expect(await ask(`${words} --org globex`, 'acme')).toMatchObject({
        code: 2,
        stdout: '',
        asked: 0,
        stderr: expect.stringContaining(
          'orgctl: this token reads the audit trail of acme, not of globex\n' +
            '  → Use a token of globex, or --org acme. Nothing was read.\n',
        ),
      });
    },
  );

  test.each(['list', 'follow --once --since 1d', 'follow --once --cursor globex.json --since 1d'])(
    '%s warns where the token does not say whose trail it reads',
    async (words) => {
      expect(await ask(`${words} --org globex`, undefined)).toMatchObject({
        code: 0,
        stdout: 'event-1\n',
        stderr: UNCHECKED,
      });
    },
  );

  test('is taken without a word where it is the one of the token, and a default is not compared', async () => {
    const read = { code: 0, stdout: 'event-1\n', stderr: '' };
    expect(await ask('list --org GLOBEX', 'globex')).toMatchObject(read);
    expect(await ask('list', 'globex')).toMatchObject(read);
    expect(await ask('list', undefined)).toMatchObject(read);
  });
});

describe('audit-trail list from one instant to another', () => {
  const list = async (argv: readonly string[], pageSize = 2) => {
    const trail = await startTrail({ pageSize });
    trail.add(-3 * DAY, -2 * DAY - 1, -2 * DAY, -DAY - 1, -DAY, -MINUTE);
    const { stdout, ...result } = await run(['audit-trail', 'list', '-o', 'ndjson', ...argv], { env: trail.env });
    return { ...result, ids: parseJsonLines(stdout).map(({ id }) => id), queries: trail.queries };
  };

  test.each([
    [
      ['--since', '2026-11-19T09:00:00.000Z'],
      ['event-6', 'event-5', 'event-4', 'event-3'],
    ],
    [
      ['--since', '2026-11-19T08:59:59.999Z', '--until', '2026-11-20T09:00:00Z'],
      ['event-4', 'event-3', 'event-2'],
    ],
    [
      ['--until', '2026-11-20T08:59:59.999Z'],
      ['event-3', 'event-2', 'event-1'],
    ],
    [
      ['--until', '2026-11-20T09:00:00.001Z', '--limit', '2'],
      ['event-5', 'event-4'],
    ],
    [
      ['--until', '1d', '--page', '2'],
      ['event-4', 'event-3'],
    ],
    [['--until', '5d'], []],
  ])('%j', async (argv, expected) => {
    const { code, stderr, ids } = await list(argv);
    expect({ code, stderr, ids }).toEqual({ code: 0, stderr: '', ids: expected });
  });

  test.each([
    ['--actor olive', ['event-4', 'event-3', 'event-2', 'event-1']],
    ['--actor user-2', ['event-5']],
    ['--action DESTROY', ['event-5', 'event-2']],
    ['--resource team', ['event-4', 'event-2']],
    ['--resource team/team-1 --action destroy', ['event-2']],
    ['--action destroy,create --actor olive', ['event-4', 'event-2', 'event-1']],
    ['--action destroy --action create --resource team', ['event-4', 'event-2']],
    ['--actor milo,user-1 --limit 2', ['event-5', 'event-4']],
    ['--resource team-1,workspace-1 --action destroy', ['event-5', 'event-2']],
    ['--actor olive --limit 2', ['event-4', 'event-3']],
    ['--actor olive --since 2d', ['event-4', 'event-3']],
    ['--action destory', []],
  ])('%s: those events alone', async (line, expected) => {
    const { code, stdout, stderr } = await find(line);
    expect({ code, stderr, ids: stdout.split('\n').filter(Boolean) }).toEqual({ code: 0, stderr: '', ids: expected });
  });

  const find = async (line: string) => {
    const trail = await startTrail({ pageSize: 2 });
    const event = (days: number, [user, action, thing]: readonly [number, string, string]) => ({
      id: `event-${5 - days}`,
      timestamp: new Date(NOW - days * DAY - MINUTE).toISOString(),
      auth: { accessor_id: `user-${user}`, description: user === 1 ? 'Olive-owner' : 'milo-member' },
      resource: { type: thing.split('-')[0], id: thing, action },
    });
    const events = [
      event(0, [2, 'destroy', 'workspace-1']),
      event(1, [1, 'create', 'team-2']),
      event(1.5, [1, 'update', 'workspace-1']),
      event(3, [1, 'destroy', 'team-1']),
      event(4, [1, 'create', 'workspace-1']),
    ].map((each, at) => ({ ...each, id: `event-${5 - at}` }));
    trail.onRequest = ({ target }) => {
      const since = Date.parse(new URL(target, 'http://trail').searchParams.get('since') ?? '') || 0;
      return Response.json({ data: events.filter(({ timestamp }) => Date.parse(timestamp) >= since), pagination: {} });
    };
    return await run(['audit-trail', 'list', '--fields', 'id', ...line.split(' ')], { env: trail.env });
  };

  test('an empty list of actions is refused: it would find nothing', async () => {
    const { env } = await startTrail();
    expect(await run(['audit-trail', 'list', '--action', ','], { env })).toMatchObject({
      code: 2,
      stderr: 'orgctl: --action is empty\n  → Leave --action out to list everything.\n',
    });
  });

  test('--page does not go with a filter: the service has none', async () => {
    const { env } = await startTrail();
    expect(await run(['audit-trail', 'list', '--actor', 'olive', '--page', '2'], { env })).toEqual({
      stdout: '',
      code: 2,
      stderr:
        'orgctl: use --actor or --page, not both\n  → The service has no such filter: events are looked through from the newest on.\n',
    });
  });

  test('asks for --since to the millisecond', async () => {
    const { queries } = await list(['--since', '2026-11-20T09:00:00.123Z'], 100);
    expect(queries).toEqual(['since=2026-11-20T09:00:00.123Z']);
  });

  test.each([
    ['1d', '2d'],
    ['1d', '1d'],
  ])('--since %s --until %s is refused', async (since, until) => {
    const { code, stderr, queries } = await list(['--since', since, '--until', until]);
    expect({ code, queries }).toEqual({ code: 2, queries: [] });
    expect(stderr).toContain('--until must be later than --since');
  });

  test('says at a terminal which time had no events', async () => {
    const trail = await startTrail();
    trail.add(-MINUTE);
    const show = async (...argv: readonly string[]) =>
      (
        await run(['audit-trail', 'list', ...argv], {
          env: { ...trail.env, NO_COLOR: '1' },
          tty: { stdout: true, stderr: true },
          host: { sleep: () => new Promise(() => undefined) },
        })
      ).stderr;
    expect(await show('--until', '1d')).toBe('No events before 2026-11-20 09:00 UTC.\n');
    expect(await show('--since', '2d', '--until', '1d')).toBe(
      'No events from 2026-11-19 09:00 UTC to 2026-11-20 09:00 UTC.\n',
    );
  });
});

test('audit-trail list is whole though events come late, in front of a page and within it', async () => {
  const trail = await startTrail({ pageSize: 5 });
  trail.add(...Array.from({ length: 40 }, (_, index) => (index - 40) * MINUTE));
  let requests = 0;
  trail.onRequest = () => {
    requests += 1;
    // Those in front move the page, and the late one stands between those that came and the others.
    if (requests > 1 && requests < 6) trail.add(requests, requests + 0.5, (-5 * (requests - 1) - 0.5) * MINUTE);
    return undefined;
  };
  const { code, stdout, stderr } = await run(['audit-trail', 'list', '-o', 'ndjson'], { env: trail.env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const numbers = parseJsonLines(stdout).map(({ id }) => Number(String(id).slice(6)));
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(numbers.filter((number) => number <= 40).sort((one, other) => other - one)).toEqual(
    Array.from({ length: 40 }, (_, index) => 40 - index),
  );
  // In one reading: each page once, as many as there were at its end.
  expect(requests).toBe(11);
});
