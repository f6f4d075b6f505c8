// How long campaigns' commands take, and how much memory, against bare loops: the part `speed` of `campaign.mjs`.

import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadTypeScript } from './load-typescript.mjs';
import { benchEnvironment, median, runToFile, scratch, startScript, timeRun } from './measure.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Of the time of sha256sum and curl. */
const LONGEST = 1.15;
/** MiB: no file is held whole, however large. */
const HIGHEST = 200;
const PLATFORMS = ['darwin', 'freebsd', 'linux', 'windows'].flatMap((os) =>
  ['386', 'amd64', 'arm64'].map((arch) => `${os}_${arch}`),
);

/**
 * A release of 12 platforms over a slow line, against sha256sum and then curl with the same files. Whole runs in turn; the
 * service throws away what it gets.
 */
export async function publish({ program, values: { megabytes, megabits, pairs }, tell, say }) {
  const { createRelease, createSigningKey } = await loadTypeScript(here('../support/release.ts'));
  const key = await createSigningKey();
  const dir = scratch('dist');
  const size = Math.floor((megabytes * 1e6) / PLATFORMS.length);
  const release = await createRelease({ dir, key, platforms: PLATFORMS, size });
  const service = await startScript('fake-service.mjs', 'publish', 'bench', key.id);
  const [url, uploads] = service.line.split(' ');
  const line = await startScript('line.mjs', new URL(uploads).port, megabits, scratch('carried'));
  const files = [release.sums, release.signature, ...PLATFORMS.map((platform) => release.zip(platform))];
  const there = `http://127.0.0.1:${line.line}`;
  const curl = files.map((file) => `-T ${file} ${there}/v1/object/${basename(file)}`).join(' ');
  const floor = `cd ${dir} && sha256sum *.zip > /dev/null && curl -fsSZ ${curl}`;
  const argv = ['providers', 'publish', 'billing', '1.2.0', '--dir', dir, '--public-key', join(dir, 'key.asc'), '-q'];
  const env = benchEnvironment({ ORGCTL_BASE_URL: url });
  const runs = [];
  try {
    for (let pair = 0; pair < pairs; pair += 1) {
      await fetch(`${new URL(url).origin}/bench/reset?uploads=${there}`, { headers: { connection: 'close' } });
      const floorTime = timeRun(['sh', '-c', floor], env);
      const run = check(argv, runToFile([program.node, program.door, ...argv], env, scratch('stdout')));
      runs.push({ ...run, floorTime, ratio: run.time / floorTime });
    }
  } finally {
    line.stop();
    service.stop();
    rmSync(dir, { recursive: true, force: true });
  }
  const of = (name) => median(runs.map((run) => run[name]));
  const [ratio, peak] = [of('ratio'), of('peak')];
  const seconds = (milliseconds) => `${(milliseconds / 1_000).toFixed(1)} s`;
  say(
    `${megabytes} MB in ${PLATFORMS.length} files over ${megabits} Mbit/s: ${seconds(of('time'))} against ` +
      `${seconds(of('floorTime'))} of sha256sum and curl, ${ratio.toFixed(2)}x (${LONGEST.toFixed(2)}), peak ${peak.toFixed(0)} MiB (${HIGHEST})`,
  );
  if (ratio > LONGEST || peak > HIGHEST) tell(['slower or larger than wanted']);
}

function check(argv, run) {
  if (run.status !== 0) throw new Error(`${argv.join(' ')} ended with ${run.status}: ${run.lines.join('\n')}`);
  return run;
}
