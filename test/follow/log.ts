import { existsSync, lstatSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '../campaign/random.ts';
import { type Program, startFollower } from './follower.ts';

/** Writes killed at random while ORGCTL_LOG_FILE is on, and what the file says of each that reached the service. */

interface LogReport {
  readonly runs: number;
  readonly killed: number;
  /** Writes that the service got. */
  readonly reached: number;
  readonly sent: number;
  readonly answered: number;
  /** Sent, and nobody knows how it ended. */
  readonly unknown: number;
  readonly torn: number;
  readonly faults: readonly string[];
}

interface Line {
  readonly id: string;
  readonly event: string;
}

export async function killWrites(
  program: Program,
  { seed, kills }: { readonly seed: number; readonly kills: number },
): Promise<LogReport> {
  const random = createRandom(seed);
  const folder = mkdtempSync(join(tmpdir(), 'orgctl-follow-'));
  const log = join(folder, 'log');
  const faults: string[] = [];
  /** The names of what was to be made, in the order in which the service got them. */
  const reached: string[] = [];
  let onWrite: () => void = () => undefined;
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (piece: Buffer) => pieces.push(piece));
    const answer = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/vnd.api+json' });
      response.end(JSON.stringify(body));
    };
    request.on('end', () => {
      if (request.method !== 'POST') return answer(404, { errors: [{ status: '404', title: 'not found' }] });
      const { data } = JSON.parse(Buffer.concat(pieces).toString('utf8')) as { data: { attributes: { name: string } } };
      reached.push(data.attributes.name);
      onWrite();
      return answer(201, { data: { ...data, id: `prov-${data.attributes.name}` } });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const env = {
    ORGCTL_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`,
    ...{ ORGCTL_ORG: 'acme', ORGCTL_TOKEN: 'owner', ORGCTL_LOG_FILE: log, ORGCTL_STATE_DIR: join(folder, 'state') },
  };
  let [runs, killed, points] = [0, 0, 40];
  try {
    while (killed < kills && runs < kills * 4) {
      runs += 1;
      const name = `p${seed}x${runs}`;
      const argv = ['providers', 'create', `hashicorp/${name}`, '-o', 'json'];
      const how = random.weigh([
        [50, { point: { at: 1 + random.int(points) } }],
        [15, { point: { write: 1 + random.int(4), percent: random.int(101) } }],
        [20, { onWrite: true }],
        [15, { killAfter: 50 + random.int(500) }],
      ] as const);
      const options = { ...('point' in how ? { point: how.point } : {}), ...('killAfter' in how ? how : {}) };
      const running = startFollower(program, argv, { home: folder, env, stdout: join(folder, 'stdout'), ...options });
      onWrite = 'onWrite' in how ? () => running.kill() : () => undefined;
      const ended = await running.ended;
      if (ended.code === null) killed += 1;
      else if (ended.code !== 0) faults.push(`run ${runs}: exit ${ended.code}: ${ended.stderr}`);
      else points = Math.max(10, ended.points);
    }
    return { runs, killed, reached: reached.length, ...judge() };
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }

  function judge() {
    const text = existsSync(log) ? readFileSync(log, 'utf8') : '';
    if (text !== '' && (lstatSync(log).mode & 0o777) !== 0o600) faults.push('others may read the file');
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
      const of = sent.filter(({ line }) => line.includes(`${name}"`) || line.includes(`${name} `));
      if (of.length === 0) faults.push(`${name} reached the service, and nothing says that it was sent`);
    }
    for (const { id, line } of answered) if (!ids.has(id)) faults.push(`answered, and never sent: ${line}`);
    if (torn > killed) faults.push(`${torn} lines are torn by ${killed} kills`);
    const known = new Set(answered.map(({ id }) => id));
    const unknown = [...ids].filter((id) => !known.has(id)).length;
    return { sent: sent.length, answered: answered.length, unknown, torn, faults };
  }
}
