import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createJudge } from '../campaign/judge.ts';
import { countPoints } from '../campaign/kill.ts';
import { type Environment, type Program, ROOT, start } from '../campaign/process.ts';
import { createRandom } from '../campaign/random.ts';
import { openPlace } from './place.ts';

/** The trail as Python's HTTP server gives it, which closes the connection after each answer. */

const SCRIPT = join(ROOT, 'test', 'follow', 'foreign.py');

/** Undefined where Python is missing. */
export async function followForeign(
  program: Program,
  { seed, kills, events }: { readonly seed: number; readonly kills: number; readonly events: number },
) {
  const random = createRandom(seed);
  const judge = createJudge(`follow -- foreign --seed ${seed} --runs ${kills * 10} --events ${events}`);
  const place = await openPlace(program, seed, judge.say, { history: events, late: 0 });
  const { trail, now } = place.service;
  try {
    const dump = join(place.folder, 'events');
    // A part comes while it is read.
    const later = kills * 30;
    const first = [...trail.expected(now() - 13 * 86_400_000, now())][0] ?? 0;
    const texts = Array.from({ length: events + later - first }, (_, index) => `${trail.toText(first + index)}\n`);
    writeFileSync(dump, texts.join(''));
    const env = process.env as Environment;
    const server = start('python3', [SCRIPT, dump, String(events - first)], { env });
    try {
      await server.untilStdout((text) => text.includes('\n'));
    } catch {
      return undefined;
    }
    try {
      const own = { ...place.env, ORGCTL_BASE_URL: `http://127.0.0.1:${server.stdout().trim()}/api/v2` };
      let [killed, points] = [0, 200];
      for (let runs = 0; killed < kills && runs < kills * 4; runs += 1) {
        const point = { at: 1 + random.int(points) };
        const isAtPoint = random.chance(70);
        const { code, stderr, operations, added } = isAtPoint
          ? await place.once({ env: own, point })
          : await place.once({ env: own }, 50 + random.int(2_000));
        if (code === null) killed += 1;
        else if (code !== 0) judge.say(`exit ${code}: ${stderr}`);
        points = code === 0 ? Math.max(40, countPoints(operations)) : Math.min(4_000, points * 2);
        if (added.repeated.length > 1_000) judge.say(`${added.repeated.length} events came again`);
      }
      const last = await place.once({ env: own });
      if (last.code !== 0) judge.say(`exit ${last.code}: ${last.stderr}`);
      // What was there before the first run at least.
      const expected = Array.from({ length: events - first }, (_, index) => first + index);
      return { ...place.archive.judge(expected, killed, judge.say), killed, faults: judge.faults() };
    } finally {
      server.child.kill();
    }
  } finally {
    await place.close();
  }
}
