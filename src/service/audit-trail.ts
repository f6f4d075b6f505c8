import { isObject } from '../json-object.ts';
import type { AuditEvent, AuditTrailDocument } from '../wire/resources.ts';
import { type Client, readObject } from './client.ts';
import { toCount } from './lists.ts';
import { createList, type ListReading, type Page, type PageFacts, type PageOptions } from './pages.ts';
import { toUnreadableError } from './problem.ts';
import { path } from './query.ts';
import type { Answer } from './transport.ts';

/** The audit trail: plain JSON, the organization comes from the token. Outside the document. */
export interface AuditTrail {
  /** `since`: UTC text. */
  list(since: string | undefined, page: PageOptions): ListReading;
}

export function createAuditTrail(client: Client, warn: (text: string) => void): AuditTrail {
  return {
    list(since, page) {
      const what = 'list the audit trail';
      return createList({
        what,
        defaultSize: undefined,
        options: page,
        warn,
        async fetch(pageQuery) {
          const answer = await client.read({
            operation: 'list-audit-trail',
            what,
            path: path`/organization/audit-trail`,
            query: [['since', since], ...pageQuery],
            mediaType: 'application/json',
          });
          return () => toPage(answer, what);
        },
      });
    },
  };
}

function toPage(answer: Answer, what: string): Page {
  const document = readObject(answer, what);
  const { data, pagination } = document;
  if (!Array.isArray(data) || !data.every(isObject)) {
    throw toUnreadableError(answer, what, 'the body holds no list of events');
  }
  return {
    items: data as readonly AuditEvent[],
    included: [],
    document,
    pagination: isObject(pagination) ? toPageFacts(pagination) : undefined,
  };
}

function toPageFacts(pagination: NonNullable<AuditTrailDocument['pagination']>): PageFacts {
  return {
    // Page 0 is what a token that may see nothing gets.
    current: toCount(pagination.current_page) || undefined,
    next: toCount(pagination.next_page) || undefined,
    totalPages: toCount(pagination.total_pages),
    totalCount: toCount(pagination.total_count),
  };
}
