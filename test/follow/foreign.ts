import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createRandom } from '../campaign/random.ts';
import type { Program } from './follower.ts';
import { openPlace } from './place.ts';

/** The trail as Python's HTTP server gives it, which closes the connection after each answer. */

interface ForeignReport {
  readonly events: number;
  readonly killed: number;
  readonly missing: number;
  readonly repeated: number;
  readonly torn: number;
  readonly faults: readonly string[];
}

/** Undefined where Python is missing. */
export async function followForeign(
  program: Program,
  { script, seed, kills, events }: { readonly script: string; seed: number; kills: number; events: number },
): Promise<ForeignReport | undefined> {
  const random = createRandom(seed);
  const place = await openPlace(program, seed, { history: events, late: 0 });
  const { trail, now } = place.service;
  const faults: string[] = [];
  try {
    const dump = join(place.folder, 'events');
    const file = createWriteStream(dump);
    // A part comes while it is read.
    const later = kills * 30;
    const from = now() - 13 * 86_400_000;
    const first = [...trail.expected(from, now())][0] ?? 0;
    for (let number = first; number < events + later; number += 1) file.write(`${trail.toText(number)}\n`);
    await new Promise<void>((resolve) => file.end(resolve));
    const server = spawn('python3', [script, dump, String(events - first)], { stdio: ['ignore', 'pipe', 'inherit'] });
    const port = await new Promise<string | undefined>((resolve) => {
      createInterface({ input: server.stdout }).once('line', resolve);
      server.once('error', () => resolve(undefined));
      server.once('exit', () => resolve(undefined));
    });
    if (port === undefined) return undefined;
    try {
      const env = { ...place.env, ORGCTL_BASE_URL: `http://127.0.0.1:${port}/api/v2` };
      let [killed, points] = [0, 200];
      for (let runs = 0; killed < kills && runs < kills * 4; runs += 1) {
        const point = { at: 1 + random.int(points) };
        const ended = await place.once(random.chance(70) ? { env, point } : { env, killAfter: 50 + random.int(2_000) });
        if (ended.code === null) killed += 1;
        else if (ended.code !== 0) faults.push(`exit ${ended.code}: ${ended.stderr}`);
        points = ended.code === 0 ? Math.max(40, ended.points) : Math.min(4_000, points * 2);
        faults.push(...ended.added.faults);
        if (ended.added.repeated.length > 1_000) faults.push(`${ended.added.repeated.length} events came again`);
      }
      const last = await place.once({ env });
      if (last.code !== 0) faults.push(`exit ${last.code}: ${last.stderr}`);
      faults.push(...last.added.faults);
      // What was there before the first run at least.
      const expected = Array.from({ length: events - first }, (_, index) => first + index);
      const missing = place.archive.missing(expected).length;
      if (missing > 0) faults.push(`${missing} events are missing`);
      const torn = place.archive.torn().length;
      if (torn > killed) faults.push(`${torn} lines are torn by ${killed} kills`);
      return { events: expected.length, killed, missing, repeated: place.archive.repeats(), torn, faults };
    } finally {
      server.kill();
    }
  } finally {
    await place.close();
  }
}
