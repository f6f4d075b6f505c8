import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { countPoints } from '../../campaign/kill.ts';
import { type Program, startWatched } from '../../campaign/process.ts';
import type { Random } from '../../campaign/random.ts';

/** Rotations of many organizations by one command, which is killed at random and run again until it is done. */

interface Token {
  readonly id: string;
  readonly secret: string;
  readonly createdAt: string;
  readonly expiredAt: string | null;
}

interface Plan {
  readonly organizations: number;
  /** Runs that are killed in all; trials go on until then. */
  readonly kills: number;
  readonly program: Program;
  readonly random: Random;
  onTrial?(report: Report): void;
}

export interface Report {
  trials: number;
  kills: number;
  runs: number;
  /** Tokens that orgctl created. */
  created: number;
  /** Of these, those that had to be created once more: the run was killed while the secret was on its way to the disk. */
  needed: number;
  /** What must not be, in words. */
  readonly violations: string[];
}

const DAY = 86_400_000;
const OWNER = 'the-owner-who-asks';
/** Milliseconds that an answer takes. */
const LATENCY = 5;

export async function runCampaign(plan: Plan): Promise<Report> {
  const report: Report = { trials: 0, kills: 0, runs: 0, created: 0, needed: 0, violations: [] };
  while (report.kills < plan.kills) {
    await runTrial(plan, report);
    report.trials += 1;
    plan.onTrial?.(report);
  }
  return report;
}

