import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Random } from '../../campaign/random.ts';
import {
  type Commit,
  type DeleteFault,
  type ExchangeKill,
  type Moment,
  type PolicyEffect,
  type PostFault,
  type ReadFault,
  type ServicePlan,
  standsBeside,
} from './plan.ts';
import { takeRequest, toBytes, type WireRequest } from './wire.ts';

/** A token as the service knows it. */
export interface Token {
  readonly id: string;
  readonly secret: string;
  readonly createdAt: string;
  readonly expiredAt: string | null;
  readonly createdBy: string;
  /** The run whose POST made it, or who else did. */
  readonly maker: string;
  readonly description: string | null;
}

/** A token that a run deleted. */
export interface Deletion {
  readonly run: string;
  readonly token: Token;
  /** Secrets that had answered for themselves before it. */
  readonly proven: readonly string[];
}

export interface SeenPost {
  readonly run: string;
  readonly answer: 'clear' | 'limited' | 'unclear' | 'broken';
}

/** What a run meets. */
interface Visit {
  readonly posts: readonly PostFault[];
  readonly reads: ReadFault | undefined;
  readonly kill: ExchangeKill | undefined;
  readonly deletes?: readonly DeleteFault[] | undefined;
  /** Called at every moment, before the service goes on. */
  onMoment(moment: Moment): void;
  /** Ends the run's process at once. */
  end(): void;
}

export type ModelService = Awaited<ReturnType<typeof startModel>>;

export const OWNER_TOKEN = 'the-owner-who-asks';
const TEAM = 'team-1';
const OWNER = 'user-owner';
const OTHER = 'user-other';
const SECRET_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_.%';
const DAY = 86_400_000;
/** Milliseconds. */
const LIMIT = DAY;
const POLICIES = ['audit_trails', 'organization', 'team'].map((type) => ({
  id: `ttl-${type}`,
  type: 'token-ttl-policies',
  attributes: { 'token-type': type, 'max-ttl-ms': LIMIT },
}));
/** Milliseconds. */
const STALL = 40;
const DEAF = 60;

interface Guest extends Visit {
  requests: number;
  postCount: number;
  readCount: number;
  readsSincePost: number;
  deleteCount: number;
  hasMinted: boolean;
  /** The token in its last 201, until it looks which one is current. */
  unseen: Token | undefined;
  isWarned: boolean;
}

