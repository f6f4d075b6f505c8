import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { createFolder } from '../support/files.ts';
import { NOW, type RunOptions } from '../support/run.ts';
import { hide, type ServiceOptions, startService } from '../support/service.ts';

/** A service, and a home whose folder is also where the command runs. */
async function start(options: Partial<SandboxOptions> & ServiceOptions = {}) {
  const service = await startService(options);
  // Beside nothing else, so that what leaves it is seen.
  const home = join(createFolder(), 'home');
  mkdirSync(home);
  const { body } = await service.ask('GET', '/organizations/acme/teams?filter%5Bnames%5D=platform');
  const { id: team } = (body as { data: [{ id: string }] }).data[0];
  const read = (name: string): string | undefined =>
    existsSync(join(home, name)) ? readFileSync(join(home, name), 'utf8') : undefined;
  return {
    ...service,
    home,
    team,
    /** A token of the team platform; its secret. */
    async add(description: string, name = team): Promise<string> {
      const made = await service.ask('POST', `/teams/${name}/authentication-tokens`, 'owner', {
        data: { type: 'authentication-tokens', attributes: { description } },
      });
      return (made.body as { data: { attributes: { token: string } } }).data.attributes.token;
    },
    read,
    /** The path of the only journal. */
    journal(): string {
      const [path = ''] = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.endsWith('rotation.json'),
      );
      return join(home, path);
    },
    /** The words after `tokens rotate`, or all words. */
    rotate: (words: string | readonly string[], run: RunOptions = {}) =>
      // Each draws other letters than the one before.
      service.run(['tokens', 'rotate', ...(typeof words === 'string' ? words.split(' ') : words)], {
        home,
        seed: `run ${service.requests.length}`,
        ...run,
      }),
    /** The tokens of teams that have a description: each with its id. */
    async described(): Promise<ReadonlyMap<string, string>> {
      const { body } = await service.ask('GET', '/organizations/acme/team-tokens?page%5Bsize%5D=100');
      const { data } = body as { data: { id: string; attributes: { description: string | null } }[] };
      return new Map(
        data.flatMap(({ id, attributes: { description } }) => (description === null ? [] : [[description, id]])),
      );
    },
    writes: () =>
      service.requests
        .filter(({ method }) => method !== 'GET')
        .map(({ method, path }) => `${method} ${path.replace(team, 'team-platform')}`),
  };
}

const CI = 'team:platform/ci --expires 90d --to file:./ci';
const toNew = (text: string): string =>
  text.replace(/ci 2026-11-21-[0-9a-f]{16}/g, 'ci NEW').replace(/at-\w+/g, 'at-N');

