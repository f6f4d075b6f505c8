// Kills rotations at random while the service misbehaves, and looks whether the next ones finish:
// `npm run campaign -- --kills 200 --kind described --seed 7`.

import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { loadTypeScript } from '../bench/load-typescript.mjs';
import { readOptions } from '../support/options.mjs';

const { values } = readOptions('Kills rotations at random, and looks whether the next ones finish.', {
  kills: { about: 'how many of each kind', kind: 'number', default: '1000' },
  kind: { about: 'one kind of token: audit-trail, organization, team, described, or self' },
  seed: { about: 'the first one', kind: 'number', default: '1' },
  jobs: { about: 'how many at once', kind: 'number', default: '3' },
  door: { about: 'the orgctl that runs' },
});
const load = (name) => loadTypeScript(fileURLToPath(new URL(name, import.meta.url)));
const { KINDS, openTrial } = await load('../support/rotation-trial.ts');
const { createRandom } = await load('random.ts');

const POST_FAULTS = ['lost', 'torn', '500', 'dropped', '403', '429', 'late', 'no-id', 'replaced'];
const OTHER_FAULTS = ['lost', 'torn', '500', 'dropped', '429', 'late'];

function createRun(random) {
  const faults = {};
  if (random.chance(35)) faults['POST 1'] = random.pick(POST_FAULTS);
  if (random.chance(10)) faults['POST 2'] = random.pick(POST_FAULTS);
  if (random.chance(25)) faults[`GET ${random.pick(['*', 1, 2, 3, 4, 5, 6])}`] = random.pick(OTHER_FAULTS);
  if (random.chance(15)) faults['DELETE 1'] = random.pick(OTHER_FAULTS);
  const options = random.chance(30) ? ['--if-expires-within', '1d'] : [];
  return { killAt: 1 + random.int(45), faults, options };
}

/** One to three runs, and then the next ones. Somebody else may change the token between them. */
async function runSeed(kind, seed) {
  const random = createRandom(seed);
  const isShown = kind !== 'audit-trail' || random.chance(60);
  const service = isShown ? 'full' : random.pick(['hidden', 'document-only']);
  const options = { kind, service, isExecAlone: random.chance(30) };
  const trial = await openTrial(values.door === undefined ? options : { ...options, door: values.door });
  const story = [JSON.stringify(options)];
  let kills = 0;
  for (let left = 1 + random.int(3); left > 0; left -= 1) {
    const plan = createRun(random);
    const { code, points } = await trial.run(plan);
    if (code === null) kills += 1;
    story.push(`${JSON.stringify(plan)} → ${code ?? `killed at "${points.at(-1)}"`}`);
    if (!random.chance(15)) continue;
    await trial.disturb();
    story.push('somebody else changes the token');
  }
  for (const { code } of await trial.finish()) story.push(`→ ${code}`);
  trial.close();
  return { kills, violations: trial.violations.map((text) => [text, ...story].join('\n    ')) };
}

let found = 0;
for (const kind of values.kind === undefined ? KINDS : [values.kind]) {
  let [kills, seed] = [0, values.seed];
  const work = async () => {
    while (kills < values.kills) {
      const own = seed;
      seed += 1;
      const report = await runSeed(kind, own);
      kills += report.kills;
      found += report.violations.length;
      for (const text of report.violations) process.stdout.write(`${kind}, seed ${own}: ${text}\n`);
    }
  };
  await Promise.all(Array.from({ length: values.jobs }, work));
  process.stdout.write(`${kind}: ${kills} kills with ${seed - values.seed} seeds\n`);
}
process.stdout.write(`${found} violations\n`);
process.exitCode = found === 0 ? 0 : 1;
