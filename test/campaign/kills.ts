import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { run as runHere } from '../support/run.ts';
import { COMPILED } from '../support/shipped.ts';

const POINTS = fileURLToPath(new URL('points.cjs', import.meta.url));
const ORGCTL = fileURLToPath(new URL('../../bin/orgctl.cjs', import.meta.url));
const { reach }: { reach(folder: string, name: string): boolean } = createRequire(import.meta.url)(POINTS);

/**
 * What goes wrong with a request: it acts and the answer is lost, half or 500; it doesn't act; it acts and answers late; it
 * acts for half of the people, and answers 400; or what else `answer` makes of it.
 */
export type Fault =
  | 'lost'
  | 'torn'
  | '500'
  | 'dropped'
  | '403'
  | '404'
  | '429'
  | 'late'
  | 'no-id'
  | 'replaced'
  | 'part';

export interface Plan {
  /** A point by its number, from 1, or how it begins. Without it orgctl runs in this process; with 0 it is not killed. */
  killAt?: number | string;
  /** By method and number, such as `POST 1`; `*` for every number. */
  faults?: Record<string, Fault>;
  /** A file that stdout is appended to. */
  stdout?: string;
}

/** A request that arrived. */
export interface Sent {
  method: string;
  path: string;
  body: string;
  token: string;
  fault: Fault | undefined;
  /** The service did as it was asked. */
  isDone: boolean;
  /** And orgctl has its answer. */
  isAnswered: boolean;
}

export interface Ended {
  /** Null if it was killed. */
  code: number | null;
  stdout: string;
  stderr: string;
  points: string[];
  sent: Sent[];
}

/** The first half of the people of a request, which may be nobody. */
function takeHalf(body: string): string {
  const { data } = JSON.parse(body) as { data: unknown[] };
  return JSON.stringify({ data: data.slice(0, data.length / 2) });
}

/** A service whose requests are points, and runs of orgctl in a folder of their own, that are killed at one of them. */
export async function openKills(answer: (request: Request, sent: Sent) => Promise<Response>) {
  const folder = mkdtempSync(join(tmpdir(), 'orgctl-kill-'));
  const sent: Sent[] = [];
  const busy = new Set<Promise<unknown>>();
  let running: ChildProcess | undefined;
  let faults: Record<string, Fault> = {};
  let counts: Record<string, number> = {};

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = incoming;
    const body = await text(incoming);
    counts[method] = (counts[method] ?? 0) + 1;
    const fault = faults[`${method} ${counts[method]}`] ?? faults[`${method} *`];
    const token = `${headers.authorization}`.replace('Bearer ', '');
    const one: Sent = { method, path: url, body, token, fault, isDone: false, isAnswered: false };
    sent.push(one);
    const [name] = url.split('?');
    if (reach(folder, `before ${method} ${name}`)) return void running?.kill('SIGKILL');
    if (fault === 'dropped') return void outgoing.socket?.destroy();
    const refuse = (status: string): void => {
      const refusal = JSON.stringify({ errors: [{ status, title: 'refused' }] });
      outgoing.writeHead(Number(status), { 'content-type': 'application/vnd.api+json' }).end(refusal);
    };
    if (fault === '403' || fault === '404' || fault === '429') return refuse(fault);
    const isPart = fault === 'part';
    if (isPart && !url.includes('/relationships/')) return refuse('400');
    const asked = { authorization: `Bearer ${token}`, 'content-type': 'application/vnd.api+json' };
    const init = { method, headers: asked, body: (isPart ? takeHalf(body) : body) || null };
    const response = await answer(new Request(`http://${headers.host}${url}`, init), one);
    one.isDone = response.ok && !isPart;
    const content = await response.text();
    if (method !== 'GET' && reach(folder, `after ${method} ${name}`)) return void running?.kill('SIGKILL');
    if (fault === 'late') await new Promise((resolve) => void setTimeout(resolve, 100));
    if (isPart) return refuse('400');
    if (fault === '500') return void outgoing.writeHead(500).end('{}');
    if (fault === 'lost') return void outgoing.socket?.destroy();
    if (response.status !== 204) response.headers.set('content-length', `${Buffer.byteLength(content)}`);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (fault === 'torn') return void outgoing.write(content.slice(0, content.length / 2), () => outgoing.destroy());
    outgoing.end(content);
    one.isAnswered = response.ok;
  }

  const server = createServer((incoming, outgoing) => {
    const work = serve(incoming, outgoing).catch(() => outgoing.destroy());
    busy.add(work);
    void work.finally(() => busy.delete(work));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;

  async function run(argv: string[], { killAt, ...plan }: Plan, env: Record<string, string> = {}): Promise<Ended> {
    faults = plan.faults ?? {};
    counts = {};
    const first = sent.length;
    writeFileSync(join(folder, 'points'), '');
    writeFileSync(join(folder, 'kill-at'), `${killAt ?? 0}`);
    const all = {
      ...{ PATH: process.env.PATH, HOME: folder, TMPDIR: folder, TZ: 'UTC' },
      ...{ ORGCTL_CONFIG_DIR: join(folder, 'config'), ORGCTL_STATE_DIR: join(folder, 'state') },
      ...{ ORGCTL_BASE_URL: `http://127.0.0.1:${port}/api/v2`, ORGCTL_ORG: 'acme', ORGCTL_TOKEN: 'sandbox.owner' },
      ...env,
    };
    const ended =
      killAt === undefined
        ? await runHere(argv, { home: folder, env: all, host: { now: Date.now, randomBytes } })
        : await runKilled(argv, all, plan.stdout);
    await Promise.all(busy);
    const points = readFileSync(join(folder, 'points'), 'utf8').trimEnd().split('\n');
    if (ended.code === null && points.length < Number(killAt)) throw new Error(`it never ended: ${argv.join(' ')}`);
    return { ...ended, points, sent: sent.slice(first) };
  }

  async function runKilled(argv: string[], env: Record<string, string | undefined>, archive?: string) {
    const file = archive === undefined ? 'pipe' : openSync(archive, 'a');
    const child = spawn(process.execPath, ['--require', POINTS, ORGCTL, ...argv], {
      ...{ cwd: folder, env: { ...env, KILL_POINTS: folder, NODE_COMPILE_CACHE: COMPILED } },
      ...{ stdio: ['ignore', file, 'pipe'], timeout: 60_000, killSignal: 'SIGKILL' },
    });
    running = child;
    if (file !== 'pipe') closeSync(file);
    const texts = [child.stdout, child.stderr].map(async (stream) => (stream === null ? '' : await text(stream)));
    const [code] = (await once(child, 'close')) as [number | null];
    const [stdout = '', stderr = ''] = await Promise.all(texts);
    return { code, stdout, stderr };
  }

  function close(): void {
    server.close().closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  }

  return { folder, sent, run, close };
}