describe('a token with a description', () => {
  test('gets a new one beside it, which is delivered and tried before the old one is deleted', async () => {
    const { rotate, described, read, writes } = await start();
    const { code, stdout } = await rotate(`${CI} -o table`);
    expect({ code, stdout: toNew(stdout) }).toEqual({
      code: 0,
      stdout: `✓ Created a new token of team platform in acme (ci NEW); it expires in 90 days (2027-02-19 09:00 UTC)
✓ Delivered to file:./ci
✓ Verified: it is a token of team platform
✓ Deleted the old one (ci)
`,
    });
    expect([...(await described()).keys()].map(toNew)).toEqual(['ci NEW', 'laptop of rex']);
    expect(read('ci')).toMatch(/^sandbox\./);
    expect(writes().map(toNew)).toEqual([
      'POST /api/v2/teams/team-platform/authentication-tokens',
      'DELETE /api/v2/authentication-tokens/at-N',
    ]);
  });

  test('has one suffix after the second time, whichever name it is called by', async () => {
    const { rotate, described } = await start();
    await rotate(CI);
    const [name = '', id = ''] = [...(await described())].find(([each]) => each.startsWith('ci')) ?? [];
    expect(await rotate([`team:platform/${name}`, '--expires', '90d', '--to', 'file:./ci'])).toMatchObject({ code: 0 });
    const [second = '', other = ''] = [...(await described())].find(([each]) => each.startsWith('ci')) ?? [];
    expect([toNew(second), other === id]).toEqual(['ci NEW', false]);
    expect((await rotate(`${other} --expires 90d --to file:./ci`)).code).toBe(0);
    expect((await rotate(`${id} --expires 90d --to file:./ci`)).code).toBe(5);
  });

  test('that is not there is created only when that is asked for', async () => {
    const { rotate, described, writes } = await start();
    const missing = await rotate('team:platform/cii --expires 90d --to file:./ci');
    expect([missing.code, missing.stderr]).toEqual([
      5,
      expect.stringContaining("acme's token cii of team platform does not exist"),
    ]);
    expect(writes()).toEqual([]);
    const made = await rotate('team:platform/cii --create-missing --expires 90d --to file:./ci');
    const name = [...(await described()).keys()].find((each) => each.startsWith('cii '));
    expect([made.code, made.stderr]).toEqual([
      0,
      `Created acme's token cii of team platform (${name}; there was none).\n`,
    ]);
  });

  test('stays with --keep-old until a later run deletes it', async () => {
    const { rotate, described, requests } = await start();
    const first = await rotate(`${CI} --keep-old 1d -o json`);
    expect(first.code).toBe(0);
    expect(JSON.parse(first.stdout)).toMatchObject({
      retired: [{ description: 'ci', deleted: false, 'kept-until': '2026-11-22T09:00:00.000Z' }],
    });
    const condition = `${CI} --if-expires-within 1d -o json`;
    const before = requests.length;
    expect(JSON.parse((await rotate(condition)).stdout)).toMatchObject({
      changed: false,
      retired: [{ deleted: false }],
    });
    // For the plan, and under the lock.
    expect(requests.slice(before).filter(({ path }) => path.includes('/team-tokens'))).toHaveLength(2);
    expect((await described()).has('ci')).toBe(true);
    const later = await rotate(condition, { now: Date.parse('2026-11-23T09:00:00Z') });
    expect(JSON.parse(later.stdout)).toMatchObject({ changed: false, retired: [{ description: 'ci', deleted: true }] });
    expect((await described()).has('ci')).toBe(false);
  });

  test.each([
    ['before its time, when nothing is due', '--if-expires-within 1d', '2026-11-21T10:00:00Z', []],
    ['after it, when a rotation is due', '--if-older-than 1h', '2026-11-23T09:00:00Z', ['POST', 'DELETE']],
  ])('that was kept may be deleted by hand, %s', async (_name, condition, now, sent) => {
    const { rotate, ask, described, journal, writes } = await start();
    expect((await rotate(`${CI} --keep-old 1d`)).code).toBe(0);
    const id = (await described()).get('ci');
    await ask('DELETE', `/authentication-tokens/${id}`);
    const run = { now: Date.parse(now) };
    const planned = await rotate(`${CI} ${condition} --dry-run -o table`, run);
    expect([planned.code, planned.stdout + planned.stderr]).toEqual([0, expect.not.stringContaining(`${id}`)]);
    const { code, stderr } = await rotate(`${CI} ${condition}`, run);
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(`The old token ${id} (ci), which was kept, was deleted elsewhere.`),
    ]);
    expect(readFileSync(journal(), 'utf8')).not.toContain('"retiring"');
    expect(
      writes()
        .slice(1)
        .map((each) => each.split(' ')[0]),
    ).toEqual(sent);
  });

  test('that was kept is deleted when its time has come, also where several organizations are asked for', async () => {
    const { rotate, described, writes } = await start();
    const several = 'team:platform/ci --orgs acme,globex --expires 90d --to file:./{org} -o json';
    await rotate(`${several} --keep-old 1d --yes`);
    const condition = `${several} --if-expires-within 30d`;
    expect(JSON.parse((await rotate(condition)).stdout)).toMatchObject([
      {
        result: 'unchanged',
        retired: [{ description: 'ci', deleted: false, 'kept-until': '2026-11-22T09:00:00.000Z' }],
      },
      { result: 'none-or-not-permitted' },
    ]);
    // No question: --keep-old was the consent.
    const { code, stdout } = await rotate(condition, { now: Date.parse('2026-11-23T09:00:00Z') });
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      [
        expect.objectContaining({ retired: [expect.objectContaining({ description: 'ci', deleted: true })] }),
        expect.objectContaining({ result: 'none-or-not-permitted' }),
      ],
    ]);
    expect((await described()).has('ci')).toBe(false);
    expect(writes()).toHaveLength(2);
  });

  test('has fields of its team, and of what became of the old token', async () => {
    const { rotate, run } = await start();
    const fields = ['kind', 'team.name', 'description', 'retired'];
    await rotate(`${CI} --keep-old 1d`);
    const named = await rotate(`${CI} --if-expires-within 1d -o csv --fields ${fields.join(',')}`);
    expect([named.code, toNew(named.stdout)]).toEqual([
      0,
      `${fields.join(',')}\r\nteam,platform,ci NEW,"Kept the old one (ci, at-N) until 2026-11-22 09:00 UTC"\r\n`,
    ]);
    const { stdout: known } = await run(['tokens', 'rotate', '--fields', 'help']);
    for (const name of [...fields, 'team', 'team.id']) expect(known.split('\n')).toContain(name);
  });

  test('the deletion of the old one alone is said in every format', async () => {
    const { rotate } = await start();
    await rotate(`${CI} --keep-old 1d`);
    const alone = await rotate(`${CI} --if-expires-within 1d -o tsv`, { now: Date.parse('2026-11-23T09:00:00Z') });
    expect(alone.stdout).toMatch(/\tfalse\t\tDeleted the old one \(ci\)\n$/);
    expect(alone.stderr).toMatch(/^Deleted the old one \(ci\)$/m);

    const several = 'team:platform/laptop --orgs acme --expires 90d --to file:./{org} -o tsv';
    await rotate(`${several} --create-missing --yes`);
    await rotate(`${several} --keep-old 1d --yes`);
    const later = { now: Date.parse('2026-11-23T09:00:00Z') };
    const { stdout, stderr } = await rotate(`${several} --if-expires-within 1d`, later);
    expect([stdout, stderr]).toEqual([
      expect.stringMatching(/^retired\tacme\t.*\tDeleted the old one \(laptop .*\)\t\t\n$/),
      expect.stringMatching(/^acme: Deleted the old one \(laptop .*\)$/m),
    ]);
  });

  test('a dry run says which old tokens would be deleted', async () => {
    const { rotate, described, writes } = await start();
    const ci = CI.replace('./ci', './{org}');
    const dryRun = async (words: string, run: RunOptions = {}) => {
      const { code, stdout, stderr } = await rotate(`${words} --dry-run`, run);
      expect(code, stderr).toBe(0);
      return { stdout, said: toNew(stderr).match(/^Would .*$/gm) };
    };
    const replaced = await dryRun(`${ci} -o table`);
    expect(replaced.said).toEqual([
      expect.stringContaining("Would replace acme's token ci of team platform ("),
      "Would delete acme's old token at-N (ci), once the new one is delivered and works",
    ]);
    const { planned } = JSON.parse((await dryRun(`${ci} -o json`)).stdout);
    const old = (await described()).get('ci');
    expect(planned).toMatchObject([
      { method: 'POST' },
      { method: 'DELETE', url: expect.stringMatching(new RegExp(`/authentication-tokens/${old}$`)) },
    ]);
    // One that stays is not in the plan.
    expect(JSON.parse((await dryRun(`${ci} --keep-old 1d -o json`)).stdout).planned).toMatchObject({ method: 'POST' });

    await rotate(`${ci} --keep-old 1d`);
    const before = writes().length;
    const condition = `${ci} --if-expires-within 1d`;
    const run = { now: Date.parse('2026-11-23T09:00:00Z') };
    const deletion = "Would delete acme's old token at-N (ci), which was kept until 2026-11-22 09:00 UTC";
    expect((await dryRun(`${condition} -o table`, run)).said).toEqual([deletion]);
    expect(JSON.parse((await dryRun(`${condition} -o json`, run)).stdout)).toMatchObject({
      changed: false,
      id: expect.stringMatching(/^at-/),
      planned: { method: 'DELETE', url: expect.stringMatching(new RegExp(`/authentication-tokens/${old}$`)) },
    });
    const several = await dryRun(`${condition} --orgs acme`, run);
    expect([several.said, several.stdout]).toEqual([[deletion], expect.stringMatching(/^planned\tacme\t/)]);
    expect(writes()).toHaveLength(before);
    expect(writes().at(-1)).toMatch(/^POST /);
  });

  test('that two tokens could be is rotated by its id alone', async () => {
    const { rotate, add, writes } = await start();
    await add('ci 2026-01-01-0123456789abcdef');
    const { code, stderr } = await rotate(CI);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('2 tokens of team platform in acme have this description'),
    ]);
    expect(writes()).toEqual([]);
  });

  test('that was named by its id is the one that is replaced, and not the one that was delivered before', async () => {
    const { rotate, add, described } = await start();
    await add('ci 2026-01-01-0123456789abcdef');
    const { ci = '', ...rest } = Object.fromEntries(await described());
    const [twin = ''] = Object.keys(rest).filter((name) => name.startsWith('ci '));
    const first = await rotate(`${ci} --expires 90d --to file:./ci -o json`);
    expect(first.code).toBe(0);
    expect([...(await described()).values()]).toEqual(
      expect.arrayContaining([rest[twin], JSON.parse(first.stdout).id]),
    );
    const second = await rotate(`${rest[twin]} --expires 90d --to file:./twin -o json`);
    expect(JSON.parse(second.stdout)).toMatchObject({ retired: [{ id: rest[twin], deleted: true }] });
    expect([...(await described()).values()]).toContain(JSON.parse(first.stdout).id);
  });

  test('is not taken for another one with its description, whose rotation is unfinished', async () => {
    const { rotate, add, described, writes } = await start();
    const failing = [...CI.split(' '), '--verify-command', '/bin/false'];
    expect((await rotate(failing)).code).toBe(12);
    await add('ci 2026-01-01-0123456789abcdef');
    const twin = (await described()).get('ci 2026-01-01-0123456789abcdef');
    const sent = writes().length;
    const { code, stderr } = await rotate(`${twin} --expires 90d --to file:./twin`);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/a rotation of at-\w+ is unfinished/)]);
    expect(writes()).toHaveLength(sent);
    expect((await rotate(CI)).code).toBe(0);
    expect((await rotate(`${twin} --expires 90d --to file:./twin`)).code).toBe(0);
  });

  test('is not deleted where nothing shows that the new one works, and the same command then goes on', async () => {
    const { rotate, described, writes } = await start({ alter: hide(/account\/details/) });
    expect([(await rotate(CI)).code, writes()]).toEqual([2, []]);
    const first = await rotate(`${CI} --allow-self`);
    expect([first.code, first.stderr]).toEqual([
      13,
      expect.stringMatching(/nothing shows that the new token works, so the old one, at-\w+, was not deleted/),
    ]);
    expect((await described()).has('ci')).toBe(true);
    expect((await rotate(`${CI} --allow-self --retire-unverified`)).code).toBe(0);
    expect((await described()).has('ci')).toBe(false);
    expect(writes().filter((line) => line.startsWith('POST'))).toHaveLength(1);
  });

  test('is not deleted by a run that was to end before it tried the new one, also with --retire-unverified', async () => {
    let interrupt = (): void => undefined;
    const { rotate, described, writes } = await start({
      alter(answer, { method }) {
        if (method === 'POST') interrupt();
        return answer;
      },
    });
    const onStart: RunOptions['onStart'] = (signal) => {
      interrupt = () => signal('SIGINT');
    };
    const first = await rotate(`${CI} --retire-unverified`, { onStart });
    expect([first.code, first.stderr]).toEqual([
      13,
      expect.stringMatching(/the new token was not tried, so the old one, at-\w+, was not deleted/),
    ]);
    expect((await described()).has('ci')).toBe(true);
    const second = await rotate(`${CI} --retire-unverified -o json`);
    expect(JSON.parse(second.stdout)).toMatchObject({
      verified: true,
      retired: [{ description: 'ci', deleted: true }],
    });
    expect(writes().filter((line) => line.startsWith('POST'))).toHaveLength(1);
  });

  test('that cannot be deleted is named each time, until it is', async () => {
    const action = { kind: 'status', status: 403 } as const;
    const faults = [1, 2].map((count) => ({
      ...{ method: 'DELETE', words: 'authentication-tokens', action },
      nth: count,
    }));
    const { rotate, described, writes } = await start({ faults });
    for (const [line, hint] of [
      [CI, /the same command deletes it and creates another token\. To delete it alone:\n .*tokens delete at-/],
      [`${CI} --if-expires-within 1d`, /Run the same command again: it deletes it\.\n/],
    ] as const) {
      const { code, stderr } = await rotate(line);
      expect([code, stderr]).toEqual([13, expect.stringMatching(/the old token at-\w+ \(ci\) is still valid/)]);
      expect(stderr).toMatch(hint);
    }
    expect((await rotate(`${CI} --if-expires-within 1d`)).code).toBe(0);
    expect((await described()).has('ci')).toBe(false);
    expect(writes().filter((line) => line.startsWith('POST'))).toHaveLength(1);
  });
});

