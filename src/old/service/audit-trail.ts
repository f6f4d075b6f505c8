import { isObject } from '../json-object.ts';
import { parseInstant } from '../text/time.ts';
import { DAY } from '../when.ts';
import type { AuditEvent, AuditTrailDocument } from '../wire/resources.ts';
import { type CallAnswer, type Client, readObject } from './client.ts';
import { toCount } from './lists.ts';
import { toRequest } from './operations.ts';
import type { Page, PageFacts, PageOptions } from './page.ts';
import { createList, type ListReading } from './pages.ts';
import { toUnreadableError } from './problem.ts';
import type { Query } from './query.ts';

/** How long the service keeps events. */
export const RETENTION = 14 * DAY;
export const RETENTION_TEXT = `${RETENTION / DAY} days`;

/** Instants, in milliseconds since 1970: of the first event that is wanted, and of the first that no longer is. */
export interface TrailRange {
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** The service has no such filter: whether an event is wanted is judged here. */
  readonly isMeant?: ((event: AuditEvent) => boolean) | undefined;
}

/** What is seen while the trail is read. */
interface TrailWatch {
  /** What the service's clock shows in each answer: milliseconds since 1970, undefined where it shows nothing. */
  onClock?(clock: number | undefined): void;
  /** How many events each answer has, wanted or not. */
  onEvents?(count: number): void;
}

/** The audit trail: plain JSON, the organization comes from the token. Outside the document, so Assumed throughout. */
export function createAuditTrail(client: Client, warn: (text: string) => void) {
  const call = { operation: 'list-audit-trail' } as const;
  const read = (query: Query): Promise<CallAnswer> => client.read({ ...call, query });
  const readNewest = async () => toPage(await read([['page[size]', 1]])).items[0];
  return {
    /** Whether it shows anything to this token. An empty answer is also what a token of the wrong kind gets. */
    hasEvents: async (): Promise<boolean> => (await readNewest()) !== undefined,
    /** Undefined where there is none. */
    readNewest,
    /** The newest first. An event without a time is wanted. */
    list(
      { since, until, isMeant }: TrailRange,
      page: PageOptions,
      { onClock, onEvents }: TrailWatch = {},
    ): ListReading<AuditEvent> {
      return createList({
        what: toRequest(call).what,
        defaultSize: undefined,
        options: page,
        warn,
        isNewestFirst,
        // The service takes no end.
        isWanted:
          until === undefined && isMeant === undefined
            ? undefined
            : (event) =>
                !((toInstant(event) ?? 0) >= (until ?? Number.POSITIVE_INFINITY)) && (isMeant?.(event) ?? true),
        async fetch(pageQuery) {
          const answer = await read([
            ['since', since === undefined ? undefined : new Date(since).toISOString()],
            ...pageQuery,
          ]);
          onClock?.(toClock(answer));
          return () => {
            const page = toPage(answer);
            onEvents?.(page.items.length);
            return page;
          };
        },
      });
    },
    /** What the service's clock shows, in milliseconds since 1970; undefined where it shows none. */
    readClock: async (): Promise<number | undefined> => toClock(await read([['page[size]', 1]])),
  };
}

/** The real service gives the newest first. Its document knows no audit trail; others may append. */
function isNewestFirst({ items }: Page<AuditEvent>): boolean {
  return !((toInstant(items[0]) ?? Number.NaN) < (toInstant(items.at(-1)) ?? Number.NaN));
}

/** When an event happened, in milliseconds since 1970; undefined where it does not say. */
export function toInstant({ timestamp }: AuditEvent = {}): number | undefined {
  return typeof timestamp === 'string' ? parseInstant(timestamp) : undefined;
}

/** In whole seconds: HTTP has no finer ones. */
function toClock({ headers: { date } }: CallAnswer): number | undefined {
  const clock = Date.parse(date ?? '');
  return Number.isNaN(clock) ? undefined : clock;
}

function toPage(answer: CallAnswer): Page<AuditEvent> {
  const document = readObject(answer);
  const { data, pagination } = document;
  if (!Array.isArray(data) || !data.every(isObject)) {
    throw toUnreadableError(answer, 'the body has no list of events');
  }
  return {
    items: data as readonly AuditEvent[],
    included: [],
    document,
    pagination: isObject(pagination) ? toTrailFacts(pagination) : undefined,
  };
}

export function toTrailFacts(pagination: NonNullable<AuditTrailDocument['pagination']>): PageFacts {
  return {
    // An empty answer may be numbered 0.
    current: toCount(pagination.current_page) || undefined,
    next: toCount(pagination.next_page) || undefined,
    totalPages: toCount(pagination.total_pages),
    totalCount: toCount(pagination.total_count),
  };
}
