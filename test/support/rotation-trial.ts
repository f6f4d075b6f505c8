import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import type { RotationState } from '../../src/tokens/rotation-state.ts';
import { COMPILED } from './compiled.ts';

/** Rotations that are killed at a point, with a service that misbehaves, and what has to hold whatever happens. */

type Points = { reach(folder: string, name: string): boolean; summarize(text: string): string };
const POINTS = fileURLToPath(new URL('rotation-points.cjs', import.meta.url));
const { reach, summarize }: Points = createRequire(import.meta.url)(POINTS);
const ORGCTL = fileURLToPath(new URL('../../bin/orgctl.cjs', import.meta.url));

const NAMES = {
  'audit-trail': 'audit-trail',
  organization: 'organization',
  team: 'team:platform',
  described: 'team:platform/deploy',
  self: 'team:owners/deploy',
};
export type Kind = keyof typeof NAMES;
export const KINDS = Object.keys(NAMES) as Kind[];
const OURS = /^deploy( \d{4}-\d\d-\d\d-[0-9a-f]{16})?$/;
const STRANGER = 'deploy 2026-01-15-kubernetesprod';

export interface Token {
  id: string;
  secret: string;
  description: string | null;
  maker: 'before' | 'run' | 'others';
  isAlive: boolean;
}

/**
 * What goes wrong with one request: it acts and the answer is lost, half or replaced; it doesn't act; it acts and answers
 * late or without an id; or somebody else replaces the token right after it.
 */
type Fault = 'lost' | 'torn' | '500' | 'dropped' | '403' | '404' | '429' | 'late' | 'no-id' | 'replaced';

export interface RunPlan {
  /** A point by its number or name. */
  killAt?: number | string;
  /** By method and number, such as `POST 1`; `*` for every number. */
  faults?: Record<string, Fault>;
  options?: string[];
}

export interface Ended {
  /** Null if it was killed. */
  code: number | null;
  stdout: string;
  stderr: string;
  points: string[];
  /** The tokens that its requests made, and how many POSTs were not answered with 429. */
  made: Token[];
  posts: number;
}

export interface TrialOptions {
  kind: Kind;
  /** `hidden`: the service shows no metadata. `document-only`: nor the audit trail. */
  service?: 'full' | 'hidden' | 'document-only';
  /** A command is the only place: nothing shows which token it has, so only the state makes a token due. */
  isExecAlone?: boolean;
  door?: string;
}

export type Trial = Awaited<ReturnType<typeof openTrial>>;

