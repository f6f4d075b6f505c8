import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createJudge } from '../campaign/judge.ts';
import type { Environment, Program } from '../campaign/process.ts';
import { createArchive } from './archive.ts';
import { openPlace } from './place.ts';

/**
 * One follower that reads with a stored token, one with what `token-command` prints, and rotations that bring the new token
 * to both places.
 */

const MINUTE = 60_000;
const TERMINATED = 143;

export async function rotateWhileFollowing(
  program: Program,
  { seed, rotations }: { readonly seed: number; readonly rotations: number },
) {
  const judge = createJudge(`follow -- rotations --seed ${seed} --runs ${rotations * 10}`);
  // As in the world: a follower that waits needs time to pass.
  const place = await openPlace(program, seed, judge.say, { history: 5_000, step: undefined, late: 5 });
  const { service, folder } = place;
  const config = join(folder, 'config');
  const token = join(folder, 'token');
  writeFileSync(token, 'audit-0', { mode: 0o600 });
  const env = { ORGCTL_CONFIG_DIR: config, ORGCTL_STATE_DIR: join(folder, 'state'), ORGCTL_NO_INPUT: '1' };
  const run = async (argv: readonly string[], more: Environment = {}, stdin = ''): Promise<void> => {
    const options = { env: { ...env, ...more }, stdin, stdout: join(folder, 'said') };
    const { code, stderr } = await place.start(argv, options).ended;
    if (code !== 0) judge.say(`${argv.join(' ')} ended with ${code}: ${stderr}`);
  };
  try {
    const at = ['--base-url', service.url, '--org', 'acme'];
    await run(['auth', 'login', '--profile', 'stored', ...at], {}, 'audit-0');
    const settings = { 'base-url': service.url, org: 'acme', 'token-command': `cat ${token}` };
    for (const [name, value] of Object.entries(settings)) {
      await run(['settings', 'set', name, value, '--profile', 'printed']);
    }
    const from = service.now() - 13 * 1_440 * MINUTE;
    const followers = ['stored', 'printed'].map((profile) => {
      const path = join(place.sink, profile);
      const argv = ['audit-trail', 'follow', '--profile', profile, '--cursor', join(place.places, profile)];
      const follower = place.start([...argv, '--interval', '1s', '-o', 'ndjson'], { env, stdout: path });
      return { follower, archive: createArchive(service.trail, path), say: judge.sayOf(profile) };
    });
    const ends = followers.map(({ follower }) => follower.ended);
    const login = `exec:${program.node} ${program.door} auth login --profile stored -q`;
    for (let rotation = 1; rotation <= rotations; rotation += 1) {
      await run(['audit-token', 'rotate', ...at, '--expires', '90d', '--to', `file:${token}`, '--to', login], {
        ORGCTL_TOKEN: 'owner',
      });
      // One more reading with the new token, and then events that are already there.
      const read = service.count();
      await Promise.race([service.until(() => service.count() >= read + 3), ...ends]);
      service.pass(MINUTE);
    }
    if (service.made() !== rotations) judge.say(`${service.made()} tokens were made by ${rotations} rotations`);
    service.pass(6 * MINUTE);
    const expected = [...service.trail.expected(from, service.now())];
    const sums = { expected: 0, missing: 0, repeated: 0, torn: 0 };
    for (const { follower, archive, say } of followers) {
      // Before a reading, all that was read before it is written.
      const isThere = (): boolean => {
        for (const fault of archive.absorb().faults) if (!fault.includes('comes after later ones')) say(fault);
        return archive.missing(expected).length === 0;
      };
      await Promise.race([service.until(isThere), follower.ended]);
      follower.kill('SIGTERM');
      const { code, stderr } = await follower.ended;
      if (code !== TERMINATED) say(`exit ${code}: ${stderr}`);
      archive.absorb();
      const found = archive.judge(expected, 0, say);
      if (found.repeated > 0) say(`${found.repeated} events came again`);
      for (const name of ['expected', 'missing', 'repeated', 'torn'] as const) sums[name] += found[name];
    }
    return { ...sums, rotations, faults: judge.faults() };
  } finally {
    await place.close();
  }
}