describe('a rotation with --keep-old that did not end', () => {
  async function startUndelivered() {
    const stage = await start();
    const { code } = await stage.rotate('team:platform/ci --expires 90d --to exec:/bin/false --keep-old 7d');
    expect(code).toBe(12);
    return stage;
  }

  test('is finished by a command without it, which keeps the old token as long', async () => {
    const { rotate, described, writes } = await startUndelivered();
    const { code, stdout } = await rotate(`${CI} -o table`);
    expect({ code, stdout: toNew(stdout) }).toEqual({
      code: 0,
      stdout: `= acme's token ci of team platform is the one of the unfinished rotation; it expires in 90 days (2027-02-19 09:00 UTC)
✓ Delivered to file:./ci
✓ Verified: it is a token of team platform
= Kept the old one (ci, at-N) until 2026-11-28 09:00 UTC
`,
    });
    expect((await described()).has('ci')).toBe(true);
    expect(writes()).toHaveLength(1);
  });

  test('is finished, and ends with 14 where something else has replaced the old token meanwhile', async () => {
    const { rotate, described, ask, add, read } = await startUndelivered();
    await ask('DELETE', `/authentication-tokens/${(await described()).get('ci')}`);
    await add('ci 2026-01-01-0123456789abcdef');
    const { code, stderr } = await rotate(CI);
    expect([code, read('ci'), stderr]).toEqual([
      14,
      expect.stringMatching(/^sandbox\./),
      expect.stringMatching(
        /the old token at-\w+ \(ci\) was deleted elsewhere\n.*at-\w+ \(ci 2026-01-01-0123456789abcdef\)/,
      ),
    ]);
  });

  test('is finished by one that says how long', async () => {
    const { rotate, described } = await startUndelivered();
    const { stdout } = await rotate(`${CI} --keep-old 1d -o json`);
    expect(JSON.parse(stdout)).toMatchObject({ retired: [{ 'kept-until': '2026-11-22T09:00:00.000Z' }] });
    expect((await described()).has('ci')).toBe(true);
  });

  test('is named by a dry run, which says that its token would be delivered', async () => {
    const { rotate, read } = await startUndelivered();
    for (const format of ['table', 'json']) {
      const { code, stdout, stderr } = await rotate(`${CI} --dry-run -o ${format}`);
      expect([code, stderr]).toEqual([
        0,
        expect.stringMatching(
          /An unfinished rotation of acme's token ci of team platform, started \S.*: this one would deliver its token, and create none\./,
        ),
      ]);
      const effect = "deliver acme's token ci of team platform of the unfinished rotation to file:./ci";
      if (format === 'table') expect(stdout).toBe('');
      else expect(JSON.parse(stdout)).toMatchObject({ changed: false, planned: { effect } });
      expect(stderr).not.toMatch(/Would (create|replace)/);
    }
    expect(read('ci')).toBeUndefined();
  });
});

