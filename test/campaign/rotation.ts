import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import type { RotationState } from '../../src/tokens/rotation-state.ts';
import { type Ended, openKills, type Plan, type Sent } from './kills.ts';

/** Rotations that are killed, with a service that misbehaves, and what has to hold whatever happens. */

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
const CODES = [0, 6, 8, 9, 11, 12, 13];
const CODES_AFTER = [0, 13];

interface Token {
  id: string;
  secret: string;
  description: string | null;
  maker: 'before' | 'run' | 'others';
  isAlive: boolean;
}

export interface TrialOptions {
  kind: Kind;
  /** `hidden`: the service shows no metadata. `document-only`: nor the audit trail. */
  service?: 'full' | 'hidden' | 'document-only';
  /** A command is the only place: nothing shows which token it has, so only the state makes a token due. */
  isExecAlone?: boolean;
}

export async function openRotation({ kind, service = 'full', isExecAlone = false }: TrialOptions) {
  const isBeside = kind === 'described' || kind === 'self';
  const sandbox = openSandbox({
    ...{ state: ':memory:', rateLimit: 0, now: Date.now, randomBytes },
    documentOnly: service === 'document-only',
  });
  const kills = await openKills(answer);
  const { folder } = kills;
  const [places, state] = [join(folder, 'places'), join(folder, 'state')];
  for (const path of [places, state]) mkdirSync(path);
  const tokens: Token[] = [];
  const violations: string[] = [];
  const say = (isWrong: boolean, text: string): void => void (isWrong && violations.push(text));

  async function ask(method: string, path: string, body?: unknown): Promise<string> {
    const headers = { authorization: 'Bearer sandbox.owner', 'content-type': 'application/vnd.api+json' };
    const content = body === undefined ? null : JSON.stringify(body);
    const request = new Request(`http://127.0.0.1/api/v2${path}`, { method, headers, body: content });
    return (await sandbox.handle(request)).text();
  }
  const [, team] = /^team:(\w+)/.exec(NAMES[kind]) ?? [];
  const found = team && JSON.parse(await ask('GET', `/organizations/acme/teams?filter%5Bnames%5D=${team}`)).data[0].id;
  const holder = team === undefined ? '/organizations/acme' : `/teams/${found}`;
  const address = `${holder}/authentication-token${isBeside ? 's' : kind === 'audit-trail' ? '?token=audit-trails' : ''}`;

  function note(body: string, maker: Token['maker']): Token {
    const { id, attributes } = JSON.parse(body).data;
    if (!isBeside) for (const other of tokens) other.isAlive = false;
    const token = { id, secret: attributes.token, description: attributes.description, maker, isAlive: true };
    tokens.push(token);
    return token;
  }
  async function create(maker: Token['maker'], description: string): Promise<Token> {
    const type = isBeside ? 'authentication-tokens' : 'authentication-token';
    const expiry = new Date(Date.now() + 60 * 86_400_000).toISOString();
    const attributes = { 'expired-at': expiry, ...(isBeside && { description }) };
    return note(await ask('POST', address, { data: { type, attributes } }), maker);
  }

  const current = (): Token | undefined => tokens.find(({ isAlive }) => isAlive);
  /** The described tokens that this rotation is about. */
  const ours = (): Token[] => tokens.filter(({ isAlive, description }) => isAlive && OURS.test(description ?? ''));
  const read = (name: string): string =>
    existsSync(join(places, name)) ? readFileSync(join(places, name), 'utf8') : '';
  const holders = ({ secret }: Token): string[] => [
    ...(!isExecAlone && read('token') === secret ? ['file'] : []),
    ...(!isExecAlone && read('env') === `OTHER=1\nDEPLOY_TOKEN=${secret}\n` ? ['env-file'] : []),
    ...(read('stored') === secret ? ['exec'] : []),
  ];
  const isDelivered = (token: Token): boolean => holders(token).length === (isExecAlone ? 1 : 3);

  function readState(): RotationState {
    const path = listFiles(state).find((name) => basename(name) === 'rotation.json');
    return path === undefined ? { version: 1 } : JSON.parse(readFileSync(path, 'utf8'));
  }

  /** Secrets that answered for themselves. */
  const isProven = ({ secret }: Token): boolean =>
    kills.sent.some((one) => one.token === secret && one.isAnswered && one.path.includes('account'));

  function judgeDeletion(token: Token): void {
    const { pending, retiring = [] } = readState();
    const next = ours().find((each) => each !== token && isDelivered(each) && isProven(each));
    say(token.description === STRANGER, 'it deleted the token of somebody else');
    const named = retiring.find(({ id }) => id === token.id);
    say(named === undefined, `it deleted ${token.id}, which the state file does not name`);
    if (named?.isRefused) return;
    say(next === undefined, `it deleted ${token.id} before the new one was delivered and had answered`);
    say(pending !== undefined, `it deleted ${token.id} while one is pending`);
  }

  async function answer(request: Request, { method, path, fault }: Sent): Promise<Response> {
    const isHidden =
      service === 'hidden' && method === 'GET' && /authentication-token|team-tokens|organizations\/acme$/.test(path);
    if (isHidden) return Response.json({ errors: [] }, { status: 404 });
    const deleted = tokens.find(({ id }) => method === 'DELETE' && path.endsWith(`/${id}`));
    if (deleted?.isAlive) judgeDeletion(deleted);
    const response = await sandbox.handle(request);
    if (service === 'hidden') response.headers.delete('tfp-appname');
    if (deleted !== undefined && response.ok) deleted.isAlive = false;
    if (method !== 'POST' || response.status !== 201) return response;
    const content = await response.text();
    note(content, 'run');
    if (fault === 'replaced') await create('others', 'laptop');
    const { status, headers } = response;
    return new Response(fault === 'no-id' ? content.replace(/"id":"at-\w+",?/, '') : content, { status, headers });
  }

  const old = await create('before', 'deploy');
  if (isBeside) await create('others', STRANGER);
  writeFileSync(join(places, 'token'), old.secret, { mode: 0o600 });
  writeFileSync(join(places, 'env'), `OTHER=1\nDEPLOY_TOKEN=${old.secret}\n`, { mode: 0o600 });
  writeFileSync(join(places, 'stored'), old.secret);

  /** Whoever asks with the token that is rotated takes the next one from where a run has put it. */
  const asker = (): string =>
    kind === 'self' ? (old.isAlive ? old.secret : read(isExecAlone ? 'stored' : 'token')) : 'sandbox.owner';

  async function run({ options = [], ...plan }: Plan & { options?: string[] } = {}): Promise<Ended> {
    const before = tokens.length;
    const { delivered } = readState();
    const files = isExecAlone ? [] : [`file:${places}/token`, `env-file:${places}/env#DEPLOY_TOKEN`];
    const argv = [
      ...['tokens', 'rotate', NAMES[kind], '--expires', '90d', '--yes', '-o', 'json'],
      ...[...files, `exec:tee ${places}/stored`].flatMap((place) => ['--to', place]),
      ...(kind === 'self' ? ['--allow-self'] : []),
      ...options,
    ];
    const ended = await kills.run(argv, plan, { ORGCTL_TOKEN: asker() });
    judge(ended, tokens.slice(before), delivered?.fingerprint);
    return ended;
  }

  /** That a secret was lost before anybody had it: the next run makes another, due or not. */
  function saysLost({ sent, pending }: RotationState): boolean {
    if (sent === undefined) return false;
    if (isBeside) return pending === undefined;
    const id = current()?.id;
    return sent.before !== id && !(pending !== undefined && pending.id === id);
  }

  function judge(ended: Ended, made: Token[], before: string | undefined): void {
    let now: RotationState;
    try {
      now = readState();
    } catch {
      return void violations.push('the state file is damaged');
    }
    const isHeld = (token: Token): boolean =>
      token.maker === 'others' || token === old || isDelivered(token) || now.pending?.secret === token.secret;
    const works = isBeside ? ours() : tokens.filter(({ isAlive }) => isAlive);
    const isFine = works.length === 0 || works.some(isHeld) || (!isBeside && saysLost(now));
    say(!isFine, `LOST: ${works.map(({ id }) => id)} is nowhere, and the state is ${JSON.stringify(now)}`);
    const states = [...(now.retiring ?? []), now.delivered, now.pending];
    const named = states.flatMap((each) => [each?.id, each?.description ?? undefined]);
    for (const { id, description } of isBeside ? works.filter((token) => !isHeld(token)) : []) {
      const isNamed =
        named.includes(id) ||
        named.includes(description ?? '') ||
        (now.sent?.description === description && now.pending === undefined);
      say(!isNamed, `nobody has the secret of ${id}, and the state file does not name it`);
    }
    const { code, sent, stderr } = ended;
    say(code !== null && !CODES.includes(code), `exit ${code}: ${stderr}`);
    const isNew = now.delivered?.fingerprint !== before && code !== null;
    const row = isNew ? JSON.parse(ended.stdout || '{}') : {};
    const isSaid =
      row.changed === true && ['rotated', 'delivered'].includes(row.result) && CODES_AFTER.includes(code ?? 1);
    say(isNew && !isSaid, `it was delivered, and the run says ${code}: ${ended.stdout}`);
    const posts = sent.filter(({ method, fault }) => method === 'POST' && fault !== '429');
    say(posts.length > 2, `${posts.length} POSTs`);
    say(!isBeside && posts.length === 2 && !posts[0]?.isDone, 'a second POST, and the first has created nothing');
    say(
      posts.slice(0, -1).some(({ isAnswered }) => isAnswered),
      'a second POST after a clear answer',
    );
    if (code === 0 && !(service === 'document-only' && current()?.maker === 'others')) {
      say(works.length !== 1, `exit 0, and ${works.length} tokens are there`);
      say(!works.every(isDelivered), `exit 0, and the token is only in ${works.flatMap(holders)}`);
      say(now.pending !== undefined, 'exit 0, and a token is pending');
    }
    for (const token of made.filter((each) => holders(each).length > 0 && each.secret !== now.pending?.secret)) {
      const isSaved = now.delivered !== undefined && [token.id, undefined].includes(now.delivered.id);
      say(!isSaved, `${holders(token).join(', ')} had ${token.id} before it was saved`);
    }
    lookForLeaks(ended);
  }

  function lookForLeaks({ code, stdout, stderr }: Ended): void {
    const texts = Object.entries({ stdout, stderr });
    for (const path of listFiles(folder)) {
      const isTemporary = /^\..*\.orgctl$/.test(basename(path));
      say(isTemporary && code === 0 && stdout.includes('"changed": true'), `${path} is left`);
      const mayHold = isTemporary || (path.startsWith(state) && basename(path) === 'rotation.json');
      say(mayHold && (statSync(path).mode & 0o077) !== 0, `others can read ${path}`);
      if (!mayHold && !path.startsWith(places)) texts.push([path, readFileSync(path, 'latin1')]);
    }
    // What a write left half counts too.
    const secrets = tokens.filter(({ maker }) => maker === 'run').map(({ secret }) => secret.slice(0, 16));
    for (const [where, content] of texts)
      for (const secret of secrets) say(content.includes(secret), `a secret is in ${where}`);
  }

  /** Somebody else replaces the token, or deletes the new one. */
  async function disturb(): Promise<void> {
    if (!isBeside) return void (await create('others', 'laptop'));
    const { pending } = readState();
    const next = old.isAlive ? ours().find(({ secret }) => secret === pending?.secret) : undefined;
    if (next === undefined) return;
    await ask('DELETE', `/authentication-tokens/${next.id}`);
    next.isAlive = false;
  }

  /** The same command until it ends well. */
  async function finish(): Promise<Ended[]> {
    const now = readState();
    const count = tokens.length;
    const kept = tokens.find(({ isAlive, secret }) => isAlive && secret === now.pending?.secret);
    const isLost = kept === undefined && saysLost(now) && current()?.maker !== 'others';
    const runs = [await run(kept !== undefined || isLost ? { options: ['--if-expires-within', '1d'] } : {})];
    const made = tokens.length - count;
    while (runs.length < 3 && runs.at(-1)?.code !== 0) runs.push(await run());
    const last = runs.at(-1);
    say(last?.code !== 0, `it never ends well: exit ${last?.code}: ${last?.stderr}`);
    say(isLost && made !== 1, `a token was lost, and the next run makes ${made}`);
    const isCertain = kept !== undefined && (service === 'full' || now.sent === undefined);
    say(isCertain && made > 0, 'it makes another, and could deliver the kept one');
    const stranger = tokens.find(({ description }) => description === STRANGER);
    say(stranger?.isAlive === false, 'the token of somebody else is gone');
    return runs;
  }

  function close(): void {
    kills.close();
    sandbox.close();
  }

  return { violations, run, disturb, finish, close };
}

function listFiles(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
