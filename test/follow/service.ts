import {
  type Answer,
  type Fault,
  readPage,
  refuse,
  type Seen,
  startServer,
  toPagination,
} from '../campaign/service.ts';
import { createTrail, KEPT, type TrailPlan } from './trail.ts';

/** A service that plays an audit trail, and fails as it is told to. Anything but the trail and its token answers 404. */

type TokenKind = 'audit' | 'user' | 'owner';

export type Service = Awaited<ReturnType<typeof startService>>;

const TRAIL = '/api/v2/organization/audit-trail';
const TOKEN = '/api/v2/organizations/acme/authentication-token';
const ACCOUNT = '/api/v2/account/details';
const MOST = 1_000;
const DAY = 86_400_000;
const PERSON = { id: 'user-1', type: 'users', attributes: { username: 'olive-owner', 'is-service-account': false } };

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
  const answers = new Map<string, string>();
  let [offset, skew, passed, count, made, kept] = [0, 0, 0, 0, 0, KEPT];
  const now = (): number => (options.step === undefined ? Date.now() : options.start + passed) + offset;

  function answer({ method, target, path, query, headers }: Seen): Answer {
    const kind = tokens.get(headers.authorization?.replace('Bearer ', '') ?? '');
    if (path === TOKEN && query.get('token') === 'audit-trails') return answerToken(method, kind);
    if (path === ACCOUNT && kind === 'user') return { status: 200, body: { data: PERSON } };
    if (path !== TRAIL) return refuse(404);
    if (kind === undefined) return refuse(401, 'unauthorized');
    const text = query.get('since');
    const since = text === null ? undefined : Date.parse(text);
    if (Number.isNaN(since)) return refuse(400, 'bad request');
    const body = answers.get(`${kind} ${target}`) ?? toBody(kind, query, since);
    if (options.keepsAnswers === true) answers.set(`${kind} ${target}`, body);
    return { status: 200, body, headers: { 'content-type': 'application/json' } };
  }

  function toBody(kind: TokenKind, query: URLSearchParams, since: number | undefined): string {
    const page = readPage(query, { usual: MOST, most: MOST });
    // A token of another kind is answered as if nothing had ever happened.
    const { numbers, total } =
      kind === 'audit' ? trail.page(now(), { ...page, since, kept }) : { numbers: [], total: 0 };
    const pagination = JSON.stringify(toPagination(page, total)).replaceAll('-', '_');
    return `{"data":[${numbers.map(trail.toText).join(',')}],"pagination":${pagination}}`;
  }

  function answerToken(method: string, kind: TokenKind | undefined): Answer {
    if (kind !== 'owner') return refuse(kind === undefined ? 401 : 404);
    if (method === 'GET') return { status: 200, body: { data: toToken(null) } };
    if (method !== 'POST') return refuse(404);
    tokens.delete(`audit-${made}`);
    made += 1;
    tokens.set(`audit-${made}`, 'audit');
    return { status: 201, body: { data: toToken(`audit-${made}`) } };
  }

  function toToken(token: string | null): object {
    const [created, expired] = [new Date(now()), new Date(now() + 90 * DAY)];
    const unused = { 'last-used-at': null, description: null };
    const attributes = { 'created-at': created, 'expired-at': expired, ...unused, token };
    return { id: `at-${made}`, type: 'authentication-tokens', attributes };
  }

  const { url, until, close, setFaults } = await startServer(answer, {
    headers: () => ({ date: new Date(now() + skew).toUTCString(), 'x-ratelimit-limit': '100000' }),
  });
  /** Which reading meets which fault from now on, counted from 1. */
  function setReadingFaults(decide: (number: number) => Fault | undefined): void {
    const before = count;
    setFaults(({ path }) => {
      if (path !== TRAIL) return undefined;
      count += 1;
      passed += options.step ?? 0;
      return decide(count - before);
    });
  }
  setReadingFaults(() => undefined);

  return {
    ...{ trail, url, now, until, close, setFaults: setReadingFaults },
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
    revoke: (token: string) => tokens.delete(token),
  };
}
