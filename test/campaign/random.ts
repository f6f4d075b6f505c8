import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** Numbers that a seed decides, the same on every machine. */
export type Random = ReturnType<typeof createRandom>;

/**
 * A first seed that changes with the commit, so that each commit tries others. It is said on stderr, and ORGCTL_TEST_SEED
 * repeats it.
 */
export function drawSeed(campaign: string): number {
  const given = process.env['ORGCTL_TEST_SEED'];
  const seed = given === undefined ? toSeed(readCommit()) : Number(given);
  process.stderr.write(`${campaign}: drawn from seed ${seed} (ORGCTL_TEST_SEED=${seed} repeats it)\n`);
  return seed;
}

/** Empty where there is no repository, as in an archive of the sources. */
function readCommit(): string {
  const cwd = fileURLToPath(new URL('.', import.meta.url));
  return spawnSync('git', ['rev-parse', 'HEAD'], { cwd, encoding: 'utf8' }).stdout ?? '';
}

const toSeed = (commit: string): number => 1_000 + (Number.parseInt(commit.slice(0, 7), 16) || 0);

/** mulberry32, whose whole state is one 32-bit number. */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (end: number): number => Math.floor(next() * end);
  return {
    /** From 0 up to, not including, `end`. */
    int,
    /** True in so many of a hundred cases. */
    chance: (percent: number): boolean => next() * 100 < percent,
    pick: <T>(values: readonly [T, ...T[]]): T => values[int(values.length)] ?? values[0],
  };
}