test('a token of an unfinished rotation that has ended since is deleted once there is a new one', async () => {
  let ended: string | undefined;
  const { rotate, described, writes, read } = await start({
    alter: (given, { headers }) =>
      ended !== undefined && headers.get('authorization') === `Bearer ${ended}`
        ? Response.json({ errors: [{ status: '401', title: 'unauthorized' }] }, { status: 401 })
        : given,
  });
  const words = 'team:platform/ci --expires 90d --to file:./ci';
  expect((await rotate(`${words} --verify-command /bin/false`)).code).toBe(12);
  ended = read('ci');
  const [lost = ''] = [...(await described())].flatMap(([name, id]) => (/^ci 2026/.test(name) ? [id] : []));
  const planned = await rotate(`${words} --dry-run`);
  expect([planned.code, planned.stderr]).toEqual([
    0,
    expect.stringContaining(`Would delete acme's old token ${lost} (`),
  ]);
  const { code, stderr } = await rotate(words);
  expect([code, stderr]).toEqual([0, expect.stringContaining(`rejects the token of an unfinished rotation, ${lost}`)]);
  expect(writes().filter((each) => each.startsWith('DELETE'))).toHaveLength(2);
  expect([...(await described()).values()]).not.toContain(lost);
});

test('a token that the service rejects, and that did not reach its place, is not promised to be delivered', async () => {
  let isMade = false;
  const { rotate } = await start({
    alter: (given, { method, url }) => {
      isMade ||= method === 'POST';
      if (!isMade || !url.endsWith('/account/details')) return given;
      return Response.json({ errors: [{ status: '401', title: 'unauthorized' }] }, { status: 401 });
    },
  });
  const { code, stderr } = await rotate('team:platform/ci --expires 90d --to exec:/bin/false');
  expect([code, stderr]).toEqual([
    12,
    expect.stringContaining('run the same command again: it finds out which token is current'),
  ]);
});

