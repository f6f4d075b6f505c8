import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startService } from '../support/service.ts';
import { createPlace, ORGCTL, orgctl, type Running, start } from '../support/shipped.ts';

const ROSTER = `email,teams
olive.owner@example.com,
milo.member@example.com,platform;security
rex.registry-manager@example.com,
ana@example.com,platform
ben@example.com,audit;security
`;
const APPLY = ['members', 'apply', '--file', 'roster.csv', '--prune', '--prune-teams', '--yes'];

interface Listed {
  data: { attributes: { email: string }; relationships: { teams: { data: unknown[] } } }[];
}

/** Ends a run behind a request, before its answer, and runs it again. Returns how many requests the first one sent. */
async function applyTwice(killedAt: number): Promise<number> {
  let [run, sent]: [Running | undefined, number] = [undefined, 0];
  const done: string[] = [];
  const service = await startService({
    async alter(answer, { method, url }, body) {
      if (method !== 'GET' && answer.ok) done.push(`${method} ${new URL(url).pathname} ${body}`);
      sent += 1;
      if (sent === killedAt) {
        run?.child.kill('SIGKILL');
        await run?.ended;
      }
      return answer;
    },
  });
  const { home, env: plain } = createPlace();
  writeFileSync(join(home, 'roster.csv'), ROSTER);
  const token = service.sandbox.tokenFor('owner', 'acme') ?? '';
  const env = { ...plain, ORGCTL_BASE_URL: service.url, ORGCTL_TOKEN: token, ORGCTL_ORG: 'acme' };
  run = start(process.execPath, [ORGCTL, ...APPLY], { env, cwd: home });
  const { code } = await run.ended;
  const first = sent;
  expect(code).toBe(first < killedAt ? 0 : null);
  const again = await orgctl(APPLY, { env, cwd: home });
  expect(again.code, again.stderr).toBe(0);

  // Three people leave, two come, one changes three teams.
  expect(done).toHaveLength(8);
  expect(new Set(done).size).toBe(8);
  const { data } = (await service.ask('GET', '/organizations/acme/organization-memberships')).body as Listed;
  const people = data.map(({ attributes, relationships }) => `${attributes.email} ${relationships.teams.data.length}`);
  expect(people.sort()).toEqual([
    'ana@example.com 1',
    'ben@example.com 2',
    'milo.member@example.com 2',
    'olive.owner@example.com 1',
    'rex.registry-manager@example.com 1',
  ]);
  return first;
}

test.skipIf(process.platform === 'win32')(
  'members apply, killed at any of its requests, is finished by the same command, and does nothing twice',
  async () => {
    const whole = await applyTwice(Number.POSITIVE_INFINITY);
    expect(whole).toBeGreaterThan(12);
    for (let at = 1; at <= whole; at += 1) await applyTwice(at);
  },
);
