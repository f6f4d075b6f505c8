import { startFront } from './front.ts';
import { NOW } from './run.ts';

/** A service that has an audit trail and nothing else: the newest event first, 14 days of them, by a clock of its own. */

type TrailEvent = ReturnType<typeof createEvent>;

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;
const KEPT = 14 * DAY;

export async function startTrail() {
  // Oldest first, and of the same time in the order in which they came.
  let events: TrailEvent[] = [];
  let made = 0;
  const { origin, url } = await startFront({
    async handle(request) {
      const answer = trail.onRequest?.(new URL(request.url)) ?? answerRequest(request);
      answer.headers.set('date', new Date(trail.clock).toUTCString());
      return answer;
    },
  });
  function answerRequest(request: Request): Response {
    const { pathname, searchParams } = new URL(request.url);
    if (request.headers.get('authorization') !== `Bearer ${trail.token}`) return refuse(401, 'unauthorized');
    if (pathname.endsWith('/account/details') && trail.account) return Response.json({ data: trail.account });
    if (!pathname.endsWith('/organization/audit-trail')) return refuse(404, 'not found');
    trail.queries.push(searchParams.toString().replaceAll('%3A', ':').replaceAll('%5B', '[').replaceAll('%5D', ']'));
    const since = Math.max(Date.parse(searchParams.get('since') ?? '1970-01-01'), trail.clock - KEPT);
    const shown = events.filter(({ timestamp }) => Date.parse(timestamp) >= since).reverse();
    const size = Number(searchParams.get('page[size]') ?? 1_000);
    const number = Number(searchParams.get('page[number]') ?? 1);
    const pages = Math.ceil(shown.length / size);
    const pagination = {
      current_page: number,
      page_size: size,
      prev_page: number > 1 ? number - 1 : null,
      next_page: number < pages ? number + 1 : null,
      total_pages: pages,
      total_count: shown.length,
    };
    return Response.json({ data: shown.slice((number - 1) * size, number * size), pagination });
  }
  const trail = {
    origin,
    /** Milliseconds since 1970. */
    clock: NOW,
    /** The one that is taken. */
    token: 'a-token-of-tests',
    /** What `account/details` says; 404 where it says nothing. */
    account: undefined as object | undefined,
    /** Called before each answer; what it returns is answered in place of the trail. */
    onRequest: undefined as ((url: URL) => Response | undefined) | undefined,
    /** The queries that came for events, in order. */
    queries: [] as string[],
    /** Adds events, each so many milliseconds after `NOW`. */
    add(...times: number[]): TrailEvent[] {
      const added = times.map((time) => {
        made += 1;
        return createEvent(made, NOW + time);
      });
      events = [...events, ...added].sort((one, other) => Date.parse(one.timestamp) - Date.parse(other.timestamp));
      return added;
    },
    /** Forgets all. */
    clear(): void {
      events = [];
    },
    /** The environment that leads there. */
    get env() {
      return { ORGCTL_BASE_URL: url, ORGCTL_TOKEN: trail.token, ORGCTL_ORG: 'acme' };
    },
  };
  return trail;
}

function createEvent(number: number, at: number) {
  return {
    id: `event-${number}`,
    version: '0',
    type: 'Resource',
    timestamp: new Date(at).toISOString(),
    auth: { description: 'olive-owner', organization_id: 'org-acme' },
    resource: { id: `ws-${number}`, type: 'workspace', action: 'update' },
  };
}

function refuse(status: number, title: string): Response {
  return Response.json({ errors: [{ status: String(status), title }] }, { status });
}
