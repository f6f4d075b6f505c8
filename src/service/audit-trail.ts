import { isObject } from '../json-object.ts';
import type { AuditEvent, AuditTrailDocument } from '../wire/resources.ts';
import { type CallAnswer, type Client, readObject } from './client.ts';
import { toCount } from './lists.ts';
import { toRequest } from './operations.ts';
import type { Page, PageFacts, PageOptions } from './page.ts';
import { createList, type ListReading } from './pages.ts';
import { toUnreadableError } from './problem.ts';
import type { Query } from './query.ts';

/** The audit trail: plain JSON, the organization comes from the token. Outside the document, so Assumed throughout. */
export function createAuditTrail(client: Client, warn: (text: string) => void) {
  const call = { operation: 'list-audit-trail' } as const;
  const read = (query: Query): Promise<CallAnswer> => client.read({ ...call, query });
  return {
    /** Whether it shows anything to this token. An empty answer is also what a token of the wrong kind gets. */
    async hasEvents(): Promise<boolean> {
      return toPage(await read([['page[size]', 1]])).items.length > 0;
    },
    /** `since`: UTC text. */
    list(since: string | undefined, page: PageOptions): ListReading {
      return createList({
        what: toRequest(call).what,
        defaultSize: undefined,
        options: page,
        warn,
        isNewestFirst,
        async fetch(pageQuery) {
          const answer = await read([['since', since], ...pageQuery]);
          return () => toPage(answer);
        },
      });
    },
  };
}

/** The real service gives the newest first. Its document knows no audit trail; others may append. */
function isNewestFirst({ items }: Page): boolean {
  const toTime = (event: unknown): number => Date.parse(String((event as AuditEvent | undefined)?.timestamp));
  return !(toTime(items[0]) < toTime(items.at(-1)));
}

function toPage(answer: CallAnswer): Page {
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