export async function openTrial({ kind, service = 'full', isExecAlone = false, door = ORGCTL }: TrialOptions) {
  const folder = fs.mkdtempSync(join(tmpdir(), 'orgctl-kill-'));
  const [places, state] = [join(folder, 'places'), join(folder, 'state')];
  for (const name of ['home', 'tmp', 'state', 'places']) fs.mkdirSync(join(folder, name));
  const sandbox = openSandbox({
    ...{ state: ':memory:', rateLimit: 0, now: Date.now, randomBytes },
    documentOnly: service === 'document-only',
  });
  const isBeside = kind === 'described' || kind === 'self';
  const tokens: Token[] = [];
  const violations: string[] = [];
  const say = (isWrong: boolean, text: string): void => void (isWrong && violations.push(text));
  /** Secrets that answered for themselves. */
  const proven = new Set<string>();
  let running: ChildProcess | undefined;
  let plan: RunPlan = {};
  let counts: Record<string, number> = {};
  let posts = 0;
  let isAnswered = false;
  const busy = new Set<Promise<unknown>>();

  const ask = async (method: string, path: string, body?: unknown): Promise<string> => {
    const headers = { authorization: 'Bearer sandbox.owner', 'content-type': JSON_API };
    const content = body === undefined ? null : JSON.stringify(body);
    const request = new Request(`http://127.0.0.1/api/v2${path}`, { method, headers, body: content });
    return await (await sandbox.handle(request)).text();
  };
  const [, team] = /^team:(\w+)/.exec(NAMES[kind]) ?? [];
  const found = team && JSON.parse(await ask('GET', `/organizations/acme/teams?filter%5Bnames%5D=${team}`)).data[0].id;
  const holder = team === undefined ? '/organizations/acme' : `/teams/${found}`;
  const address = `${holder}/authentication-token${isBeside ? 's' : kind === 'audit-trail' ? '?token=audit-trails' : ''}`;

  function note(body: string, maker: Token['maker']): Token {
    const { id, attributes } = JSON.parse(body).data;
    if (!isBeside) for (const other of tokens) other.isAlive = false;
    tokens.push({ id, secret: attributes.token, description: attributes.description, maker, isAlive: true });
    return tokens.at(-1) as Token;
  }
  async function create(maker: Token['maker'], description?: string): Promise<Token> {
    const type = isBeside ? 'authentication-tokens' : 'authentication-token';
    const expiry = new Date(Date.now() + 60 * 86_400_000).toISOString();
    const attributes = { 'expired-at': expiry, ...(isBeside && { description }) };
    return note(await ask('POST', address, { data: { type, attributes } }), maker);
  }
  async function remove(token: Token): Promise<void> {
    await ask('DELETE', isBeside ? `/authentication-tokens/${token.id}` : address);
    token.isAlive = false;
  }

  const current = (): Token | undefined => tokens.find(({ isAlive }) => isAlive);
  /** The described tokens that this rotation is about. */
  const ours = (): Token[] => tokens.filter(({ isAlive, description }) => isAlive && OURS.test(description ?? ''));
  const read = (name: string): string =>
    fs.existsSync(join(places, name)) ? fs.readFileSync(join(places, name), 'utf8') : '';
  const holders = ({ secret }: Token): string[] => [
    ...(!isExecAlone && read('token') === secret ? ['file'] : []),
    ...(!isExecAlone && read('env') === `OTHER=1\nDEPLOY_TOKEN=${secret}\n` ? ['env-file'] : []),
    ...(read('stored') === secret ? ['exec'] : []),
  ];
  const isDelivered = (token: Token): boolean => holders(token).length === (isExecAlone ? 1 : 3);

  const findStateFile = () => listFiles(state).find((path) => basename(path) === 'rotation.json');
  function readState(): RotationState {
    const path = findStateFile();
    return path === undefined ? { version: 1 } : JSON.parse(fs.readFileSync(path, 'utf8'));
  }

  function judgeDeletion(token: Token): void {
    const { pending, retiring = [] } = readState();
    const next = ours().find((each) => each !== token && isDelivered(each) && proven.has(each.secret));
    say(token.description === STRANGER, 'it deleted the token of somebody else');
    say(!retiring.some(({ id }) => id === token.id), `it deleted ${token.id}, which the state file does not name`);
    say(next === undefined, `it deleted ${token.id} before the new one was delivered and had answered`);
    say(pending !== undefined, `it deleted ${token.id} while one is pending`);
  }

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = incoming;
    const body = await text(incoming);
    const about = /team-tokens|token|account|audit-trail/.exec(url)?.[0] ?? 'other';
    const name = `${method} ${about}`;
    counts[method] = (counts[method] ?? 0) + 1;
    const fault = plan.faults?.[`${method} ${counts[method]}`] ?? plan.faults?.[`${method} *`] ?? plan.faults?.[name];
    if (reach(folder, `before ${name}`)) return void running?.kill('SIGKILL');
    if (method === 'POST' && fault !== '429') posts += 1;
    say(method === 'POST' && isAnswered, 'a second POST after a clear answer');
    if (fault === 'dropped') return void outgoing.socket?.destroy();
    if (fault === '403' || fault === '404' || fault === '429') return void outgoing.writeHead(Number(fault)).end('{}');
    const isHidden = service === 'hidden' && method === 'GET' && /authentication-token|team-tokens/.test(url);
    if (isHidden) return void outgoing.writeHead(404, { 'content-type': JSON_API }).end('{"errors":[]}');
    const deleted = tokens.find(({ id }) => method === 'DELETE' && url.endsWith(`/${id}`));
    if (deleted?.isAlive) judgeDeletion(deleted);
    const sent = { authorization: `${headers.authorization}`, 'content-type': JSON_API };
    const request = new Request(`http://${headers.host}${url}`, { method, headers: sent, body: body || null });
    const answer = await sandbox.handle(request);
    let content = await answer.text();
    if (method === 'POST' && answer.status === 201) note(content, 'run');
    if (deleted !== undefined && answer.ok) deleted.isAlive = false;
    if (method !== 'GET' && reach(folder, `after ${name}`)) return void running?.kill('SIGKILL');
    if (fault === 'replaced') await create('others', 'laptop');
    if (fault === 'late') await new Promise((resolve) => void setTimeout(resolve, 100));
    if (fault === '500') return void outgoing.writeHead(500).end('{}');
    if (fault === 'no-id' && answer.status === 201) content = content.replace(/"id":"at-\w+",?/, '');
    if (service === 'hidden') answer.headers.delete('tfp-appname');
    if (answer.status !== 204) answer.headers.set('content-length', `${Buffer.byteLength(content)}`);
    if (fault === 'lost') return void outgoing.socket?.destroy();
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (fault === 'torn') return void outgoing.write(content.slice(0, content.length / 2), () => outgoing.destroy());
    outgoing.end(content);
    isAnswered ||= method === 'POST' && answer.ok;
    if (answer.ok && about === 'account') proven.add(String(headers.authorization).replace('Bearer ', ''));
  }

  const server = createServer((incoming, outgoing) => {
    const work = serve(incoming, outgoing).catch(() => outgoing.destroy());
    busy.add(work);
    void work.finally(() => busy.delete(work));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const old = await create('before', 'deploy');
  if (isBeside) await create('others', STRANGER);
  const place = ({ secret }: Token): void => {
    fs.writeFileSync(join(places, 'token'), secret, { mode: 0o600 });
    fs.writeFileSync(join(places, 'env'), `OTHER=1\nDEPLOY_TOKEN=${secret}\n`, { mode: 0o600 });
    fs.writeFileSync(join(places, 'stored'), secret);
  };
  place(old);

  /** Whoever asks with the token that is rotated takes the next one from where a run has put it. */
  const asker = (): string =>
    kind === 'self' ? (old.isAlive ? old.secret : read(isExecAlone ? 'stored' : 'token')) : 'sandbox.owner';

  async function run(next: RunPlan = {}): Promise<Ended> {
    plan = next;
    counts = {};
    posts = 0;
    isAnswered = false;
    const before = tokens.length;
    fs.writeFileSync(join(folder, 'points'), '');
    fs.writeFileSync(join(folder, 'kill-at'), String(plan.killAt ?? ''));
    const files = isExecAlone ? [] : [`file:${places}/token`, `env-file:${places}/env#DEPLOY_TOKEN`];
    const to = [...files, `exec:${process.execPath} ${POINTS} ${folder}`];
    const argv = [
      ...['tokens', 'rotate', NAMES[kind], '--expires', '90d', '--yes', '-o', 'json'],
      ...to.flatMap((place) => ['--to', place]),
      ...(kind === 'self' ? ['--allow-self'] : []),
      ...(plan.options ?? []),
    ];
    const child = spawn(process.execPath, ['--require', POINTS, door, ...argv], {
      cwd: folder,
      env: {
        ...{ PATH: process.env['PATH'], HOME: join(folder, 'home'), TMPDIR: join(folder, 'tmp'), TZ: 'UTC' },
        ...{ ORGCTL_STATE_DIR: state, ORGCTL_BASE_URL: `http://127.0.0.1:${port}/api/v2`, ORGCTL_ORG: 'acme' },
        ...{ ORGCTL_TOKEN: asker(), ROTATION_TRIAL: folder, NODE_COMPILE_CACHE: COMPILED },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running = child;
    const patience = setTimeout(() => {
      violations.push('it never ended');
      child.kill('SIGKILL');
    }, 60_000);
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    clearTimeout(patience);
    await Promise.all(busy);
    const points = fs.readFileSync(join(folder, 'points'), 'utf8').trimEnd().split('\n');
    const made = tokens.slice(before).filter(({ maker }) => maker === 'run');
    const ended = { code, stdout, stderr, points, posts, made };
    judge(ended);
    return ended;
  }

  /** That a secret was lost before anybody had it: the next run makes another, due or not. */
  function saysLost({ sent, pending }: RotationState): boolean {
    if (sent === undefined) return false;
    if (isBeside) return pending === undefined;
    const id = current()?.id;
    return sent.before !== id && !(pending !== undefined && pending.id === id);
  }
  function judge(ended: Ended): void {
    let now: RotationState;
    try {
      now = readState();
    } catch {
      return void violations.push('the state file is damaged');
    }
    const isHeld = (token: Token): boolean =>
      token.maker === 'others' || token === old || isDelivered(token) || now.pending?.secret === token.secret;
    const summary = summarize(JSON.stringify(now));
    const works = isBeside ? ours() : tokens.filter(({ isAlive }) => isAlive);
    const isFine = works.length === 0 || works.some(isHeld) || (!isBeside && saysLost(now));
    say(!isFine, `LOST: ${works.map(({ id }) => id)} is nowhere, and the state is ${summary}`);
    const named = [...(now.retiring ?? []).map(({ id }) => id), now.delivered?.id, now.pending?.id];
    for (const { id, description } of isBeside ? works.filter((token) => !isHeld(token)) : []) {
      const isNamed = named.includes(id) || (now.sent?.description === description && now.pending === undefined);
      say(!isNamed, `nobody has the secret of ${id}, and the state file does not name it`);
    }
    const isFull = fs.existsSync(join(folder, 'failing-state'));
    const { code, posts: sent, stderr } = ended;
    say(code !== null && !CODES.includes(code) && !isFull, `exit ${code}: ${stderr}`);
    say(sent > 2, `${sent} POSTs`);
    if (code === 0 && !(service === 'document-only' && current()?.maker === 'others')) {
      say(works.length !== 1, `exit 0, and ${works.length} tokens are there`);
      say(
        !works.every(isDelivered),
        `exit 0, and the token is only in ${works.flatMap(holders).join(', ') || 'no place'}`,
      );
      say(now.pending !== undefined, 'exit 0, and a token is pending');
    }
    for (const token of ended.made.filter((each) => holders(each).length > 0 && each.secret !== now.pending?.secret)) {
      const isSaved = now.delivered !== undefined && [token.id, undefined].includes(now.delivered.id);
      say(!isSaved && !isFull, `${holders(token).join(', ')} had ${token.id} before it was saved`);
    }
    lookForLeaks(ended);
  }

  function lookForLeaks({ code, stdout, stderr }: Ended): void {
    const allowed = ['token', 'env', 'stored'].map((name) => join(places, name));
    const texts = Object.entries({ stdout, stderr });
    for (const path of listFiles(folder)) {
      const isTemporary = /^\..*\.orgctl$/.test(basename(path));
      say(isTemporary && code === 0 && stdout.includes('"changed": true'), `${path} is left`);
      const mayHold = isTemporary || (path.startsWith(state) && basename(path) === 'rotation.json');
      say(mayHold && (fs.statSync(path).mode & 0o077) !== 0, `others can read ${path}`);
      if (!mayHold && !allowed.includes(path)) texts.push([path, fs.readFileSync(path, 'latin1')]);
    }
    // What a write left half counts too.
    const secrets = tokens.filter(({ maker }) => maker === 'run').map(({ secret }) => secret.slice(0, 16));
    for (const [where, content] of texts)
      say(
        secrets.some((one) => content.includes(one)),
        `a secret is in ${where}`,
      );
  }

  /** Somebody else replaces the token, or deletes the new one. */
  async function disturb(): Promise<void> {
    if (!isBeside) return void (await create('others'));
    const { pending } = readState();
    const found = old.isAlive ? ours().find(({ secret }) => secret === pending?.secret) : undefined;
    if (found !== undefined) await remove(found);
  }

  /** The same command until it ends well. */
  async function finish(): Promise<Ended[]> {
    const runs: Ended[] = [];
    const now = readState();
    const kept = tokens.find(({ isAlive, secret }) => isAlive && secret === now.pending?.secret);
    const isLost = kept === undefined && saysLost(now) && current()?.maker !== 'others';
    const first = await run(kept !== undefined || isLost ? { options: ['--if-expires-within', '1d'] } : {});
    runs.push(first);
    while (runs.length < 3 && runs.at(-1)?.code !== 0) runs.push(await run());
    const last = runs.at(-1);
    say(last?.code !== 0, `it never ends well: exit ${last?.code}: ${last?.stderr}`);
    say(isLost && first.made.length !== 1, `a token was lost, and the next run makes ${first.made.length}`);
    const isCertain = kept !== undefined && (service === 'full' || now.sent === undefined);
    say(isCertain && first.made.length > 0, 'it makes another, and could deliver the kept one');
    const stranger = tokens.find(({ description }) => description === STRANGER);
    say(stranger?.isAlive === false, 'the token of somebody else is gone');
    return runs;
  }

  return {
    ...{ kind, folder, tokens, violations, old, create, place, remove, disturb, run, finish, readState },
    /** As an earlier run would have left it. */
    writeState(next: RotationState): void {
      const path = findStateFile() ?? join(state, `127.0.0.1_${port}`, 'acme', kind, 'rotation.json');
      fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      fs.writeFileSync(path, JSON.stringify(next), { mode: 0o600 });
    },
    /** From now on writing a state with these words fails, or the command does. */
    failState: (words: string) => fs.writeFileSync(join(folder, 'failing-state'), words),
    failExec: () => fs.writeFileSync(join(folder, 'failing-exec'), ''),
    close(): void {
      server.close().closeAllConnections();
      sandbox.close();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

const JSON_API = 'application/vnd.api+json';
const CODES = [0, 6, 8, 9, 11, 12, 13];

function listFiles(path: string): string[] {
  return fs
    .readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
