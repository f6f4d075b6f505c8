import { type Bench, createJudge, defineCampaign } from '../campaign/judge.ts';
import { createRandom, type Random } from '../campaign/random.ts';
import { createHome, findOpenToOthers, type Home } from '../crash/home.ts';
import { tryRequests } from '../crash/requests.ts';
import { findLost, killWhileInviting, serve } from '../crash/service.ts';
import { createWriters, killAt, record, storm } from '../crash/writers.ts';

const REQUESTS_A_RUN = 500;

type CrashBench = Bench<'runs'>;

export default defineCampaign({
  about: 'Kills orgctl at every operation on a file, and looks at what is left.',
  options: { runs: { about: 'how many storms of writers, and as many killed servers', default: '50' } },
  parts: {
    async points(bench) {
      const { program, tell, say } = bench;
      await withServed(bench, async (url) => {
        for (const writer of createWriters(url)) {
          tell((await record(program, writer, '022')).faults);
          const { points, faults } = await record(program, writer, '000');
          tell(faults);
          for (let at = 1; at <= points; at += 1) tell(await killAt(program, writer, at));
          say(`${writer.name}: killed at each of ${points} points, and made under umask 000 and 022`);
        }
      });
    },
    async requests(bench) {
      const runs = bench.values.runs * REQUESTS_A_RUN;
      await withServed(bench, async (url) =>
        bench.tell(await tryRequests(Number(new URL(url).port), { runs, firstSeed: bench.values.seed })),
      );
      bench.say(`${runs} requests that are nearly right`);
    },
    async storms(bench) {
      await runSeeds(bench, 'storms', async ({ int }) => {
        const writers = 3 + int(6);
        return await storm(bench.program, { writers, victim: int(writers), at: 1 + int(30) });
      });
      bench.say(`${bench.values.runs} storms of 3 to 8 writers, one of them killed`);
    },
    async servers(bench) {
      await runSeeds(bench, 'servers', ({ int }) =>
        withHome(async (home) => {
          const plan = { acknowledged: 1 + int(60), clients: 1 + int(6) };
          const told = await killWhileInviting(bench.program, home, plan);
          return [...findOpenToOthers(home.path), ...(await findLost(bench.program, home, told))];
        }),
      );
      bench.say(`${bench.values.runs} servers killed while 1 to 6 clients invite`);
    },
  },
});

async function runSeeds(
  { values: { seed: first, runs }, tell }: CrashBench,
  part: string,
  run: (random: Random) => Promise<readonly string[]>,
): Promise<void> {
  for (let seed = first; seed < first + runs; seed += 1) {
    const judge = createJudge(`crash -- ${part} --runs 1 --seed ${seed}`);
    for (const text of await run(createRandom(seed))) judge.say(text);
    tell(judge.faults());
  }
}

async function withHome<T>(act: (home: Home) => Promise<T>): Promise<T> {
  const home = createHome();
  try {
    return await act(home);
  } finally {
    home.remove();
  }
}

async function withServed({ program }: CrashBench, act: (url: string) => Promise<void>): Promise<void> {
  await withHome(async (home) => {
    const { url, stop } = await serve(program, home, ['--state', ':memory:']);
    await act(url);
    await stop();
  });
}