async function runTrial(plan: Plan, report: Report): Promise<void> {
  const names = Array.from({ length: plan.organizations }, (_, index) => `org-${String(index + 1).padStart(3, '0')}`);
  const service = await startService(names);
  const folder = mkdtempSync(join(tmpdir(), 'orgctl-several-'));
  const tokens = join(folder, 'tokens');
  for (const name of ['tokens', 'home']) mkdirSync(join(folder, name));
  /** By the id of a token whose secret was nowhere when a run had been killed: the organization. */
  const lost = new Map<string, string>();
  /** How many operations on files and requests a whole run has, about. */
  let whole = { points: 60 * plan.organizations, requests: 5 * plan.organizations };
  try {
    for (;;) {
      const { int, chance } = plan.random;
      const isKilled = report.kills < plan.kills;
      const isAtFile = isKilled && chance(50);
      const run = startRotation(plan, service.url, folder, isAtFile ? { at: 1 + int(whole.points) } : undefined);
      const before = service.requests();
      if (isKilled && !isAtFile) {
        const last = before + 1 + int(whole.requests);
        const wanted = chance(50) ? 'came' : 'answered';
        service.onRequest((count, when) => {
          if (count === last && when === wanted) run.kill();
        });
      }
      const { code, stderr, operations, hung } = await run.ended;
      service.onRequest(() => undefined);
      report.runs += 1;
      if (hung) report.violations.push('a run had to be ended');
      if (code === null) {
        report.kills += 1;
        // What the service had begun takes effect all the same.
        await service.settled();
        for (const [id, name] of service.unknownTo(readAll(folder))) lost.set(id, name);
        continue;
      }
      whole = {
        points: Math.max(whole.points, countPoints(operations)),
        requests: Math.max(whole.requests, service.requests() - before),
      };
      if (code !== 0) report.violations.push(`exit ${code}: ${stderr}`);
      break;
    }
    for (const name of names) {
      const { current, posts } = service.look(name);
      const path = join(tokens, name);
      const held = existsSync(path) ? readFileSync(path, 'utf8') : 'nothing';
      if (held !== current.secret) report.violations.push(`${name}: its file holds another token`);
      const allowed = [...lost.values()].filter((each) => each === name).length;
      if (posts !== 1 + allowed)
        report.violations.push(`${name}: ${posts} created, ${allowed} secrets were lost on the way`);
      report.created += posts;
      report.needed += allowed;
    }
  } finally {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function startRotation({ program }: Plan, url: string, folder: string, point: { readonly at: number } | undefined) {
  const words = ['audit-token', 'rotate', '--all-orgs', '--expires', '90d', '--if-expires-within', '30d'];
  const to = `file:${join(folder, 'tokens', '{org}')}`;
  return startWatched(program, [...words, '--settle', '1s', '--yes', '-q', '--to', to], {
    home: join(folder, 'home'),
    env: { ORGCTL_BASE_URL: url, ORGCTL_TOKEN: OWNER, ORGCTL_STATE_DIR: join(folder, 'state') },
    point,
  });
}

/** Every text on this disk in which a secret could be. */
function readAll(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n');
}

/** The service with a token for each organization, which soon expires. It answers every request truly, a little late. */
async function startService(names: readonly string[]) {
  const create = (expiredAt: string | null): Token => ({
    id: `at-${randomBytes(8).toString('hex')}`,
    secret: randomBytes(24).toString('hex'),
    createdAt: new Date().toISOString(),
    expiredAt,
  });
  const first = new Date(Date.now() + 10 * DAY).toISOString();
  const all = new Map(names.map((name) => [name, { current: create(first), posts: 0 }]));
  let requests = 0;
  let tell: (count: number, when: 'came' | 'answered') => void = () => undefined;
  const underway = new Set<Promise<void>>();
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = '';
    try {
      for await (const piece of request) body += piece;
    } catch {
      // It was cut off before it came whole.
      return;
    }
    await setTimeout(LATENCY);
    const answer = (status: number, value: unknown, type = 'application/vnd.api+json'): void => {
      response.writeHead(status, { 'content-type': type, 'tfp-appname': 'HCP Terraform', 'x-ratelimit-limit': '1000' });
      response.end(JSON.stringify(value));
    };
    const caller = request.headers.authorization?.replace('Bearer ', '');
    const path = request.url?.split('?')[0] ?? '';
    const [, name = ''] = /\/organizations\/([^/]+)\/authentication-token$/.exec(path) ?? [];
    const entry = all.get(name);
    if (path.endsWith('/organization/audit-trail')) {
      const isKnown = [...all.values()].some(({ current }) => current.secret === caller);
      return answer(isKnown ? 200 : 401, isKnown ? { data: [{ id: 'event' }] } : { errors: [] }, 'application/json');
    }
    if (caller !== OWNER) return answer(401, { errors: [{ status: '401', title: 'unauthorized' }] });
    if (path.endsWith('/organization-memberships')) return answer(200, { data: names.map(toMembership) });
    if (entry === undefined) return answer(404, { errors: [{ status: '404', title: 'not found' }] });
    if (request.method !== 'POST') return answer(200, { data: toResource(entry.current) });
    entry.posts += 1;
    entry.current = create((JSON.parse(body) as NewToken).data.attributes['expired-at']);
    return answer(201, { data: toResource(entry.current, entry.current.secret) });
  };
  const server = createServer((request, response) => {
    requests += 1;
    const count = requests;
    tell(count, 'came');
    const handled = handle(request, response).finally(() => {
      underway.delete(handled);
      tell(count, 'answered');
    });
    underway.add(handled);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`,
    requests: () => requests,
    onRequest(listen: typeof tell) {
      tell = listen;
    },
    async settled() {
      while (underway.size > 0) await Promise.all(underway);
    },
    look: (name: string) => all.get(name) ?? { current: create(null), posts: 0 },
    /** Ids of current tokens that a request created and that are not in this text, and their organizations. */
    unknownTo: (text: string) =>
      [...all].flatMap(([name, { current, posts }]) =>
        posts > 0 && !text.includes(current.secret) ? [[current.id, name] as const] : [],
      ),
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

interface NewToken {
  readonly data: { readonly attributes: { readonly 'expired-at': string | null } };
}

function toMembership(name: string) {
  return {
    id: `ou-${name}`,
    type: 'organization-memberships',
    attributes: { status: 'active' },
    relationships: { organization: { data: { id: name, type: 'organizations' } } },
  };
}

function toResource({ id, createdAt, expiredAt }: Token, token?: string) {
  const attributes = { 'created-at': createdAt, 'expired-at': expiredAt, ...(token === undefined ? {} : { token }) };
  return { id, type: 'authentication-tokens', attributes };
}
