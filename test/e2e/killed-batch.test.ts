import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/lib/sqlite.ts';
import { parseJsonLines } from '../support/formats.ts';
import { startService, type TestService } from '../support/service.ts';
import { createPlace, ORGCTL, type Running, start } from '../support/shipped.ts';

/** Runs that are killed in a process, and then run again in this one. */

function startOn({ url, sandbox }: TestService, argv: string[], place = createPlace()): Running {
  const token = sandbox.tokenFor('owner', 'acme') ?? '';
  const env = { ...place.env, ORGCTL_BASE_URL: url, ORGCTL_ORG: 'acme', ORGCTL_TOKEN: token };
  return start(process.execPath, [ORGCTL, ...argv], { env, cwd: place.home });
}

const PEOPLE = 90;
const FULL_AT = 60;
/** Olive, Milo, Tara, Rex, Ada and Ivan. */
const DEMO_PEOPLE = 6;

/** Everybody twice, in another case, and one who is there; with blank lines. */
function formatFile(): string {
  const lines = Array.from({ length: PEOPLE }, (_, index) => `Person-${index}@example.com,audit`);
  return ['email,teams', '', ...lines, 'ADA.Auditor@example.com,audit', '', ...lines.map((line) => line.toLowerCase())]
    .join('\r\n')
    .concat('\r\n');
}

test('invitations that are killed and stopped on the way reach everybody once', async () => {
  const place = createPlace();
  const state = join(place.home, 'state.sqlite');
  const made: string[] = [];
  const service = await startService({
    state,
    faults: [10, 50].map((nth) => `POST organization-memberships: nth=${nth} 429`),
    alter(answer, request, body) {
      if (request.method === 'POST' && answer.status === 201)
        made.push(JSON.parse(body).data.attributes.email.toLowerCase());
      return answer;
    },
  });
  const limitUsers = (limit: number): void => {
    const database = openDatabase(state, 5_000);
    database.prepare("UPDATE organizations SET user_limit = ? WHERE name = 'acme'").run([limit]);
    database.close();
  };
  writeFileSync(join(place.home, 'people.csv'), formatFile());
  const argv = ['members', 'invite', '--file', 'people.csv', '-o', 'ndjson'];
  const again = async () => {
    const { code, stdout } = await service.run(argv, { home: place.home });
    const results = parseJsonLines(stdout).map(({ result }) => result);
    return { code, results, count: (result: string) => results.filter((one) => one === result).length };
  };

  const killed = startOn(service, argv, place);
  await killed.untilStdout((text) => text.split('\n').length > 30);
  killed.child.kill('SIGKILL');
  await killed.ended;
  expect(made.length).toBeGreaterThanOrEqual(30);
  expect(made.length).toBeLessThan(PEOPLE);

  limitUsers(DEMO_PEOPLE + FULL_AT);
  const stopped = await again();
  expect(stopped.code).toBe(10);
  expect(stopped.results).toHaveLength(PEOPLE + 1);
  expect(made).toHaveLength(FULL_AT);
  expect(stopped.count('not-attempted')).toBeGreaterThan(0);

  limitUsers(1_000_000);
  expect(await again()).toMatchObject({ code: 0 });
  expect(new Set(made).size).toBe(PEOPLE);
  expect(made).toHaveLength(PEOPLE);
  expect((await again()).count('unchanged')).toBe(PEOPLE + 1);
});

const ROSTER = `email,teams
olive.owner@example.com,
milo.member@example.com,platform;security
rex.registry-manager@example.com,
ana@example.com,platform
ben@example.com,audit;security
`;
const APPLY = ['members', 'apply', '--file', 'roster.csv', '--prune', '--prune-teams', '--yes'];

test('members apply, killed at any of its writes, is finished by the same command, and does nothing twice', async () => {
  // Three people leave, two come, one changes three teams.
  for (let killedAt = 1; killedAt <= 8; killedAt += 1) {
    let run: Running | undefined;
    const done: string[] = [];
    const service = await startService({
      async alter(answer, { method, url }, body) {
        if (method !== 'GET' && answer.ok) done.push(`${method} ${new URL(url).pathname} ${body}`);
        if (method !== 'GET' && done.length === killedAt) {
          run?.child.kill('SIGKILL');
          await run?.ended;
        }
        return answer;
      },
    });
    const place = createPlace();
    writeFileSync(join(place.home, 'roster.csv'), ROSTER);
    run = startOn(service, APPLY, place);
    expect((await run.ended).code).toBe(null);
    const { code, stderr } = await service.run(APPLY, { home: place.home });
    expect(code, stderr).toBe(0);
    expect({ all: done.length, different: new Set(done).size }).toEqual({ all: 8, different: 8 });
    const plan = ['members', 'plan', ...APPLY.slice(2, -1)];
    expect(await service.run(plan, { home: place.home })).toMatchObject({ code: 0 });
  }
});
