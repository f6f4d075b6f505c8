// Hostile inputs at length: `npm run fuzz -- --inputs 10000`, or `--minutes 5` for each target.
// `--target journal` one of them (may be repeated), `--seed 7` other inputs, `--list` their names.
// `--growth 200` looks for times that grow with the square of a text, in so many ways for each target.

import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadTypeScript } from './load-typescript.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    inputs: { type: 'string' },
    target: { type: 'string', multiple: true },
    seed: { type: 'string', default: '1' },
    list: { type: 'boolean', default: false },
    growth: { type: 'string' },
  },
});

process.exitCode = await fuzz(await loadTypeScript(here('../fuzz/index.ts')));

async function fuzz({ TARGETS, runTarget, findGrowth }) {
  if (values.list) {
    say(TARGETS.map(({ name }) => name).join('\n'));
    return 0;
  }
  const chosen = TARGETS.filter(({ name }) => values.target?.includes(name) ?? true);
  if (chosen.length === 0) {
    say(`there is no such target; targets are ${TARGETS.map(({ name }) => name).join(', ')}`);
    return 2;
  }
  if (values.growth !== undefined) return await grow(chosen, findGrowth);
  // Whoever interrupts it gets what is known by then.
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stop.abort());
  const inputs = Number(values.inputs ?? (values.minutes === undefined ? 10_000 : Number.MAX_SAFE_INTEGER));
  const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
  const sum = { tried: 0, crashes: 0, seconds: 0 };
  say(toRow('target', 'inputs', 'crashes', 'seconds', 'slowest ms'));
  for (const target of chosen) {
    if (stop.signal.aborted) break;
    const { tried, crashes, milliseconds, slowest } = await runTarget(target, {
      seed: Number(values.seed),
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
    const found = await findGrowth(target, Number(values.seed), Number(values.growth));
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