/** The service with the tokens of one kind: true to itself, whatever happens to its answers. */
export async function startModel(plan: ServicePlan, before: 'none' | 'near' | 'far' | 'never', random: Random) {
  const tokens: Token[] = [];
  const posts: SeenPost[] = [];
  const strays: string[] = [];
  const guests = new Map<string, Guest>();
  const sockets = new Set<Socket>();
  let current: Token | undefined;
  let pending: ({ readonly run: string; readonly commit: Commit } & Order) | undefined;
  const alive = new Set<Token>();
  const deletions: Deletion[] = [];
  const proven = new Set<string>();
  /** Those that a policy has ended: they are still shown. */
  const ended = new Set<Token>();
  let policy: PolicyEffect | undefined;
  const isBeside = standsBeside(plan.kind);
  let port = 0;
  let deaf: NodeJS.Timeout | undefined;

  const headers = {
    'content-type': 'application/vnd.api+json',
    ...(plan.identified ? { 'tfp-api-version': '2.6', 'tfp-appname': 'HCP Terraform' } : {}),
  };
  const json = (status: number, body: unknown, framing: ServicePlan['framing'] = 'length'): Buffer =>
    toBytes(status, headers, JSON.stringify(body), framing);
  const missing = (): Buffer => json(404, { errors: [{ status: '404', title: 'not found' }] });

  const isTaken = ({ description }: Order): boolean =>
    [...alive, ...ended].some((token) => token.description === description);

  function make(maker: string, createdBy: string, { expiredAt, description }: Order): Token {
    const token: Token = {
      id: `at-${random.hex(12)}`,
      secret: `${random.hex(14)}.atlasv1.${toLetters(random)}`,
      createdAt: new Date().toISOString(),
      expiredAt,
      createdBy,
      maker,
      description: isBeside ? description : null,
    };
    tokens.push(token);
    if (!isBeside) alive.clear();
    alive.add(token);
    current = token;
    return token;
  }
  const toDocument = (token: Token, withSecret: boolean): unknown => ({
    data: {
      id: token.id,
      type: 'authentication-tokens',
      attributes: {
        'created-at': token.createdAt,
        'last-used-at': null,
        description: token.description,
        token: withSecret ? token.secret : null,
        'expired-at': token.expiredAt,
      },
      relationships: {
        'created-by': { data: { id: token.createdBy, type: 'users' } },
        ...(isBeside ? { team: { data: { id: TEAM, type: 'teams' } } } : {}),
      },
    },
  });

  /** What was sent long ago takes effect now. */
  function settle(run: string, ...commits: readonly Commit[]): void {
    if (pending === undefined) return;
    const isDue = pending.run === run ? commits.includes(pending.commit) : true;
    if (!isDue) return;
    const { run: maker, ...order } = pending;
    pending = undefined;
    if (!isBeside || !isTaken(order)) make(maker, OWNER, order);
  }
  function act(commit: Commit, run: string, order: Order): Token | undefined {
    if (commit === 'at-once') return make(run, OWNER, order);
    if (commit !== 'never') pending = { run, commit, ...order };
    return undefined;
  }

  function serve(socket: Socket, request: WireRequest): void {
    const [, run = '', path = ''] = /^\/([^/]+)\/api\/v2(\/[^?]*)/.exec(request.target) ?? [];
    const guest = guests.get(run);
    if (['/.well-known/terraform.json', '/api/v2/ping', '/api/v2/organization-memberships'].includes(request.target)) {
      // Of the service as a whole, whatever the base URL.
      socket.write(missing());
      return;
    }
    if (guest === undefined) {
      strays.push(`${request.method} ${request.target}`);
      socket.end(missing());
      return;
    }
    guest.requests += 1;
    settle(run);
    guest.onMoment(`request:${guest.requests}`);
    if (guest.kill?.at === 'request' && guest.kill.request === guest.requests) guest.end();
    const bearer = request.headers.get('authorization')?.replace(/^Bearer /, '');
    const route = `${request.method} ${path}`;
    if (guest.hasMinted && request.method === 'GET') guest.onMoment('verify');
    if (bearer !== OWNER_TOKEN && ![...alive].some(({ secret }) => secret === bearer)) {
      socket.write(json(401, { errors: [{ status: '401', title: 'unauthorized' }] }));
      return;
    }
    switch (route) {
      case 'GET /organization/audit-trail':
        return void socket.write(toTrail(bearer));
      case 'GET /ping':
        return void socket.write(bearer === OWNER_TOKEN ? toBytes(plan.account ? 204 : 404, headers, '') : missing());
      case 'GET /account/details':
        settle(run, 'account');
        return void socket.write(toAccount(bearer));
      case `GET /organizations/acme/teams`:
        return void socket.write(json(200, toList([{ id: TEAM, type: 'teams', attributes: { name: 'platform' } }])));
      case 'GET /organizations/acme/team-tokens':
        return void socket.write(toMetadata(guest, run));
      case `GET /teams/${TEAM}`:
        return void socket.write(json(200, { data: { id: TEAM, type: 'teams', attributes: { name: 'platform' } } }));
      case 'GET /organizations/acme': {
        const document = { data: { id: 'acme', type: 'organizations', attributes: { 'max-ttl-enabled': true } } };
        return void socket.write(policy === undefined ? missing() : json(200, document));
      }
      case `GET /teams/${TEAM}/authentication-token`:
        socket.write(toMetadata(guest, run));
        if (guest.readCount === 2 && guest.posts[0]?.kind === 'unreachable') goDeaf();
        return;
      case `POST /teams/${TEAM}/authentication-token`:
      case `POST /teams/${TEAM}/authentication-tokens`:
        return void post(socket, request, guest, run);
      case 'GET /organization-memberships':
        return void socket.write(missing());
      case 'GET /organizations/acme/token-ttl-policies':
        return void socket.write(policy === undefined || !plan.metadata ? missing() : json(200, toList(POLICIES)));
      case 'GET /organizations/acme/authentication-token':
        // Without its parameter it is another token.
        if (plan.kind === 'audit-trail' && !request.target.includes('token=audit-trails')) {
          return void socket.write(missing());
        }
        socket.write(toMetadata(guest, run));
        if (guest.readCount === 2 && guest.posts[0]?.kind === 'unreachable') goDeaf();
        return;
      case 'POST /organizations/acme/authentication-token':
        return void post(socket, request, guest, run);
      default: {
        const [, method, id] = /^(GET|DELETE) \/authentication-tokens\/(at-\w+)$/.exec(route) ?? [];
        if (id !== undefined && isBeside) {
          const token = [...alive, ...ended].find((each) => each.id === id);
          if (method === 'DELETE') return void remove(socket, guest, run, token);
          return void socket.write(token === undefined ? missing() : json(200, toDocument(token, false)));
        }
        strays.push(route);
        socket.write(missing());
      }
    }
  }

  function remove(socket: Socket, guest: Guest, run: string, token: Token | undefined): void {
    guest.deleteCount += 1;
    const fault = guest.deletes?.[guest.deleteCount - 1];
    const isDone = fault === undefined || fault.done;
    if (isDone && token !== undefined) {
      alive.delete(token);
      ended.delete(token);
      deletions.push({ run, token, proven: [...proven] });
    }
    if (fault?.kind === 'kill') guest.end();
    if (fault?.kind === 'kill' || fault?.kind === 'reset') return void socket.resetAndDestroy();
    if (fault?.kind === 'status') {
      return void socket.write(json(fault.status, { errors: [{ status: String(fault.status), title: 'broken' }] }));
    }
    socket.write(token === undefined ? missing() : toBytes(204, headers, ''));
  }

  /** An account names the token that asks. */
  function toAccount(bearer: string | undefined): Buffer {
    if (!plan.account) return missing();
    const own = [...alive].find(({ secret }) => secret === bearer);
    if (own === undefined && bearer !== OWNER_TOKEN)
      return json(401, { errors: [{ status: '401', title: 'unauthorized' }] });
    if (own !== undefined) proven.add(own.secret);
    const links = own === undefined ? {} : { 'auth-token': `/api/v2/authentication-tokens/${own.id}` };
    const attributes = { username: 'olive', 'is-service-account': own !== undefined };
    return json(200, { data: { id: OWNER, type: 'users', attributes, links } });
  }

  function toList(data: readonly unknown[]) {
    const pagination = {
      'current-page': 1,
      'next-page': null,
      'prev-page': null,
      'total-pages': 1,
      'total-count': data.length,
    };
    return { data, meta: { pagination } };
  }

  function toTrail(bearer: string | undefined): Buffer {
    if (plan.trail === 'missing') return missing();
    if (bearer !== OWNER_TOKEN && bearer !== current?.secret) return json(401, { errors: ['unauthorized'] });
    const data = plan.trail === 'events' && bearer === current?.secret ? [{ id: 'event-1', type: 'Resource' }] : [];
    const pagination = { current_page: 1, prev_page: null, next_page: null, total_pages: 1, total_count: data.length };
    return toBytes(200, { ...headers, 'content-type': 'application/json' }, JSON.stringify({ data, pagination }));
  }

  function toMetadata(guest: Guest, run: string): Buffer {
    guest.readCount += 1;
    guest.readsSincePost += 1;
    if (guest.postCount === 1) settle(run, guest.readsSincePost === 1 ? 'look-1' : 'look-2');
    if (guest.postCount === 2) settle(run, 'verify');
    const { reads } = guest;
    if (reads !== undefined && guest.readCount >= reads.from && guest.readCount < reads.from + reads.count) {
      // A run that cannot read goes on without.
      guest.unseen = undefined;
      return toBytes(reads.status, { 'content-type': 'text/html' }, '<h1>Out of order</h1>');
    }
    if (isBeside) {
      return json(
        200,
        toList([...alive, ...ended].map((token) => (toDocument(token, false) as { readonly data: unknown }).data)),
      );
    }
    if (!plan.metadata || current === undefined) return missing();
    guest.isWarned ||= guest.unseen !== undefined && guest.unseen !== current;
    guest.unseen = undefined;
    return json(200, toDocument(current, false));
  }

  function post(socket: Socket, request: WireRequest, guest: Guest, run: string): void {
    guest.postCount += 1;
    guest.readsSincePost = 0;
    const number = guest.postCount;
    if (number === 2) settle(run, 'post-2');
    guest.onMoment(`post:${number}`);
    const asked = toOrder(request);
    const isLong = policy !== undefined && !(Date.parse(asked.expiredAt ?? '') <= Date.now() + LIMIT);
    if (isLong && policy !== 'shortens') {
      posts.push({ run, answer: 'clear' });
      const detail = 'Expired at exceeds the maximum';
      socket.write(json(422, { errors: [{ status: '422', title: 'invalid attribute', detail }] }));
      return;
    }
    const order = isLong ? { ...asked, expiredAt: new Date(Date.now() + LIMIT).toISOString() } : asked;
    const { kill } = guest;
    const faults = guest.posts.filter(({ kind }) => kind !== 'unreachable');
    const fault: PostFault = faults[number - 1] ?? { kind: 'none' };
    const done = (token: Token | undefined): Token | undefined => {
      if (number === 2) settle(run, 'post-2-done');
      if (token !== undefined) guest.onMoment(`done:${number}`);
      guest.hasMinted ||= token !== undefined;
      return token;
    };
    const note = (answer: SeenPost['answer']): void => void posts.push({ run, answer });
    const breakWith = (commit: Commit): void => {
      note('unclear');
      done(act(commit, run, order));
    };
    guest.unseen = undefined;
    const whole = (token: Token): Buffer => json(201, toDocument(token, true), plan.framing);

    if (kill?.at === 'post' && kill.post === number) {
      note('unclear');
      if (kill.commit === 'at-once') done(make(run, OWNER, order));
      guest.end();
      if (kill.commit !== 'at-once') act(kill.commit, run, order);
      socket.destroy();
      return;
    }
    if (fault.kind === 'taken' || (isBeside && isTaken(order))) {
      note('unclear');
      const detail = 'Validation failed: Description has already been taken';
      socket.write(json(422, { errors: [{ status: '422', title: 'invalid attributes', detail }] }));
      return;
    }
    switch (fault.kind) {
      case 'breaks-http': {
        note('broken');
        const token = done(act(fault.commit, run, order));
        socket.write(fault.before);
        socket.write(token === undefined ? missing() : whole(token));
        return;
      }
      case 'informed':
      case 'unreachable':
      case 'none': {
        const token = make(run, OWNER, order);
        done(token);
        const bytes = whole(token);
        if (kill?.at === 'answer' && kill.post === number) {
          note('unclear');
          socket.write(bytes.subarray(0, Math.floor((bytes.length * kill.thousandth) / 1_000)), () => {
            guest.end();
            socket.destroy();
          });
          return;
        }
        note('clear');
        guest.unseen = token;
        if (fault.kind === 'informed') socket.write('HTTP/1.1 103 Early Hints\r\nlink: </>\r\n\r\n');
        if (plan.framing === 'close') socket.end(bytes);
        else socket.write(bytes);
        return;
      }
      case 'refusal':
        note('clear');
        socket.write(json(fault.status, { errors: [{ status: String(fault.status), title: 'refused' }] }));
        return;
      case 'limited':
        note('limited');
        // This one is not counted: what it meets next is planned for the first.
        guest.postCount -= 1;
        (guest as { posts: readonly PostFault[] }).posts = guest.posts.filter((each) => each !== fault);
        socket.write(toBytes(429, { ...headers, 'retry-after': '0.02' }, '{"errors":["slow down"]}'));
        return;
      case 'cut': {
        note('unclear');
        const token = make(run, OWNER, order);
        done(token);
        const bytes = whole(token);
        breakOff(socket, bytes.subarray(0, Math.floor((bytes.length * fault.at) / 1_000)), fault.reset);
        return;
      }
      case 'no-token': {
        note('unclear');
        const { id } = done(act(fault.commit, run, order)) ?? { id: 'at-none' };
        socket.write(json(201, { data: { id, type: 'authentication-tokens', attributes: {} } }));
        return;
      }
      case 'reset':
        breakWith(fault.commit);
        socket.resetAndDestroy();
        return;
      case 'stall':
        breakWith(fault.commit);
        if (fault.resets) setTimeout(() => socket.resetAndDestroy(), STALL);
        return;
      case 'redirect':
        breakWith(fault.commit);
        socket.write(toBytes(307, { ...headers, location: `/${run}/api/v2/elsewhere` }, ''));
        return;
      case 'status': {
        breakWith(fault.commit);
        const text = fault.html ? '<html><body>Bad gateway</body></html>' : '{"errors":[{"title":"broken"}]}';
        socket.write(toBytes(fault.status, fault.html ? { 'content-type': 'text/html' } : headers, text));
        return;
      }
    }
  }

  const server: Server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    let received: Buffer = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      for (let taken = takeRequest(received); taken !== undefined; taken = takeRequest(received)) {
        received = taken.rest;
        serve(socket, taken.request);
      }
    });
  });

  /** Takes no new connection for a moment. Those that are open go on. */
  function goDeaf(): void {
    server.close();
    deaf = setTimeout(() => server.listen(port, '127.0.0.1'), DEAF);
  }

  await once(server.listen(0, '127.0.0.1'), 'listening');
  port = (server.address() as AddressInfo).port;
  const lifetime = { near: 10 * DAY, far: 80 * DAY };
  if (before !== 'none') {
    const expiredAt = before === 'never' ? null : new Date(Date.now() + lifetime[before]).toISOString();
    make('before', OTHER, { expiredAt, description: 'ci' });
    // What no rotation of the other one may touch.
    if (isBeside) for (const description of ['other', 'ci2']) make('others', OTHER, { expiredAt, description });
  }
  return {
    port,
    current: (): Token | undefined => current,
    /** Those that work, in order. */
    alive: (): readonly Token[] => [...alive],
    deletions: deletions as readonly Deletion[],
    /** Every token there ever was, in order. */
    tokens: tokens as readonly Token[],
    posts: posts as readonly SeenPost[],
    /** Requests for what no run should ask for. */
    strays: strays as readonly string[],
    /** From now on requests below `/<run>/api/v2` belong to this run. */
    admit(run: string, visit: Visit) {
      const counts = { requests: 0, postCount: 0, readCount: 0, readsSincePost: 0, deleteCount: 0 };
      guests.set(run, { ...visit, ...counts, hasMinted: false, unseen: undefined, isWarned: false });
    },
    /** Whether this run, having its new token, was shown another one when it looked for the first time. */
    wasWarned: (run: string) => guests.get(run)?.isWarned === true,
    /** Somebody else rotates. */
    replace(createdBy: string) {
      const expiredAt = new Date(Date.now() + lifetime.far).toISOString();
      make('others', createdBy, { expiredAt, description: `ci 2026-01-01-${random.hex(16)}` });
    },
    /** The organization limits tokens. What a run made before is then too long, and ends where the policy says so. */
    limit(how: PolicyEffect) {
      policy = how;
      for (const token of how === 'ends' ? [...alive].filter(({ maker }) => maker.startsWith('run-')) : []) {
        alive.delete(token);
        ended.add(token);
      }
    },
    isLimited: () => policy !== undefined,
    hasEnded: (token: Token) => ended.has(token),
    /** Whether a request of a broken exchange is still to take effect. */
    isPending: () => pending !== undefined,
    dropPending() {
      pending = undefined;
    },
    async close(): Promise<void> {
      clearTimeout(deaf);
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

export const CREATORS = { same: OWNER, other: OTHER };

function breakOff(socket: Socket, bytes: Buffer, reset: boolean): void {
  if (!reset) socket.end(bytes);
  else socket.write(bytes, () => socket.resetAndDestroy());
}

function toLetters(random: Random): string {
  return Array.from({ length: 60 }, () => SECRET_LETTERS[random.int(SECRET_LETTERS.length)]).join('');
}

/** What a POST asks for. */
interface Order {
  readonly expiredAt: string | null;
  readonly description: string | null;
}

function toOrder({ body }: WireRequest): Order {
  const expiredAt = /"expired-at":"([^"]*)"/.exec(body)?.[1] ?? null;
  return { expiredAt, description: /"description":"([^"]*)"/.exec(body)?.[1] ?? null };
}
