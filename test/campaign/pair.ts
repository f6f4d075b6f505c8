import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { openKills } from './kills.ts';

const TOKENS = { A: 'audit-trail', B: 'organization' };

/** Two rotations at once into one env-file, each killed at the point that `kill` names, 0 for none: what a run has delivered is there when both have ended. */
export async function openPair(kill: () => number): Promise<{ kills: number; violations: string[] }> {
  const sandbox = openSandbox({ state: ':memory:', rateLimit: 0, now: Date.now, randomBytes });
  const living = new Map<string, string>();
  const sides = Object.entries(TOKENS).map(async ([key, token]) => {
    const side = await openKills(async (request) => {
      const response = await sandbox.handle(request);
      if (request.method !== 'POST') return response;
      const text = await response.text();
      living.set(key, JSON.parse(text).data.attributes.token);
      return new Response(text, { status: response.status, headers: response.headers });
    });
    return { key, token, ...side };
  });
  const both = await Promise.all(sides);
  const shared = join(both[0]?.folder ?? '', 'shared');
  mkdirSync(shared);
  const env = { ORGCTL_STATE_DIR: join(shared, 'state'), KILL_WATCH: shared };
  const file = join(shared, '.env');
  const violations: string[] = [];
  const rotate = (one: (typeof both)[number], killAt: number) =>
    one.run(
      ['tokens', 'rotate', one.token, '--expires', '90d', '--yes', '--to', `env-file:${file}#${one.key}`],
      { killAt },
      env,
    );
  const runBoth = async (nextKill: () => number) => {
    const ended = await Promise.all(both.map(async (one) => ({ ...one, ...(await rotate(one, nextKill())) })));
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    for (const { key, code, stderr } of ended) {
      const isThere = text.split('\n').includes(`${key}=${living.get(key)}`);
      if (code === 0 && !isThere) violations.push(`LOST: ${key} was delivered, and is not in the file: ${text}`);
      if (code !== null && code !== 0) violations.push(`exit ${code}: ${stderr}`);
    }
    return ended.filter(({ code }) => code === null).length;
  };
  const kills = await runBoth(kill);
  await runBoth(() => 0);
  for (const { close } of both) close();
  sandbox.close();
  return { kills, violations };
}