test('doctor names the old tokens that are kept, and those that could not be deleted', async () => {
  const action = { kind: 'status', status: 403 } as const;
  const faults = [{ method: 'DELETE', words: 'authentication-tokens', action, nth: 1 }];
  const { rotate, run, home, described } = await start({ faults });
  const id = (await described()).get('ci');
  const examine = async (now: number): Promise<string> => {
    const { stdout } = await run(['doctor', '-o', 'json'], { home, now });
    const rows = JSON.parse(stdout) as { check: string; status: string; detail: string }[];
    return rows
      .filter(({ check }) => check === 'rotations')
      .map(({ status, detail }) => `${status}: ${detail}`)
      .join('\n');
  };
  expect((await rotate(`${CI} --keep-old 7d`)).code).toBe(0);
  expect(await examine(NOW)).toMatch(
    new RegExp(
      `^ok: the old token ${id} \\(ci\\) of acme's token ci of team \\S+ at \\S+ is kept until 2026-11-28 09:00 UTC$`,
    ),
  );
  const later = Date.parse('2026-11-29T09:00:00Z');
  expect((await rotate(`${CI} --if-expires-within 1d`, { now: later })).code).toBe(13);
  expect(await examine(later)).toMatch(
    new RegExp(
      `^attention: the old token ${id} \\(ci\\) of acme's token ci of team \\S+ at \\S+ is due to be deleted$`,
    ),
  );
});

test('a token that was never used is called so, also where a service writes a time for none', async () => {
  const { rotate } = await start({
    alter: async (given, { method, url }) =>
      method === 'GET' && url.endsWith('/authentication-token')
        ? new Response((await given.text()).replace(/("last-used-at":)[^,}]+/, '$1"0001-01-01T00:00:00Z"'))
        : given,
  });
  const { stdout } = await rotate('organization --expires 90d --to file:./token --dry-run -o tsv');
  expect(stdout).toContain('never used');
});

describe('a run that was killed before it deleted the old token', () => {
  /** As such a run leaves it. */
  async function startKilled() {
    const stage = await start();
    const ci = (await stage.described()).get('ci') ?? '';
    expect((await stage.rotate(`${CI} --keep-old 1d`)).code).toBe(0);
    const path = stage.journal();
    const { retiring, last, ...rest } = JSON.parse(readFileSync(path, 'utf8'));
    const started = { run: 'aa', startedAt: last.deliveredAt, phase: 'minted', posts: 1, temporaries: [] };
    const { deliveredAt, verified, sinks, ...minted } = last;
    const before = { id: ci, description: 'ci' };
    const open = { ...started, recovery: 'undelivered-token-aa', before, minted, proven: last };
    writeFileSync(path, JSON.stringify({ ...rest, open: { ...open, description: minted.description } }));
    return { ...stage, ci, last };
  }

  test('is finished by the next, which knows where the new one was delivered', async () => {
    const { rotate, described, journal, last } = await startKilled();
    const { code } = await rotate('team:platform/ci --expires 90d --to exec:/bin/cat --if-older-than 1h');
    expect(code).toBe(0);
    expect((await described()).has('ci')).toBe(false);
    const { open, ...state } = JSON.parse(readFileSync(journal(), 'utf8'));
    expect([open, state.last]).toEqual([undefined, last]);
  });

  test('keeps it where the new one was deleted elsewhere', async () => {
    const { rotate, described, ask, ci, last } = await startKilled();
    await ask('DELETE', `/authentication-tokens/${last.id}`);
    const { code, stderr } = await rotate(`${CI} --verify-command /bin/false`);
    expect([(await described()).get('ci'), code, stderr]).toEqual([
      ...[ci, 12],
      expect.stringContaining(`${last.id}, which an unfinished rotation delivered, was deleted elsewhere`),
    ]);
  });
});

test('a token whose secret is lost is named and tried each time until it is deleted, and not forgotten with others', async () => {
  const action = { kind: 'status', status: 403 } as const;
  // The first deletion is that of the kept one.
  const faults = [2, 3].map((count) => ({
    ...{ method: 'DELETE', words: 'authentication-tokens', action },
    nth: count,
  }));
  const { rotate, add, described, journal } = await start({ faults });
  expect((await rotate(`${CI} --keep-old 1d`)).code).toBe(0);
  // As a run leaves it that was killed between its request and the answer, and the run after it.
  const description = 'ci 2026-01-01-0123456789abcdef';
  await add(description);
  const lost = (await described()).get(description) ?? '';
  const state = JSON.parse(readFileSync(journal(), 'utf8'));
  const from = '2026-11-21T09:00:00Z';
  state.retiring.push({ id: lost, description, from, lost: true });
  writeFileSync(journal(), JSON.stringify(state));
  const later = () => rotate(`${CI} --if-expires-within 1d`, { now: Date.parse('2026-11-23T09:00:00Z') });
  for (const _time of [1, 2]) {
    const { code, stderr } = await later();
    expect([code, stderr]).toEqual([13, expect.stringContaining(`the old token ${lost} (${description}) is still`)]);
    const left = await described();
    expect([left.has('ci'), left.has(description)]).toEqual([false, true]);
  }
  expect((await later()).code).toBe(0);
  expect((await described()).has(description)).toBe(false);
});

