import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const TEST = fileURLToPath(new URL('..', import.meta.url));

const run = (script: string, ...args: readonly string[]) =>
  spawnSync(process.execPath, [join(TEST, script), ...args], { encoding: 'utf8' });

it.each([
  'bench/bench.mjs',
  'bench/campaign.mjs crash',
  'bench/campaign.mjs follow',
  'bench/campaign.mjs publish',
  'bench/campaign.mjs roster',
  'bench/fuzz.mjs',
  'bench/rotation.mjs',
  'mutation/mutation.mjs',
])('%s says what it takes, and does nothing else', (line) => {
  const [script = '', ...words] = line.split(' ');
  const { status, stdout, stderr } = run(script, ...words, '--help');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^[A-Z].*\.\n(?: {2}\S.*\n)+$/);
});

it.each([
  ['--nonsense', "Unknown option '--nonsense'"],
  ['nonsense', 'there is no suite nonsense; there are startup, '],
  ['--pairs=0', '--pairs is a whole number above 0, not "0"'],
])('a script refuses %s and names it', (argument, named) => {
  const { status, stdout, stderr } = run('bench/bench.mjs', argument);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(named);
  expect(stderr.split('\n')).toHaveLength(3);
});
