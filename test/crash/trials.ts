import { createRandom } from '../campaign/random.ts';
import { createHome, findOpenToOthers, type Home, type Program } from './machine.ts';
import { tryRequests } from './requests.ts';
import { findLost, killWhileInviting, type Served, serve } from './service.ts';
import { createWriters, killAt, record, storm } from './writers.ts';

export interface LongRun {
  readonly program: Program;
  /** Of storms, and of killed servers; and of so many requests each. */
  readonly runs: number;
  readonly firstSeed: number;
  /** Told of each part when it is over. */
  onPart(text: string): void;
  onFault(text: string): void;
}

const REQUESTS_A_RUN = 500;

/** Every point of every writer, then what seeds decide. Resolves with how many faults there were. */
export async function runAll({ program, runs, firstSeed, onPart, onFault }: LongRun): Promise<number> {
  const home = createHome();
  const served = await serve(program, home, ['--state', ':memory:']);
  let count = 0;
  const tell = (faults: readonly string[]): void => {
    count += faults.length;
    for (const fault of faults) onFault(fault);
  };
  try {
    await runPoints(program, served, tell, onPart);
    const port = Number(new URL(served.url).port);
    tell(await tryRequests(port, { runs: runs * REQUESTS_A_RUN, firstSeed }));
    onPart(`${runs * REQUESTS_A_RUN} requests that are nearly right`);
    await runStorms(program, { runs, firstSeed }, tell);
    onPart(`${runs} storms of 3 to 8 writers, one of them killed`);
    await runServers(program, { runs, firstSeed }, tell);
    onPart(`${runs} servers killed while 1 to 6 clients invite`);
  } finally {
    await served.stop();
    home.remove();
  }
  return count;
}

type Tell = (faults: readonly string[]) => void;
type Seeds = Pick<LongRun, 'runs' | 'firstSeed'>;

async function runPoints(program: Program, { url }: Served, tell: Tell, onPart: (text: string) => void): Promise<void> {
  for (const writer of createWriters(url)) {
    tell((await record(program, writer, '022')).faults);
    const { points, faults } = await record(program, writer, '000');
    tell(faults);
    for (let at = 1; at <= points; at += 1) tell(await killAt(program, writer, at));
    onPart(`${writer.name}: killed at each of ${points} points, and made under umask 000 and 022`);
  }
}

async function runStorms(program: Program, { runs, firstSeed }: Seeds, tell: Tell): Promise<void> {
  for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
    const { int: random } = createRandom(seed);
    const writers = 3 + random(6);
    const faults = await storm(program, { writers, victim: random(writers), at: 1 + random(30) });
    tell(faults.map((fault) => `seed ${seed}: ${fault}`));
  }
}

async function runServers(program: Program, { runs, firstSeed }: Seeds, tell: Tell): Promise<void> {
  for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
    const { int: random } = createRandom(seed);
    const home: Home = createHome();
    try {
      const plan = { acknowledged: 1 + random(60), clients: 1 + random(6) };
      const told = await killWhileInviting(program, home, plan);
      const open = findOpenToOthers(home.path).map((text) => `others may see ${text}`);
      const lost = await findLost(program, home, told);
      tell([...open, ...lost].map((fault) => `seed ${seed}: ${fault}`));
    } finally {
      home.remove();
    }
  }
}
