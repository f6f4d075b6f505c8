import { existsSync, lstatSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createJudge } from '../campaign/judge.ts';
import { countPoints, type FilePoint } from '../campaign/kill.ts';
import { type Program, startWatched } from '../campaign/process.ts';
import { createRandom } from '../campaign/random.ts';
import { refuse, startServer } from '../campaign/service.ts';

/** Writes killed at random while ORGCTL_LOG_FILE is on, and what the file says of each that reached the service. */

interface Line {
  readonly id: string;
  readonly event: string;
}

type Kill = { readonly point: FilePoint } | { readonly onWrite: true } | { readonly after: number };

/** Counts runs, writes that reached the service, and of lines in the log those that say so; `unknown`: nobody knows how it ended. */
export async function killWrites(program: Program, { seed, kills }: { readonly seed: number; readonly kills: number }) {
  const random = createRandom(seed);
  const judge = createJudge(`follow -- log --seed ${seed} --runs ${kills}`);
  const folder = mkdtempSync(join(tmpdir(), 'orgctl-follow-'));
  const log = join(folder, 'log');
  /** The names of what was to be made, in the order in which the service got them. */
  const reached: string[] = [];
  let onWrite: () => void = () => undefined;
  const server = await startServer(({ method, body }) => {
    if (method !== 'POST') return refuse(404);
    const { data } = JSON.parse(body) as { data: { attributes: { name: string } } };
    reached.push(data.attributes.name);
    onWrite();
    return { status: 201, body: { data: { ...data, id: `prov-${data.attributes.name}` } } };
  });
  const env = {
    ...{ ORGCTL_BASE_URL: server.url, ORGCTL_ORG: 'acme', ORGCTL_TOKEN: 'owner' },
    ...{ ORGCTL_LOG_FILE: log, ORGCTL_STATE_DIR: join(folder, 'state') },
  };
  let [runs, killed, points] = [0, 0, 40];
  try {
    while (killed < kills && runs < kills * 4) {
      runs += 1;
      const argv = ['providers', 'create', `hashicorp/p${seed}x${runs}`, '-o', 'json'];
      const how = random.weigh<Kill>([
        [50, { point: { at: 1 + random.int(points) } }],
        [15, { point: { write: 1 + random.int(4), percent: random.int(101) } }],
        [20, { onWrite: true }],
        [15, { after: 50 + random.int(500) }],
      ]);
      const point = 'point' in how ? how.point : undefined;
      const running = startWatched(program, argv, { home: folder, env, stdout: join(folder, 'stdout'), point });
      if ('after' in how) running.killAfter(how.after);
      onWrite = 'onWrite' in how ? () => running.kill() : () => undefined;
      const { code, stderr, operations } = await running.ended;
      if (code === null) killed += 1;
      else if (code !== 0) judge.say(`run ${runs}: exit ${code}: ${stderr}`);
      else points = Math.max(10, countPoints(operations));
    }
    return { runs, killed, reached: reached.length, ...judgeLog(), faults: judge.faults() };
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }

  function judgeLog() {
    const text = existsSync(log) ? readFileSync(log, 'utf8') : '';
    if (text !== '' && (lstatSync(log).mode & 0o777) !== 0o600) judge.say('others may read the file');
    let torn = 0;
    const lines = text.split('\n').flatMap((line) => {
      if (line === '') return [];
      try {
        return [{ ...(JSON.parse(line) as Line), line }];
      } catch {
        torn += 1;
        return [];
      }
    });
    const sent = lines.filter(({ event }) => event === 'sent');
    const answered = lines.filter(({ event }) => event === 'answered');
    const ids = new Set(sent.map(({ id }) => id));
    for (const name of reached) {
      const isSaid = sent.some(({ line }) => line.includes(`${name}"`) || line.includes(`${name} `));
      if (!isSaid) judge.say(`${name} reached the service, and nothing says that it was sent`);
    }
    for (const { id, line } of answered) if (!ids.has(id)) judge.say(`answered, and never sent: ${line}`);
    if (torn > killed) judge.say(`${torn} lines are torn by ${killed} kills`);
    const known = new Set(answered.map(({ id }) => id));
    const unknown = [...ids].filter((id) => !known.has(id)).length;
    return { sent: sent.length, answered: answered.length, unknown, torn };
  }
}
