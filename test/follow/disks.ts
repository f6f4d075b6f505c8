import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { count, createJudge } from '../campaign/judge.ts';
import type { Program } from '../campaign/process.ts';
import { createRandom } from '../campaign/random.ts';
import { openPlace, type Ran } from './place.ts';
import { KEPT } from './trail.ts';

/** The disk of the cursor, where events wait too, or of the archive is full: again and again, and then it is not. */

export const DISKS = ['cursor', 'archive'] as const;

const MINUTE = 60_000;
const PAGE = 4_096;
const BATCH = 1_000;

/** Only root can mount a small disk, on Linux. */
export function canMount(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0;
}

export async function fillDisk(
  program: Program,
  { disk, seed, times, events }: { readonly disk: (typeof DISKS)[number]; seed: number; times: number; events: number },
) {
  const random = createRandom(seed);
  const judge = createJudge(`follow -- disks --seed ${seed} --runs ${times * 10} --events ${events}`);
  const say = judge.sayOf(disk);
  const place = await openPlace(program, seed, say, { history: events, resolution: random.pick([1, 1_000]) });
  const { service, archive } = place;
  const folder = disk === 'cursor' ? place.places : place.sink;
  const filler = join(folder, 'filler');
  const ends = new Map<string, number>();
  let full = 0;
  /** The oldest time that has to be in the archive. */
  let from: number | undefined;
  let uncertain = new Set<number>();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1g,mode=700', 'follow', folder]);
  try {
    for (let run = 1; run <= times; run += 1) {
      const pages = random.int(disk === 'cursor' && random.chance(50) ? 4 : 100);
      const { bavail } = statfsSync(folder);
      execFileSync('fallocate', ['-l', String(Math.max(1, bavail - pages) * PAGE), filler]);
      const before = readText(place.cursor);
      const ended = await place.once();
      if (readText(place.cursor) !== '') from ??= service.now() - KEPT;
      check(ended.added, `run ${run}`);
      count(ends, `exit ${ended.code}`);
      if (ended.code === null) say(`run ${run} ended by a signal`);
      if (ended.code === 0) uncertain = new Set();
      else {
        full += 1;
        uncertain = new Set([...uncertain, ...ended.added.numbers.slice(-BATCH)]);
        if (!/space|quota|ENOSPC/i.test(ended.stderr)) say(`run ${run} does not say what is full: ${ended.stderr}`);
        const after = readText(place.cursor);
        if (after !== before && ended.added.numbers.length === 0)
          say(`run ${run} moved the cursor and printed nothing`);
      }
      rmSync(filler);
      if (random.chance(40)) {
        await finish(`the run after ${run}`);
      }
      service.pass(random.int(20) * MINUTE);
    }
    await finish('with room');
    service.pass(6 * MINUTE);
    const now = service.now();
    await finish('with room again');
    const found = archive.judge(service.trail.expected(from ?? now - KEPT, now), full, say);
    return { ...found, full, ends, faults: judge.faults() };
  } finally {
    execFileSync('umount', ['-l', folder]);
    await place.close();
  }

  async function finish(where: string): Promise<void> {
    check((await place.whole(where)).added, where);
    uncertain = new Set();
  }

  function check(added: Ran['added'], where: string): void {
    if (added.completed !== undefined) uncertain.add(added.completed);
    const twice = added.repeated.filter((number) => !uncertain.has(number));
    if (twice.length > 0 || added.repeated.length > BATCH) {
      say(`${where}: ${added.repeated.length} events came again, ${twice.length} of them finished`);
    }
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
