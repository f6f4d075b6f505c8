import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countPoints, type FilePoint } from '../campaign/kill.ts';
import { PROGRAM, startWatched } from '../campaign/process.ts';
import { createRandom, drawSeed } from '../campaign/random.ts';
import { NOW } from '../support/run.ts';
import { createHomeOf } from '../support/stored.ts';
import { MINUTE, startTrail } from '../support/trail.ts';

const KILLS = 6;
const BATCH = 1_000;

/** `tail -f` of an audit trail into a file, by runs that are killed at random operations on their files. */
test.skipIf(process.platform === 'win32')(
  'a follower that is killed loses no event, and repeats at most a batch',
  async () => {
    const random = createRandom(drawSeed('the follower'));
    const trail = await startTrail();
    const home = createHomeOf({});
    const archive = join(home, 'archive');
    let expected = 0;
    let before = { events: 0, repeated: 0, torn: 0 };

    function add(...times: number[]): void {
      trail.add(...times);
      expected += times.length;
    }

    function readArchive() {
      const lines = existsSync(archive) ? readFileSync(archive, 'utf8').split('\n').slice(0, -1) : [];
      const ids = lines.map((line) => /^\{"id":"(event-\d+)".*\}$/.exec(line)?.[1]).filter(Boolean);
      const events = new Set(ids).size;
      return { events, repeated: ids.length - events, torn: lines.length - ids.length };
    }

    async function follow(point?: FilePoint): Promise<{ code: number | null; points: number }> {
      const argv = ['audit-trail', 'follow', '--cursor', 'acme.json', '--once', '-o', 'ndjson'];
      const options = { home, env: trail.env, stdout: archive, point };
      const { code, stderr, operations } = await startWatched(PROGRAM, argv, options).ended;
      expect([0, null], stderr).toContain(code);
      const after = readArchive();
      expect(after.repeated - before.repeated).toBeLessThanOrEqual(BATCH);
      before = after;
      return { code, points: countPoints(operations) };
    }

    add(...Array.from({ length: 2_500 }, (_, index) => (index - 2_500) * MINUTE));
    let most = 2_000;
    let killed = 0;
    while (killed < KILLS) {
      const point = 1 + random.int(most);
      const { code, points } = await follow(
        random.chance(30) ? { tear: point, percent: random.int(101) } : { at: point },
      );
      if (code === null) killed += 1;
      most = code === null ? most : points;
      trail.clock += MINUTE;
      const now = trail.clock - NOW;
      add(...Array.from({ length: 300 }, () => now - random.int(58 * MINUTE)));
    }
    expect((await follow()).code).toBe(0);
    expect(before.events).toBe(expected);
    expect(before.torn).toBeLessThanOrEqual(killed);
    const { repeated } = before;
    expect((await follow()).code).toBe(0);
    expect(before).toMatchObject({ events: expected, repeated });
  },
);
