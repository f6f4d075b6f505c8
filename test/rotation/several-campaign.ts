import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

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
  readonly node: string;
  readonly orgctl: string;
  /** Between 0 and 1. */
  random(): number;
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
  const [tokens, state] = [join(folder, 'tokens'), join(folder, 'state')];
  mkdirSync(tokens);
  /** By the id of a token whose secret was nowhere when a run had been killed: the organization. */
  const lost = new Map<string, string>();
  /** Milliseconds that a whole run took, as far as is known. */
  let whole = 250 * plan.organizations;
  try {
    for (;;) {
      const started = Date.now();
      const child = start(plan, service.url, tokens, state);
      const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
      const timer = new AbortController();
      const isKilled = report.kills < plan.kills;
      if (isKilled) {
        const pause = 150 + plan.random() * whole;
        void setTimeout(pause, undefined, { signal: timer.signal }).then(
          () => child.kill('SIGKILL'),
          () => undefined,
        );
      }
      const [code, signal] = await ended;
      timer.abort();
      report.runs += 1;
      if (signal === 'SIGKILL') {
        report.kills += 1;
        // What the service had begun takes effect all the same.
        await setTimeout(5 * LATENCY);
        for (const [id, name] of service.unknownTo(readAll(folder))) lost.set(id, name);
        continue;
      }
      whole = Math.max(1_000, Date.now() - started);
      if (code !== 0) report.violations.push(`exit ${code}: ${child.said()}`);
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

function start(plan: Plan, url: string, tokens: string, state: string): ChildProcess & { said(): string } {
  const words = ['audit-token', 'rotate', '--all-orgs', '--expires', '90d', '--if-expires-within', '30d'];
  const child = spawn(
    plan.node,
    [plan.orgctl, ...words, '--settle', '1s', '--yes', '-q', '--to', `file:${join(tokens, '{org}')}`],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ORGCTL_BASE_URL: url, ORGCTL_TOKEN: OWNER, ORGCTL_STATE_DIR: state, HOME: tokens, PATH: '' },
    },
  );
  let said = '';
  child.stderr?.on('data', (text) => {
    said += text;
  });
  return Object.assign(child, { said: () => said });
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
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
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
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`,
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
