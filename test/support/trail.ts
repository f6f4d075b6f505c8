import { pass } from './faults.ts';
import { type Front, type Passing, startFront } from './front.ts';
import { NOW } from './run.ts';

/** A service that has an audit trail and nothing else: the newest event first, 14 days of them, by a clock of its own. */

interface TrailEvent {
  id: string;
  timestamp: string;
  [name: string]: unknown;
}

export interface TestTrail {
  url: string;
  front: Front;
  /** Milliseconds since 1970. */
  clock: number;
  /** The one that is taken. */
  token: string;
  /** What `account/details` says; 404 where it says nothing. */
  account: object | undefined;
  /** Called before each answer; what it returns is answered in place of the trail. */
  onRequest: ((passing: Passing) => Response | undefined) | undefined;
  /** Adds events, each so many milliseconds after `NOW`. */
  add(...at: number[]): TrailEvent[];
  /** Forgets all. */
  clear(): void;
  /** The queries that came for events, in order. */
  queries: string[];
  /** The environment that leads there. */
  env: Record<string, string>;
}

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;
const KEPT = 14 * DAY;

/** `meta`: what each event holds beside what identifies it. */
export async function startTrail({
  pageSize = 1_000,
  meta,
}: {
  pageSize?: number;
  meta?: string;
} = {}): Promise<TestTrail> {
  // Oldest first, and of the same time in the order in which they came.
  let events: (TrailEvent & { at: number })[] = [];
  let made = 0;
  const queries: string[] = [];
  const answer = (request: Request): Response => {
    const { pathname, searchParams } = new URL(request.url);
    if (request.headers.get('authorization') !== `Bearer ${trail.token}`) return refuse(401, 'unauthorized');
    if (pathname.endsWith('/account/details')) {
      return trail.account === undefined ? refuse(404, 'not found') : Response.json({ data: trail.account });
    }
    if (!pathname.endsWith('/organization/audit-trail')) return refuse(404, 'not found');
    queries.push(searchParams.toString().replaceAll('%3A', ':').replaceAll('%5B', '[').replaceAll('%5D', ']'));
    const since = Math.max(Date.parse(searchParams.get('since') ?? '1970-01-01'), trail.clock - KEPT);
    const shown = events.filter(({ at }) => at >= since).reverse();
    const size = Number(searchParams.get('page[size]') ?? pageSize);
    const number = Number(searchParams.get('page[number]') ?? 1);
    const pages = Math.ceil(shown.length / size);
    return Response.json({
      data: shown.slice((number - 1) * size, number * size).map(({ at: _at, ...event }) => event),
      pagination: {
        current_page: number,
        page_size: size,
        prev_page: number > 1 ? number - 1 : null,
        next_page: number < pages ? number + 1 : null,
        total_pages: pages,
        total_count: shown.length,
      },
    });
  };
  const front = await startFront(
    {
      async handle(request) {
        const response = answer(request);
        response.headers.set('date', new Date(trail.clock).toUTCString());
        return response;
      },
    },
    async (passing, own) => {
      const other = trail.onRequest?.(passing);
      if (other === undefined) return await pass(passing, own);
      passing.send({
        status: other.status,
        headers: { date: new Date(trail.clock).toUTCString(), ...Object.fromEntries(other.headers) },
        body: await other.text(),
      });
    },
  );
  const trail: TestTrail = {
    url: front.url,
    front,
    clock: NOW,
    token: 'a-token-of-tests',
    account: undefined,
    onRequest: undefined,
    queries,
    add(...times) {
      const added = times.map((time) => {
        made += 1;
        return createEvent(made, NOW + time, meta);
      });
      events = [...events, ...added].sort((one, other) => one.at - other.at);
      return added.map(({ at: _at, ...event }) => event);
    },
    clear() {
      events = [];
    },
    get env() {
      return { ORGCTL_BASE_URL: front.url, ORGCTL_TOKEN: trail.token, ORGCTL_ORG: 'acme' };
    },
  };
  return trail;
}

function createEvent(number: number, at: number, meta: string | undefined): TrailEvent & { at: number } {
  return {
    at,
    id: `event-${number}`,
    version: '0',
    type: 'Resource',
    timestamp: new Date(at).toISOString(),
    auth: { description: 'olive-owner', organization_id: 'org-acme' },
    resource: { id: `ws-${number}`, type: 'workspace', action: 'update', ...(meta === undefined ? {} : { meta }) },
  };
}

function refuse(status: number, title: string): Response {
  return Response.json({ errors: [{ status: String(status), title }] }, { status });
}