describe('the token that asks', () => {
  test('is refused where a new one would end it', async () => {
    const { rotate, writes } = await start();
    const { code, stderr } = await rotate('organization --expires 90d --to file:./new', {
      as: 'org-token',
    } as RunOptions);
    expect([code, stderr]).toEqual([2, expect.stringContaining("acme's organization token is the token that asks")]);
    expect(writes()).toEqual([]);
  });

  test('may be any of its team where the service names that alone, and is replaced on request', async () => {
    const { add, ask, run, home, writes, described } = await start({
      alter: async (given, { url }) => {
        if (!url.endsWith('/account/details')) return given;
        const { data } = (await given.json()) as { data: { links?: unknown } };
        const { links: _links, ...rest } = data;
        return Response.json({ data: rest }, { headers: { 'content-type': 'application/vnd.api+json' } });
      },
    });
    const { body } = await ask('GET', '/organizations/acme/teams?filter%5Bnames%5D=owners');
    const env = { ORGCTL_TOKEN: await add('deploy', (body as { data: [{ id: string }] }).data[0].id) };
    const words = ['tokens', 'rotate', 'team:owners/deploy', '--expires', '90d', '--to', 'file:./new'];
    const trial = [...words, '--verify-command', '/bin/cat'];
    const refused = await run(trial, { home, env });
    expect([refused.code, refused.stderr, writes()]).toEqual([
      2,
      expect.stringContaining("acme's token deploy of team owners may be the token that asks"),
      [],
    ]);
    const done = await run([...trial, '--allow-self'], { home, env });
    expect([done.code, done.stderr, (await described()).has('deploy')]).toEqual([
      0,
      expect.stringMatching(/the token that asked \(ORGCTL_TOKEN\) may be the old one.* from \S+\/new$/m),
      false,
    ]);
  });

  test('may be the one that a new one ended, where the service does not say who asks', async () => {
    const { rotate } = await start({ alter: hide(/account\/details/) });
    const { code, stderr } = await rotate('organization --expires never --to file:./new --allow-self', {
      as: 'org-token',
    } as RunOptions);
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/the token that asked \(ORGCTL_TOKEN\) may be the old one.* from \S+\/new$/m),
    ]);
  });

  test('with a description it is replaced on request, and it is said where the next one is, also afterwards', async () => {
    const { add, ask, run, home, read, journal } = await start();
    const { body } = await ask('GET', '/organizations/acme/teams?filter%5Bnames%5D=owners');
    const token = await add('deploy', (body as { data: [{ id: string }] }).data[0].id);
    const words = ['tokens', 'rotate', 'team:owners/deploy', '--expires', '90d', '--to', 'env-file:./env#TFE_TOKEN'];
    const env = { ORGCTL_TOKEN: token };
    const refused = await run(words, { home, env });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('Or add --allow-self')]);
    const done = await run([...words, '--allow-self'], { home, env });
    expect([done.code, done.stderr]).toEqual([
      0,
      expect.stringContaining(`the next command must take its token from TFE_TOKEN in ${home}/env`),
    ]);
    // Of another token, and damaged: it says nothing of this one.
    const other = join(dirname(dirname(journal())), 'organization');
    mkdirSync(other);
    writeFileSync(join(other, 'rotation.json'), '{');
    const again = await run([...words, '--allow-self'], { home, env });
    expect([again.code, again.stderr]).toEqual([
      4,
      expect.stringContaining('The new one was delivered to env-file:./env#TFE_TOKEN.'),
    ]);
    const next = /TFE_TOKEN=(\S+)/.exec(read('env') ?? '')?.[1] ?? '';
    expect((await run([...words, '--allow-self'], { home, env: { ORGCTL_TOKEN: next }, seed: 'next' })).code).toBe(0);
  });
});

test.each([
  ['', 'file:./new', 'is deleted: the next command must take its token from HOME/new'],
  ['', 'env-file:./env#KEY', 'is deleted: the next command must take its token from KEY in HOME/env'],
  ['', 'exec:/bin/cat', 'is deleted: the next command must take its token from where exec:/bin/cat put it'],
  [
    '--keep-old 7d',
    'file:./new',
    'is kept until 2026-11-28 09:00 UTC: by then commands must take their token from HOME/new',
  ],
])('the last line says where the next command finds its token: %s %s', async (option, place, said) => {
  const { add, ask, run, home } = await start();
  const { body } = await ask('GET', '/organizations/acme/teams?filter%5Bnames%5D=owners');
  const token = await add('deploy', (body as { data: [{ id: string }] }).data[0].id);
  const words = ['tokens', 'rotate', 'team:owners/deploy', '--expires', '90d', '--to', place, '--allow-self'];
  const { code, stderr } = await run([...words, ...option.split(' ').filter((word) => word !== '')], {
    home,
    env: { ORGCTL_TOKEN: token },
  });
  expect([code, stderr.trimEnd().split('\n').at(-1)?.replaceAll(home, 'HOME')]).toEqual([
    0,
    `warning: the token that asked (ORGCTL_TOKEN) ${said}`,
  ]);
});

test.each([
  ['that is due', []],
  ['that is not', ['--if-expires-within', '1d']],
])('a kept token that asks once more, for a rotation %s, is deleted after all else', async (_name, condition) => {
  const { add, ask, run, home, journal, described } = await start();
  const { body } = await ask('GET', '/organizations/acme/teams?filter%5Bnames%5D=owners');
  const owners = (body as { data: [{ id: string }] }).data[0].id;
  const env = { ORGCTL_TOKEN: await add('deploy', owners) };
  const words = ['tokens', 'rotate', 'team:owners/deploy', '--expires', '90d', '--to', 'file:./new', '--allow-self'];
  expect((await run([...words, '--keep-old', '1d'], { home, env })).code).toBe(0);
  // Another old one, of a run that was killed.
  const lost = 'deploy 2026-01-01-0123456789abcdef';
  await add(lost, owners);
  const state = JSON.parse(readFileSync(journal(), 'utf8'));
  state.retiring.push({ ...state.retiring[0], id: (await described()).get(lost), description: lost, lost: true });
  writeFileSync(journal(), JSON.stringify(state));
  const now = Date.parse('2026-11-23T09:00:00Z');
  const { code, stderr } = await run([...words, ...condition], { home, env, now, seed: 'later' });
  expect([code, stderr.trimEnd().split('\n').at(-1)]).toEqual([
    0,
    `warning: the token that asked (ORGCTL_TOKEN) is deleted: the next command must take its token from ${home}/new`,
  ]);
  const left = [...(await described()).keys()].filter((name) => name.startsWith('deploy'));
  expect(left.map((name) => name === 'deploy' || name === lost)).toEqual([false]);
});

