import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/**
 * A first seed for campaigns that changes with the commit, so that each commit tries others. It is said on stderr, and
 * ORGCTL_TEST_SEED repeats it.
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
