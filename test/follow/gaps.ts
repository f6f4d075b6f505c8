import { existsSync, readFileSync } from 'node:fs';
import type { Program } from './follower.ts';
import { openPlace, toErrorName } from './place.ts';
import { KEPT } from './trail.ts';

/** Long silences, long absences, and tokens that read nothing: what ends how, and with which error. */

const DAY = 86_400_000;
const HOUR = 3_600_000;
const FEW = 20_000;
/** Exit codes of the contract. */
const [ATTENTION, NOT_AUTHENTICATED] = [13, 4];

interface GapsReport {
  readonly runs: number;
  /** How each scene ended. */
  readonly scenes: readonly string[];
  readonly faults: readonly string[];
}

type Say = (text: string) => void;
type Scene = (program: Program, say: Say) => Promise<string>;

export async function playScenes(program: Program): Promise<GapsReport> {
  const faults: string[] = [];
  const scenes: string[] = [];
  for (const [name, scene] of Object.entries(SCENES)) {
    const text = await scene(program, (fault) => faults.push(`${name}: ${fault}`));
    scenes.push(`${name}: ${text}`);
  }
  return { runs: scenes.length, scenes, faults };
}

const SCENES: Readonly<Record<string, Scene>> = {
  async 'nothing happens for 20 days, and it runs each day'(program, say) {
    const place = await openPlace(program, 1, { history: 300, growth: 0 });
    try {
      const codes: (number | null)[] = [];
      for (let day = 0; day <= 20; day += 1) {
        const { code, stderr, added } = await place.once();
        codes.push(code);
        if (code !== 0) say(`day ${day}: exit ${code}: ${stderr}`);
        if (/gap/i.test(stderr)) say(`day ${day}: ${stderr}`);
        if (day > 0 && added.numbers.length > 0) say(`day ${day}: ${added.numbers.length} events were printed`);
        place.service.pass(DAY);
      }
      return `${codes.length} runs, exits ${[...new Set(codes)].join(', ')}, ${place.archive.count()} events`;
    } finally {
      await place.close();
    }
  },

  async 'a cursor that is 13.9 days old'(program, say) {
    const place = await openPlace(program, 2, { history: 300, growth: 0.01 });
    try {
      const from = place.service.now() - 13 * DAY;
      await place.once();
      place.service.pass(13.9 * DAY);
      const now = place.service.now();
      const { code, stderr } = await place.once();
      if (code !== 0) say(`exit ${code}: ${stderr}`);
      const missing = place.archive.missing(place.service.trail.expected(from, now - HOUR));
      if (missing.length > 0) say(`${missing.length} events are missing`);
      return `exit ${code}, ${missing.length} events missing`;
    } finally {
      await place.close();
    }
  },

  async 'a cursor that is 15 days old'(program, say) {
    const place = await openPlace(program, 3, { history: 300, growth: 0.01 });
    try {
      await place.once();
      place.service.pass(15 * DAY);
      const now = place.service.now();
      const late = await place.once();
      if (late.code !== ATTENTION || toErrorName(late.stderr) !== 'gap') say(`exit ${late.code}: ${late.stderr}`);
      const missing = place.archive.missing(place.service.trail.expected(now - 13.99 * DAY, now - HOUR));
      if (missing.length > 0) say(`${missing.length} events that there were are missing`);
      const next = await place.once();
      if (next.code !== 0) say(`the gap is reported again: exit ${next.code}: ${next.stderr}`);
      if (next.added.repeated.length > 0) say(`${next.added.repeated.length} events came again`);
      return `exit ${late.code}, then ${next.code}: ${late.stderr.trim()}`;
    } finally {
      await place.close();
    }
  },

  async 'a service that forgets after a day'(program, say) {
    const place = await openPlace(program, 4, { history: 300, growth: 0.01, late: 0 });
    try {
      await place.once();
      place.service.pass(3 * DAY);
      place.service.setKept(DAY);
      const late = await place.once();
      if (late.code !== ATTENTION || toErrorName(late.stderr) !== 'gap') say(`exit ${late.code}: ${late.stderr}`);
      const next = await place.once();
      if (next.code !== 0) say(`the gap is reported again: exit ${next.code}: ${next.stderr}`);
      return `exit ${late.code}, then ${next.code}`;
    } finally {
      await place.close();
    }
  },

  // What was read and not printed counts as not read: it is older than the cursor says.
  async 'a first run that is killed after a batch, and the next one when what follows is forgotten'(program, say) {
    const place = await openPlace(program, 5, { history: FEW, growth: 0.01, late: 0 });
    try {
      const first = place.start(['audit-trail', 'follow', '--cursor', place.cursor, '--once', '-o', 'ndjson']);
      await untilThere(place.cursor);
      first.kill();
      await first.ended;
      const { numbers } = place.archive.absorb();
      place.service.pass((numbers.length * KEPT) / FEW + 6 * HOUR);
      const next = await place.once();
      const kept = place.service.trail.page(place.service.now(), { number: 1, size: 1 }).total;
      const oldest = place.service.trail.countUntil(place.service.now()) - kept;
      const lost = place.archive.missing(Array.from({ length: oldest }, (_, number) => number)).length;
      if (lost === 0) return `nothing was lost: ${numbers.length} were printed, exit ${next.code}`;
      if (next.code !== ATTENTION) say(`${lost} events are lost, and it ends ${next.code}: ${next.stderr}`);
      return `${numbers.length} were printed, ${lost} are lost, exit ${next.code}`;
    } finally {
      await place.close();
    }
  },

  async 'a token that never reads the trail'(program, say) {
    const place = await openPlace(program, 6, { history: 50 });
    try {
      const { code, stderr } = await place.once({ env: { ...place.env, ORGCTL_TOKEN: 'person' } });
      if (code !== NOT_AUTHENTICATED) say(`exit ${code}: ${stderr}`);
      await place.once();
      const before = readFileSync(place.cursor, 'utf8');
      const later = await place.once({ env: { ...place.env, ORGCTL_TOKEN: 'person' } });
      if (later.code !== NOT_AUTHENTICATED) say(`with a cursor: exit ${later.code}: ${later.stderr}`);
      if (readFileSync(place.cursor, 'utf8') !== before) say('the cursor moved');
      return `exit ${code}, with a cursor ${later.code}: ${stderr.trim()}`;
    } finally {
      await place.close();
    }
  },

  async 'a token that was revoked'(program, say) {
    const place = await openPlace(program, 7, { history: 50 });
    try {
      await place.once();
      const before = readFileSync(place.cursor, 'utf8');
      place.service.revoke('audit-0');
      const { code, stderr } = await place.once();
      if (code !== NOT_AUTHENTICATED) say(`exit ${code}: ${stderr}`);
      if (readFileSync(place.cursor, 'utf8') !== before) say('the cursor moved');
      return `exit ${code}: ${stderr.trim()}`;
    } finally {
      await place.close();
    }
  },
};

async function untilThere(path: string): Promise<void> {
  while (!existsSync(path)) await new Promise((resolve) => void setTimeout(resolve, 2));
}
