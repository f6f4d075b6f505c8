import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTrail, KEPT, type TrailPlan } from './trail.ts';

/** A service that plays an audit trail, and fails as it is told to. Anything but the trail and its token answers 404. */

export type Fault =
  /** An answer of this status, with headers. */
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** The connection breaks before the answer, or after so many percent of it. */
  | { readonly kind: 'cut'; readonly percent: number }
  /** Half of the answer, and then this is called before the rest. */
  | { readonly kind: 'pause'; readonly act: () => void };

export type TokenKind = 'audit' | 'user' | 'owner';

export interface Asked {
  /** Readings of the trail so far, this one included. */
  readonly count: number;
  readonly page: number;
}

export type Service = Awaited<ReturnType<typeof startService>>;

const TRAIL = '/api/v2/organization/audit-trail';
const TOKEN = '/api/v2/organizations/acme/authentication-token';
const ACCOUNT = '/api/v2/account/details';
const MOST = 1_000;

export interface ServiceOptions extends TrailPlan {
  /** Milliseconds that pass with each reading; undefined: as in the world. */
  readonly step: number | undefined;
  /** Answers are made once: for a log that does not grow. */
  readonly keepsAnswers?: boolean;
}

export async function startService(options: ServiceOptions) {
  const trail = createTrail(options);
  const tokens = new Map<string, TokenKind>([
    ['audit-0', 'audit'],
    ['owner', 'owner'],
    ['person', 'user'],
  ]);
  let [offset, skew, passed, count, made, kept] = [0, 0, 0, 0, 0, KEPT];
  let decide: (asked: Asked) => Fault | undefined = () => undefined;
  const now = (): number => (options.step === undefined ? Date.now() : options.start + passed) + offset;

  const server = createServer((request, response) => {
    response.setHeader('Date', new Date(now() + skew).toUTCString());
    response.setHeader('X-RateLimit-Limit', '100000');
    const url = new URL(request.url ?? '/', 'http://service');
    const kind = tokens.get(/^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1] ?? '');
    if (url.pathname === TOKEN && url.searchParams.get('token') === 'audit-trails')
      return answerToken(request, response, kind);
    if (url.pathname === ACCOUNT && kind === 'user') return send(response, 200, PERSON);
    if (url.pathname !== TRAIL) return send(response, 404, toProblem(404, 'not found'));
    count += 1;
    passed += options.step ?? 0;
    const number = Number(url.searchParams.get('page[number]') ?? 1);
    const fault = decide({ count, page: number });
    if (fault?.kind === 'status') {
      return send(response, fault.status, toProblem(fault.status, 'not now'), fault.headers);
    }
    if (kind === undefined) return send(response, 401, toProblem(401, 'unauthorized'));
    const size = Math.min(MOST, Number(url.searchParams.get('page[size]') ?? MOST));
    const text = url.searchParams.get('since');
    const since = text === null ? undefined : Date.parse(text);
    if (Number.isNaN(since)) return send(response, 400, toProblem(400, 'bad request'));
    const body = toBody(kind, { since, number, size });
    if (fault === undefined) return send(response, 200, body);
    const bytes = Buffer.from(body);
    const percent = fault.kind === 'cut' ? fault.percent : 50;
    if (percent === 0) return void response.destroy();
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length });
    const part = bytes.subarray(0, Math.floor((bytes.length * percent) / 100));
    response.write(part, () => {
      if (fault.kind === 'cut') return void response.destroy();
      fault.act();
      response.end(bytes.subarray(part.length));
    });
  });

  const answers = new Map<string, string>();

  function toBody(
    kind: TokenKind,
    { since, number, size }: { since: number | undefined; number: number; size: number },
  ) {
    const key = `${kind} ${since} ${number} ${size}`;
    const known = answers.get(key);
    if (known !== undefined) return known;
    // A token of another kind is answered as if nothing had ever happened.
    const isReader = kind === 'audit';
    const { numbers, total } = isReader ? trail.page(now(), { since, number, size, kept }) : { numbers: [], total: 0 };
    const pages = Math.ceil(total / size);
    const pagination = {
      current_page: number,
      page_size: size,
      prev_page: number > 1 ? number - 1 : null,
      next_page: number < pages ? number + 1 : null,
      total_pages: pages,
      total_count: total,
    };
    const body = `{"data":[${numbers.map(trail.toText).join(',')}],"pagination":${JSON.stringify(pagination)}}`;
    if (options.keepsAnswers === true) answers.set(key, body);
    return body;
  }

  function answerToken(request: IncomingMessage, response: ServerResponse, kind: TokenKind | undefined): void {
    if (kind !== 'owner') send(response, kind === undefined ? 401 : 404, toProblem(404, 'not found'));
    else if (request.method === 'GET') send(response, 200, toToken(made));
    else if (request.method !== 'POST') send(response, 404, toProblem(404, 'not found'));
    else {
      request.resume().once('end', () => {
        tokens.delete(`audit-${made}`);
        made += 1;
        tokens.set(`audit-${made}`, 'audit');
        send(response, 201, toToken(made, `audit-${made}`));
      });
    }
  }

  function toToken(id: number, secret?: string): string {
    const attributes = {
      'created-at': new Date(now()).toISOString(),
      'last-used-at': null,
      description: null,
      token: secret ?? null,
      'expired-at': new Date(now() + 90 * 86_400_000).toISOString(),
    };
    return JSON.stringify({ data: { id: `at-${id}`, type: 'authentication-tokens', attributes } });
  }

  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    trail,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`,
    now,
    /** Readings of the trail so far. */
    count: () => count,
    /** How many tokens were made. */
    made: () => made,
    /** So many milliseconds pass at once. */
    pass(milliseconds: number): void {
      offset += milliseconds;
    },
    /** By so much the clock that the service shows is wrong. */
    setSkew(milliseconds: number): void {
      skew = milliseconds;
    },
    /** From now on events are forgotten after so many milliseconds. */
    setKept(milliseconds: number): void {
      kept = milliseconds;
    },
    /** Which reading meets which fault. */
    setFaults(next: (asked: Asked) => Fault | undefined): void {
      decide = next;
    },
    revoke: (token: string) => tokens.delete(token),
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

const PERSON = JSON.stringify({
  data: { id: 'user-1', type: 'users', attributes: { username: 'olive-owner', 'is-service-account': false } },
});

function toProblem(status: number, title: string): string {
  return JSON.stringify({ errors: [{ status: String(status), title }] });
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length, ...headers });
  response.end(bytes);
}
