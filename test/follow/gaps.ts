import { readFileSync } from 'node:fs';
import { createJudge, type Say } from '../campaign/judge.ts';
import type { Program } from '../campaign/process.ts';
import { openPlace, type Place, toErrorName } from './place.ts';
import type { ServiceOptions } from './service.ts';
import { KEPT } from './trail.ts';

/** Long silences, long absences, and tokens that read nothing: what ends how, and with which error. */

const DAY = 86_400_000;
const HOUR = 3_600_000;
const FEW = 20_000;
/** Exit codes of the contract. */
const [ATTENTION, NOT_AUTHENTICATED] = [13, 4];

type Scene = readonly [Partial<ServiceOptions>, (place: Place, say: Say) => Promise<string>];

/** How each scene ended, and what was wrong. */
export async function playScenes(program: Program) {
  const judge = createJudge('follow -- scenes');
  const scenes: string[] = [];
  for (const [name, [options, play]] of Object.entries(SCENES)) {
    const say = judge.sayOf(name);
    const place = await openPlace(program, scenes.length + 1, say, options);
    try {
      scenes.push(`${name}: ${await play(place, say)}`);
    } finally {
      await place.close();
    }
  }
  return { scenes, faults: judge.faults() };
}

const SCENES: Readonly<Record<string, Scene>> = {
  'nothing happens for 20 days, and it runs each day': [
    { history: 300, growth: 0 },
    async ({ whole, service, archive }, say) => {
      for (let day = 0; day <= 20; day += 1) {
        const { stderr, added } = await whole(`day ${day}`);
        if (/gap/i.test(stderr)) say(`day ${day}: ${stderr}`);
        if (day > 0 && added.numbers.length > 0) say(`day ${day}: ${added.numbers.length} events were printed`);
        service.pass(DAY);
      }
      return `${archive.count()} events`;
    },
  ],

  'a cursor that is 13.9 days old': [
    { history: 300, growth: 0.01 },
    async ({ whole, service, archive }, say) => {
      const from = service.now() - 13 * DAY;
      await whole('the first run');
      service.pass(13.9 * DAY);
      const now = service.now();
      await whole('the late one');
      const { missing } = archive.judge(service.trail.expected(from, now - HOUR), 0, say);
      return `${missing} events missing`;
    },
  ],

  'a cursor that is 15 days old': [
    { history: 300, growth: 0.01 },
    async (place, say) => {
      const { whole, service, archive } = place;
      await whole('the first run');
      service.pass(15 * DAY);
      const now = service.now();
      const told = await findGap(place, say);
      archive.judge(service.trail.expected(now - 13.99 * DAY, now - HOUR), 0, say);
      return told;
    },
  ],

  'a service that forgets after a day': [
    { history: 300, growth: 0.01, late: 0 },
    async (place, say) => {
      await place.whole('the first run');
      place.service.pass(3 * DAY);
      place.service.setKept(DAY);
      return await findGap(place, say);
    },
  ],

  // What was read and not printed counts as not read: it is older than the cursor says.
  'a first run that is killed after a batch, and the next one when what follows is forgotten': [
    { history: FEW, growth: 0.01, late: 0 },
    async ({ start, once, cursor, service, archive }, say) => {
      const first = start(['audit-trail', 'follow', '--cursor', cursor, '--once', '-o', 'ndjson']);
      await first.untilOperation((all) => all.some(({ to, done }) => to === cursor && done === true));
      first.kill();
      await first.ended;
      const { numbers } = archive.absorb();
      service.pass((numbers.length * KEPT) / FEW + 6 * HOUR);
      const next = await once();
      const kept = service.trail.page(service.now(), { number: 1, size: 1 }).total;
      const oldest = service.trail.countUntil(service.now()) - kept;
      const lost = archive.missing(Array.from({ length: oldest }, (_, number) => number)).length;
      if (lost === 0) return `nothing was lost: ${numbers.length} were printed, exit ${next.code}`;
      if (next.code !== ATTENTION) say(`${lost} events are lost, and it ends ${next.code}: ${next.stderr}`);
      return `${numbers.length} were printed, ${lost} are lost, exit ${next.code}`;
    },
  ],

  'a token that never reads the trail': [
    { history: 50 },
    async (place, say) => {
      const env = { ...place.env, ORGCTL_TOKEN: 'person' };
      const { code, stderr } = await place.once({ env });
      if (code !== NOT_AUTHENTICATED) say(`exit ${code}: ${stderr}`);
      await place.whole('with the token that reads it');
      return `${stderr.trim()} With a cursor: ${await findRefusal(place, env, say)}`;
    },
  ],

  'a token that was revoked': [
    { history: 50 },
    async (place, say) => {
      await place.whole('the first run');
      place.service.revoke('audit-0');
      return await findRefusal(place, place.env, say);
    },
  ],
};

/** A gap is reported by one run, and not by the next. */
async function findGap({ once, whole }: Place, say: Say): Promise<string> {
  const { code, stderr } = await once();
  if (code !== ATTENTION || toErrorName(stderr) !== 'gap') say(`exit ${code}: ${stderr}`);
  const { added } = await whole('once more');
  if (added.repeated.length > 0) say(`${added.repeated.length} events came again`);
  return stderr.trim();
}

/** A run that may not read leaves the cursor where it is. */
async function findRefusal({ once, cursor }: Place, env: Place['env'], say: Say): Promise<string> {
  const before = readFileSync(cursor, 'utf8');
  const { code, stderr } = await once({ env });
  if (code !== NOT_AUTHENTICATED) say(`with a cursor: exit ${code}: ${stderr}`);
  if (readFileSync(cursor, 'utf8') !== before) say('the cursor moved');
  return stderr.trim();
}
