import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Random } from '../../campaign/random.ts';
import type { Commit, ExchangeKill, Moment, PostFault, ReadFault, ServicePlan } from './plan.ts';
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
  /** Called at every moment, before the service goes on. */
  onMoment(moment: Moment): void;
  /** Ends the run's process at once. */
  end(): void;
}

export type ModelService = Awaited<ReturnType<typeof startModel>>;

export const OWNER_TOKEN = 'the-owner-who-asks';
const OWNER = 'user-owner';
const OTHER = 'user-other';
const SECRET_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_.%';
const DAY = 86_400_000;
/** Milliseconds. */
const STALL = 40;
const DEAF = 60;

interface Guest extends Visit {
  requests: number;
  postCount: number;
  readCount: number;
  readsSincePost: number;
  hasMinted: boolean;
  /** The token in its last 201, until it looks which one is current. */
  unseen: Token | undefined;
  isWarned: boolean;
}

/** The service with one audit trail token: true to itself, whatever happens to its answers. */
export async function startModel(plan: ServicePlan, before: 'none' | 'near' | 'far' | 'never', random: Random) {
  const tokens: Token[] = [];
  const posts: SeenPost[] = [];
  const strays: string[] = [];
  const guests = new Map<string, Guest>();
  const sockets = new Set<Socket>();
  let current: Token | undefined;
  let pending: { readonly run: string; readonly commit: Commit; readonly expiredAt: string | null } | undefined;
  let port = 0;
  let deaf: NodeJS.Timeout | undefined;

  const headers = {
    'content-type': 'application/vnd.api+json',
    ...(plan.identified ? { 'tfp-api-version': '2.6', 'tfp-appname': 'HCP Terraform' } : {}),
  };
  const json = (status: number, body: unknown, framing: ServicePlan['framing'] = 'length'): Buffer =>
    toBytes(status, headers, JSON.stringify(body), framing);
  const missing = (): Buffer => json(404, { errors: [{ status: '404', title: 'not found' }] });

  function make(maker: string, createdBy: string, expiredAt: string | null): Token {
    const token: Token = {
      id: `at-${random.hex(12)}`,
      secret: `${random.hex(14)}.atlasv1.${toLetters(random)}`,
      createdAt: new Date().toISOString(),
      expiredAt,
      createdBy,
      maker,
    };
    tokens.push(token);
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
        description: null,
        token: withSecret ? token.secret : null,
        'expired-at': token.expiredAt,
      },
      relationships: { 'created-by': { data: { id: token.createdBy, type: 'users' } } },
    },
  });

  /** What was sent long ago takes effect now. */
  function settle(run: string, ...commits: readonly Commit[]): void {
    if (pending === undefined) return;
    const isDue = pending.run === run ? commits.includes(pending.commit) : true;
    if (!isDue) return;
    const { run: maker, expiredAt } = pending;
    pending = undefined;
    make(maker, OWNER, expiredAt);
  }
  function act(commit: Commit, run: string, expiredAt: string | null): Token | undefined {
    if (commit === 'at-once') return make(run, OWNER, expiredAt);
    if (commit !== 'never') pending = { run, commit, expiredAt };
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
    switch (route) {
      case 'GET /organization/audit-trail':
        return void socket.write(toTrail(bearer));
      case 'GET /ping':
        return void socket.write(bearer === OWNER_TOKEN ? toBytes(plan.account ? 204 : 404, headers, '') : missing());
      case 'GET /account/details':
        settle(run, 'account');
        return void socket.write(plan.account ? json(200, { data: { id: OWNER, type: 'users' } }) : missing());
      case 'GET /organization-memberships':
      case 'GET /organizations/acme/token-ttl-policies':
        return void socket.write(missing());
      case 'GET /organizations/acme/authentication-token':
        socket.write(toMetadata(guest, run));
        if (guest.readCount === 2 && guest.posts[0]?.kind === 'unreachable') goDeaf();
        return;
      case 'POST /organizations/acme/authentication-token':
        return void post(socket, request, guest, run);
      default:
        strays.push(route);
        socket.write(missing());
    }
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
    const expiredAt = toExpiry(request);
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
      done(act(commit, run, expiredAt));
    };
    guest.unseen = undefined;
    const whole = (token: Token): Buffer => json(201, toDocument(token, true), plan.framing);

    if (kill?.at === 'post' && kill.post === number) {
      note('unclear');
      if (kill.commit === 'at-once') done(make(run, OWNER, expiredAt));
      guest.end();
      if (kill.commit !== 'at-once') act(kill.commit, run, expiredAt);
      socket.destroy();
      return;
    }
    switch (fault.kind) {
      case 'breaks-http': {
        note('broken');
        const token = done(act(fault.commit, run, expiredAt));
        socket.write(fault.before);
        socket.write(token === undefined ? missing() : whole(token));
        return;
      }
      case 'informed':
      case 'unreachable':
      case 'none': {
        const token = make(run, OWNER, expiredAt);
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
        const token = make(run, OWNER, expiredAt);
        done(token);
        const bytes = whole(token);
        breakOff(socket, bytes.subarray(0, Math.floor((bytes.length * fault.at) / 1_000)), fault.reset);
        return;
      }
      case 'no-token': {
        note('unclear');
        const { id } = done(act(fault.commit, run, expiredAt)) ?? { id: 'at-none' };
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
    make('before', OTHER, before === 'never' ? null : new Date(Date.now() + lifetime[before]).toISOString());
  }
  return {
    port,
    current: (): Token | undefined => current,
    /** Every token there ever was, in order. */
    tokens: tokens as readonly Token[],
    posts: posts as readonly SeenPost[],
    /** Requests for what no run should ask for. */
    strays: strays as readonly string[],
    /** From now on requests below `/<run>/api/v2` belong to this run. */
    admit(run: string, visit: Visit) {
      const counts = { requests: 0, postCount: 0, readCount: 0, readsSincePost: 0 };
      guests.set(run, { ...visit, ...counts, hasMinted: false, unseen: undefined, isWarned: false });
    },
    /** Whether this run, having its new token, was shown another one when it looked for the first time. */
    wasWarned: (run: string) => guests.get(run)?.isWarned === true,
    /** Somebody else rotates. */
    replace(createdBy: string) {
      make('others', createdBy, new Date(Date.now() + lifetime.far).toISOString());
    },
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

function toExpiry(request: WireRequest): string | null {
  return request.body.includes('"expired-at":null') ? null : (/"expired-at":"([^"]*)"/.exec(request.body)?.[1] ?? null);
}