test('a token that cannot list those of teams is told that it cannot replace itself, and who can', async () => {
  const { add, run, home, writes } = await start();
  const { code, stderr } = await run(
    ['tokens', 'rotate', 'team:platform/job', '--expires', '90d', '--to', 'file:./new', '--allow-self'],
    { home, env: { ORGCTL_TOKEN: await add('job') } },
  );
  expect([code, stderr, writes()]).toEqual([
    5,
    expect.stringMatching(
      /^orgctl: can't list the tokens of the teams of acme, and the rotation of one with a description needs that list\n[\s\S]*→ Ask with the organization token, or with one of an owner or of a team that has Manage Teams: one without that right can't replace itself\.\n/,
    ),
    [],
  ]);
});

test.each([
  ['audit-trail', 'POST /api/v2/organizations/acme/authentication-token?token=audit-trails'],
  ['organization', 'POST /api/v2/organizations/acme/authentication-token'],
  ['team:platform', 'POST /api/v2/teams/team-platform/authentication-token'],
])('%s is replaced by one request, and the new one works', async (token, request) => {
  const { rotate, read, writes } = await start();
  const { code, stdout } = await rotate(`${token} --expires 90d --to file:./{org} -o json`);
  expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ changed: true, verified: true })]);
  expect(read('acme')).toMatch(/^sandbox\./);
  expect(writes()).toEqual([request]);
});

test.each([
  ['audit-trail', ['token', 'policies', 'token', 'POST', 'token', 'token', 'trail']],
  ['organization', ['account', 'token', 'policies', 'token', 'POST', 'token', 'token', 'account']],
  ['team:platform', ['teams', 'account', 'token', 'policies', 'token', 'POST', 'token', 'token', 'account']],
  [
    'team:platform/ci',
    ['teams', 'account', 'tokens', 'policies', 'tokens', 'POST', 'tokens', 'account', 'tokens', 'DELETE'],
  ],
])('%s is read as often as its phases need, also at a terminal', async (token, wanted) => {
  const tty = { stdin: true, stderr: true };
  for (const run of [{}, { tty, stdin: 'y\n' }]) {
    const { rotate, ask, requests } = await start();
    await ask('POST', '/organizations/acme/authentication-token?token=audit-trails');
    if (token === 'team:platform') await rotate('team:platform --expires 90d --to file:./old');
    const before = requests.length;
    const { code } = await rotate(`${token} --expires 90d --to file:./new`, run);
    const words = requests.slice(before).map(({ method, path }) => (method === 'GET' ? toRead(path) : method));
    expect([code, words.sort()]).toEqual([0, [...wanted].sort()]);
  }
});

describe.each([
  ['audit-trail', 'audit trail token', '/organizations/acme/authentication-token?token=audit-trails'],
  ['organization', 'organization token', '/organizations/acme/authentication-token'],
  ['team:platform', 'token of team platform', undefined],
])('%s of an organization that has none', (token, noun, path) => {
  const line = `${token} --expires 90d --to file:./new`;
  const startWithout = async () => {
    const stage = await start();
    // A service that is not known by its address has to have shown one, before a 404 means that there is none.
    if (token === 'audit-trail') await stage.rotate('audit-trail --expires 90d --to file:./old');
    if (path !== undefined) await stage.ask('DELETE', path);
    const before = stage.writes().length;
    return { ...stage, writes: () => stage.writes().slice(before) };
  };

  test('is created after a question at a terminal, and without one elsewhere, and it is said that there was none', async () => {
    const asked = await startWithout();
    const tty = { stdin: true, stderr: true };
    const refused = await asked.rotate(line, { tty, stdin: 'n\n' });
    expect([refused.stderr, asked.writes()]).toEqual([
      expect.stringMatching(new RegExp(`acme has no ${noun}\\.\n[^]*Create acme's ${noun}\\?`)),
      [],
    ]);
    const { code, stdout } = await asked.rotate(`${line} -o table`, { tty, stdin: 'y\n' });
    expect([code, stdout.split('\n')[0]]).toEqual([
      0,
      `✓ Created acme's ${noun} (there was none); it expires in 90 days (2027-02-19 09:00 UTC)`,
    ]);
    const elsewhere = await (await startWithout()).rotate(`${line} -o tsv`);
    expect([elsewhere.code, elsewhere.stderr]).toEqual([0, `Created acme's ${noun} (there was none).\n`]);
  });
});

/** What is read at a path. */
function toRead(path: string): string {
  const [, what = path] =
    /\/(account|audit-trail|team-tokens|teams(?=\?)|token-ttl-policies|authentication-token)/.exec(path) ?? [];
  const words: Readonly<Record<string, string>> = {
    'audit-trail': 'trail',
    'team-tokens': 'tokens',
    'token-ttl-policies': 'policies',
    'authentication-token': 'token',
  };
  return words[what] ?? what;
}

