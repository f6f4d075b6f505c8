import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createArchive } from './archive.ts';
import type { Program } from './follower.ts';
import { openPlace } from './place.ts';

/**
 * One follower that reads with a stored token, one with what `token-command` prints, and rotations that bring the new token
 * to both places.
 */

interface RotationsReport {
  readonly rotations: number;
  readonly events: number;
  readonly missing: number;
  readonly repeated: number;
  readonly faults: readonly string[];
}

const MINUTE = 60_000;
const TERMINATED = 143;

export async function rotateWhileFollowing(
  program: Program,
  { seed, rotations }: { readonly seed: number; readonly rotations: number },
): Promise<RotationsReport> {
  // As in the world: a follower that waits needs time to pass.
  const place = await openPlace(program, seed, { history: 5_000, step: undefined, late: 5 });
  const { service, home, folder } = place;
  const faults: string[] = [];
  const config = join(folder, 'config');
  const token = join(folder, 'token');
  writeFileSync(token, 'audit-0', { mode: 0o600 });
  const env = { ORGCTL_CONFIG_DIR: config, ORGCTL_STATE_DIR: join(folder, 'state'), ORGCTL_NO_INPUT: '1' };
  const run = (argv: readonly string[], more: Readonly<Record<string, string>> = {}, input = ''): void => {
    const { status, stderr } = spawnSync(program.node, [program.door, ...argv], {
      env: { PATH: process.env['PATH'], HOME: home, ...env, ...more },
      input,
      encoding: 'utf8',
    });
    if (status !== 0) faults.push(`${argv.join(' ')} ended with ${status}: ${stderr}`);
  };
  // The service answers in this process, which therefore must not wait for a child.
  const runAside = async (
    argv: readonly string[],
    more: Readonly<Record<string, string>> = {},
    stdin = '',
  ): Promise<void> => {
    const { code, stderr } = await place.start(argv, { env: { ...env, ...more }, stdin, stdout: join(folder, 'said') })
      .ended;
    if (code !== 0) faults.push(`${argv.join(' ')} ended with ${code}: ${stderr}`);
  };
  try {
    const at = ['--base-url', service.url, '--org', 'acme'];
    await runAside(['auth', 'login', '--profile', 'stored', ...at], {}, 'audit-0');
    for (const [name, value] of [
      ['base-url', service.url],
      ['org', 'acme'],
      ['token-command', `cat ${token}`],
    ] as const) {
      run(['settings', 'set', name, value, '--profile', 'printed']);
    }
    const from = service.now() - 13 * 1_440 * MINUTE;
    const followers = ['stored', 'printed'].map((profile) => {
      const path = join(place.sink, profile);
      const argv = ['audit-trail', 'follow', '--profile', profile, '--cursor', join(place.places, profile)];
      const options = { env, stdout: path };
      const follower = place.start([...argv, '--interval', '1s', '-o', 'ndjson'], options);
      return { profile, follower, archive: createArchive(service.trail, path) };
    });
    const login = `exec:${program.node} ${program.door} auth login --profile stored -q`;
    for (let rotation = 1; rotation <= rotations; rotation += 1) {
      await runAside(['audit-token', 'rotate', ...at, '--expires', '90d', '--to', `file:${token}`, '--to', login], {
        ORGCTL_TOKEN: 'owner',
      });
      // One more reading with the new token, and then events that are already there.
      const read = service.count();
      while (service.count() < read + 3) await soon();
      service.pass(MINUTE);
    }
    if (service.made() !== rotations) faults.push(`${service.made()} tokens were made by ${rotations} rotations`);
    service.pass(6 * MINUTE);
    const expected = [...service.trail.expected(from, service.now())];
    let [missing, repeated] = [0, 0];
    for (const { profile, follower, archive } of followers) {
      const patience = Date.now() + MINUTE;
      let left = expected.length;
      for (; left > 0 && Date.now() < patience; await soon()) {
        const added = archive.absorb();
        for (const fault of added.faults.filter((text) => !text.includes('comes after later ones'))) faults.push(fault);
        left = archive.missing(expected).length;
      }
      if (left > 0) faults.push(`${profile}: ${left} events are missing: ${follower.stderr()}`);
      follower.kill('SIGTERM');
      const { code, stderr } = await follower.ended;
      if (code !== TERMINATED) faults.push(`${profile}: exit ${code}: ${stderr}`);
      archive.absorb();
      if (!archive.isWhole()) faults.push(`${profile}: the archive ends within a line`);
      if (archive.torn().length > 0) faults.push(`${profile}: ${archive.torn().length} lines are torn`);
      if (archive.repeats() > 0) faults.push(`${profile}: ${archive.repeats()} events came again`);
      missing += left;
      repeated += archive.repeats();
    }
    return { rotations, events: expected.length, missing, repeated, faults };
  } finally {
    await place.close();
  }
}

async function soon(): Promise<void> {
  await new Promise((resolve) => void setTimeout(resolve, 20));
}
