import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openKills } from '../campaign/kills.ts';
import { NOW } from '../support/run.ts';
import { createPlace, shell } from '../support/shipped.ts';
import { MINUTE, startTrail } from '../support/trail.ts';

const BATCH = 1_000;
/** Each event is two points, before and within its write, and a batch ends with the cursor. */
const KILLED_AT = [4_500, 1, 2, 1_000, 'before writeFile', 'within writeFile', 'before rename', 'after rename'];

/** `tail -f` of an audit trail into a file, by runs that are killed around what they write. */
test.skipIf(process.platform === 'win32')(
  'a follower that is killed loses no event, and repeats at most a batch',
  async () => {
    const trail = await startTrail();
    const kills = await openKills(async () => Response.json({}, { status: 404 }));
    onTestFinished(kills.close);
    const archive = join(kills.folder, 'archive');
    const argv = ['audit-trail', 'follow', '--cursor', 'acme.json', '--once', '-o', 'ndjson'];
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

    async function follow(killAt: number | string): Promise<void> {
      const { code, stderr } = await kills.run(argv, { killAt, stdout: archive }, trail.env);
      expect(code, stderr).toBe(killAt === 0 ? 0 : null);
      const after = readArchive();
      expect(after.repeated - before.repeated).toBeLessThanOrEqual(BATCH);
      before = after;
    }

    add(...Array.from({ length: 2_500 }, (_, index) => (index - 2_500) * MINUTE));
    for (const killAt of KILLED_AT) {
      await follow(killAt);
      trail.clock += MINUTE;
      const now = trail.clock - NOW;
      add(...Array.from({ length: 300 }, (_, index) => now - (index % 58) * MINUTE));
    }
    await follow(0);
    const { repeated, torn } = before;
    expect(before.events).toBe(expected);
    expect(repeated * torn).toBeGreaterThan(0);
    await follow(0);
    expect(before).toEqual({ events: expected, repeated, torn });
  },
);

test.each([
  ['csv', 'timestamp,'],
  ['markdown', '| TIME (UTC)'],
  ['table', 'TIME (UTC)'],
  ['tsv', undefined],
])('a file that grows has the header of %s once', async (format, header) => {
  const trail = await startTrail();
  const { env, home } = createPlace();
  const line = `orgctl audit-trail follow --cursor cursor --once -o ${format} >> archive`;
  for (const at of [-3, -2, -1]) {
    trail.add(at * MINUTE);
    const { code, stderr } = await shell(line, { env: { ...env, ...trail.env }, cwd: home });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  }
  const lines = readFileSync(join(home, 'archive'), 'utf8').trimEnd().split('\n');
  expect(lines.flatMap((text, at) => (header !== undefined && text.startsWith(header) ? [at] : []))).toEqual(
    header === undefined ? [] : [0],
  );
  expect(lines.filter((text) => text.includes('event-'))).toHaveLength(3);
});