test.each([
  ['organization', '--keep-old 7d', 'a token with a description'],
  ['team:platform', '--retire-unverified', 'a token with a description'],
  ['audit-trail', '--allow-self', 'tokens of the organization and its teams'],
  ['team:platform/ci', '--allow-enterprise', 'the audit-trail token'],
])('%s is not replaced with %s, which would do nothing', async (token, option, only) => {
  const { rotate, requests } = await start();
  const { code, stderr } = await rotate(`${token} ${option} --expires 90d --to file:./x`);
  expect([code, stderr, requests]).toEqual([
    2,
    expect.stringContaining(`${option.split(' ')[0]} works only with ${only}`),
    [],
  ]);
});

test.each(['audit-trail', 'organization', 'team:platform'])(
  '%s of one organization is created in any case, so --create-missing is refused',
  async (token) => {
    const { rotate, requests } = await start();
    const { code, stderr } = await rotate(`${token} --create-missing --expires 90d --to file:./token`);
    expect([code, stderr.split('\n')[0]]).toEqual([2, 'orgctl: --create-missing works only with --orgs or --all-orgs']);
    expect(requests).toEqual([]);
  },
);

test('of several organizations each has its team, and {team} stands for its name', async () => {
  const { rotate, read } = await start();
  const { code } = await rotate(
    'team:platform --orgs acme,globex --create-missing --yes --expires 90d --to file:./{org}-{team}',
  );
  expect([code, read('acme-platform'), read('globex-platform')]).toEqual([
    0,
    expect.stringMatching(/^sandbox\./),
    expect.stringMatching(/^sandbox\./),
  ]);
});

test('a policy of its kind limits how long a new one is valid', async () => {
  const { rotate, ask, writes } = await start();
  await ask('PATCH', '/organizations/acme', 'owner', {
    data: { type: 'organizations', attributes: { 'max-ttl-enabled': true } },
  });
  await ask('PATCH', '/organizations/acme/token-ttl-policies', 'owner', {
    data: {
      type: 'organization-token-ttl-policies',
      attributes: { 'token-ttl-policies': [{ 'token-type': 'team', 'max-ttl-ms': 86_400_000 * 30 }] },
    },
  });
  const { code, stderr } = await rotate(CI);
  expect([code, stderr]).toEqual([2, expect.stringContaining('acme allows at most 30 days')]);
  expect(writes()).toEqual([]);
});

const ODD = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
  fc.constantFrom(
    ...['..', '../x', '/etc/passwd', '.', '#', '-rf', '--yes', '$(touch ran)', '`touch ran`', 'a\\b', 'con'],
    ...[
      '{org}',
      '{team}',
      'é',
      'a\nKEY=x',
      'a\u0000b',
      '\u001b[2J',
      'a b',
      "'; touch ran; '",
      '%2e%2e%2f',
      'id:team-1',
    ],
  ),
);
const USABLE = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

test('no name of a team, and no description, leads to a place that was not named, or runs anything', async () => {
  let name = '';
  const { rotate, home, writes, team } = await start({
    // Only the name of the team is odd: a service may know others than the sandbox.
    async alter(answer, request) {
      if (!/\/teams(\/[^/]+)?$/.test(new URL(request.url).pathname) || answer.status !== 200) return answer;
      const document = (await answer.json()) as { data: object };
      for (const each of [document.data].flat() as { id: string; attributes: { name: string } }[]) {
        if (each.id === team) each.attributes.name = name;
      }
      return Response.json(document, { headers: { 'content-type': 'application/vnd.api+json' } });
    },
  });
  const list = (): readonly string[] =>
    readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((path) => !/^(state|config)\b/.test(path));
  writeFileSync(join(home, 'note'), '#!/bin/sh\ncd "$(dirname "$0")"\nprintf "%s %s" "$#" "$1" > argv\ncat > taken\n', {
    mode: 0o755,
  });
  mkdirSync(join(home, 'out'));
  const before = list();
  const chosen = fc.subarray<readonly [to: string, toPaths: (name: string) => readonly string[]]>(
    [
      ['file:./out/{team}', (each) => [`out/${each}`]],
      ['env-file:./out/{team}.env#KEY', (each) => [`out/${each}.env`]],
      [`exec:${join(home, 'note')} {team}`, () => ['argv', 'taken']],
    ],
    { minLength: 1 },
  );
  const called = fc.constantFrom('name', 'id');
  await fc.assert(
    fc.asyncProperty(
      fc.oneof({ weight: 3, arbitrary: ODD }, { weight: 1, arbitrary: fc.stringMatching(USABLE) }),
      ...[fc.option(ODD), chosen, called],
      async (drawn, description, places, by) => {
        name = drawn;
        const sent = writes().length;
        const reference = `team:${by === 'id' ? team : name}${description === null ? '' : `/${description}`}`;
        const { code, stderr } = await rotate([
          ...[reference, ...(description === null ? [] : ['--create-missing']), '--expires', '90d'],
          ...places.flatMap(([to]) => ['--to', to]),
        ]);
        const found = list().filter((path) => !before.includes(path));
        if (code === 0) {
          const wanted = [...new Set(places.flatMap(([, toPaths]) => toPaths(name)))];
          expect([name, found.sort()]).toEqual([expect.stringMatching(USABLE), wanted.sort()]);
          if (found.includes('argv')) expect(readFileSync(join(home, 'argv'), 'utf8')).toBe(`1 ${name}`);
        } else {
          // What reads as an id is one, and not there.
          expect(reference.startsWith('team:id:') ? [2, 5] : [2], stderr).toContain(code);
          expect([found, writes().length]).toEqual([[], sent]);
        }
        for (const path of found) rmSync(join(home, path));
        expect(readdirSync(dirname(home))).toEqual(['home']);
      },
    ),
    { numRuns: 40 },
  );
});
