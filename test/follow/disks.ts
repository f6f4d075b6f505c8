import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from '../campaign/random.ts';
import type { Program } from './follower.ts';
import { openPlace } from './place.ts';
import { KEPT } from './trail.ts';

/** The disk of the cursor, where events wait too, or of the archive is full: again and again, and then it is not. */

export const DISKS = ['cursor', 'archive'] as const;

interface DiskReport {
  readonly full: number;
  readonly missing: number;
  readonly repeated: number;
  readonly torn: number;
  /** How runs ended whose disk was full, with how often. */
  readonly ends: ReadonlyMap<string, number>;
  readonly faults: readonly string[];
}

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
): Promise<DiskReport> {
  const random = createRandom(seed);
  const place = await openPlace(program, seed, { history: events, resolution: random.pick([1, 1_000]) });
  const { service, archive } = place;
  const folder = disk === 'cursor' ? place.places : place.sink;
  const filler = join(folder, 'filler');
  const faults: string[] = [];
  const ends = new Map<string, number>();
  let full = 0;
  /** The oldest time that has to be in the archive. */
  let from: number | undefined;
  let uncertain = new Set<number>();
  const say = (text: string): void => void faults.push(`${disk}, seed ${seed}: ${text}`);
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
      ends.set(`exit ${ended.code}`, (ends.get(`exit ${ended.code}`) ?? 0) + 1);
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
        const next = await place.once();
        check(next.added, `the run after ${run}`);
        if (next.code !== 0) say(`with room again: exit ${next.code}: ${next.stderr}`);
        uncertain = new Set();
      }
      service.pass(random.int(20) * MINUTE);
    }
    await finish();
    service.pass(6 * MINUTE);
    const now = service.now();
    await finish();
    const missing = archive.missing(service.trail.expected(from ?? now - KEPT, now));
    if (missing.length > 0) say(`${missing.length} events are missing`);
    if (archive.torn().length > full) say(`${archive.torn().length} lines are torn by ${full} full disks`);
    return { full, missing: missing.length, repeated: archive.repeats(), torn: archive.torn().length, ends, faults };
  } finally {
    execFileSync('umount', ['-l', folder]);
    await place.close();
  }

  async function finish(): Promise<void> {
    const ended = await place.once();
    check(ended.added, 'a run with room');
    uncertain = new Set();
    if (ended.code !== 0) say(`with room: exit ${ended.code}: ${ended.stderr}`);
  }

  function check(added: Awaited<ReturnType<typeof place.once>>['added'], where: string): void {
    for (const fault of added.faults) say(`${where}: ${fault}`);
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
