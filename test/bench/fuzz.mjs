// Hostile inputs at length: `npm run fuzz -- --inputs 10000`; `-- --help` tells the rest.

import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { readOptions } from '../support/options.mjs';
import { loadTypeScript } from './load-typescript.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const { values } = readOptions('Feeds every reader and the front door with hostile inputs.', {
  inputs: { about: 'at most so many for each target (10000 without --minutes)', kind: 'number' },
  minutes: { about: 'at most so long for each target', kind: 'number' },
  target: { about: 'only this one', kind: 'texts' },
  list: { about: 'names the targets', kind: 'flag' },
  seed: { about: 'other inputs', kind: 'number', default: '1' },
  growth: { about: 'looks for times that grow with the square of a text, in so many ways', kind: 'number' },
});

process.exitCode = await fuzz(await loadTypeScript(here('../fuzz/index.ts')));

async function fuzz({ TARGETS, runTarget, findGrowth }) {
  if (values.list) {
    say(TARGETS.map(({ name }) => name).join('\n'));
    return 0;
  }
  const unknown = (values.target ?? []).filter((asked) => !TARGETS.some(({ name }) => name === asked));
  if (unknown.length > 0) {
    say(`there is no target ${unknown.join(', ')}; there are ${TARGETS.map(({ name }) => name).join(', ')}`);
    return 2;
  }
  const chosen = TARGETS.filter(({ name }) => values.target?.includes(name) ?? true);
  if (values.growth !== undefined) return await grow(chosen, findGrowth);
  // Whoever interrupts it gets what is known by then.
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stop.abort());
  const { minutes, inputs = minutes === undefined ? 10_000 : Number.MAX_SAFE_INTEGER } = values;
  const sum = { tried: 0, crashes: 0, seconds: 0 };
  say(toRow('target', 'inputs', 'crashes', 'seconds', 'slowest ms'));
  for (const target of chosen) {
    if (stop.signal.aborted) break;
    const { tried, crashes, milliseconds, slowest } = await runTarget(target, {
      seed: values.seed,
      inputs,
      ...(minutes === undefined ? {} : { until: Date.now() + minutes * 60_000 }),
      signal: stop.signal,
      onCrash: ({ input, what, seed }) =>
        say(
          `${target.name}, seed ${seed}: ${what}\n  ${JSON.stringify({ target: target.name, input }).slice(0, 4_000)}`,
        ),
    });
    const seconds = milliseconds / 1_000;
    say(toRow(target.name, tried, crashes.length, seconds.toFixed(1), slowest.milliseconds.toFixed(0)));
    sum.tried += tried;
    sum.crashes += crashes.length;
    sum.seconds += seconds;
  }
  say(toRow('all', sum.tried, sum.crashes, sum.seconds.toFixed(1), ''));
  return sum.crashes === 0 ? 0 : 1;
}

async function grow(chosen, findGrowth) {
  let suspects = 0;
  for (const target of chosen) {
    const found = await findGrowth(target, values.seed, values.growth);
    say(toRow(target.name, `${found.length} suspects`));
    for (const { unit, place, length, milliseconds, ratio } of found) {
      say(
        `  ${JSON.stringify(unit)} in ${place === '' ? 'the text' : place}: ${length} long, ${milliseconds} ms, ${ratio} times an eighth of it`,
      );
    }
    suspects += found.length;
  }
  return suspects === 0 ? 0 : 1;
}

function toRow(...cells) {
  return cells.map((cell, index) => (index === 0 ? String(cell).padEnd(20) : String(cell).padStart(12))).join('');
}

function say(text) {
  process.stdout.write(`${text}\n`);
}
