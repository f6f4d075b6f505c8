// The kill matrix at length: real rotations that meet seeded faults, and what became of the token, looked at from outside.
// `npm run bench:rotation -- --runs 10000 --seed 1 --jobs 2`; `-- --help` tells the rest.

import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { readOptions } from '../support/options.mjs';
import { loadTypeScript } from './load-typescript.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const { values } = readOptions('Rotates while seeded faults strike, and looks from outside where the token is then.', {
  runs: { about: 'how many rotations', kind: 'number', default: '500' },
  seed: { about: 'the first one', kind: 'number', default: '1' },
  jobs: { about: 'how many at once', kind: 'number', default: '2' },
  only: { about: 'the one trial of this seed, with its plan', kind: 'number' },
  kind: { about: 'which token: audit-trail, organization, team, described, or self', default: 'audit-trail' },
  two: { about: 'two machines rotate at once', kind: 'flag' },
  node: { about: 'the Node that runs orgctl', default: process.execPath },
});
const program = { node: values.node, door: here('../../bin/orgctl.cjs'), killer: here('rotation-kill.cjs') };
const STEP = 500;

const { createPlan, renderMatrix, runMatrix, runTrial } = await loadTypeScript(here('../rotation/matrix/index.ts'));
if (values.only !== undefined) {
  const seed = values.only;
  say(inspect(createPlan(seed, values.kind, values.two), { depth: 9 }));
  const report = await runTrial(seed, program, values.kind, values.two);
  say(inspect(report, { depth: 9 }));
  process.exitCode = report.violations.length === 0 ? 0 : 1;
} else {
  const started = Date.now();
  // Whoever interrupts it gets what is known by then, and nothing is left mounted.
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stop.abort());
  let told = 0;
  const report = await runMatrix({
    program,
    kind: values.kind,
    isTwo: values.two,
    runs: values.runs,
    firstSeed: values.seed,
    jobs: values.jobs,
    signal: stop.signal,
    onTrial({ seed, violations }, runs) {
      for (const text of violations)
        say(
          `seed ${seed}: ${text}\n  npm run bench:rotation -- --kind ${values.kind}${values.two ? ' --two' : ''} --only ${seed}`,
        );
      if (runs < told + STEP) return;
      told = runs;
      const seconds = (Date.now() - started) / 1_000;
      say(`${runs} rotations after ${seconds.toFixed(0)} s, ${(runs / seconds).toFixed(1)} a second`);
    },
  });
  say(renderMatrix(report));
  process.exitCode = report.failed.length === 0 ? 0 : 1;
}

function say(text) {
  process.stdout.write(`${text}\n`);
}
