import { OrgctlError, ServiceError, UsageError } from '../lib/errors.ts';
import { isObject, type JsonObject } from '../lib/json.ts';
import { isSameName } from '../lib/text.ts';
import { readCaller } from './account.ts';
import type { Client } from './client.ts';
import { createUnexpectedResponseError, readObject } from './error-document.ts';
import { catchNotFound, readDecoration } from './not-found.ts';
import { createCall, operation } from './operations.ts';
import { type PageOptions, parseTotals } from './pagination.ts';
import type { Query } from './types.ts';

/** Plain JSON (facts). */
export type AuditEvent = JsonObject;

const LIST_AUDIT_TRAIL = operation('GET', '/organization/audit-trail', 'read the audit trail', {
  who: 'The audit trail token and the organization token can.',
});

/** The largest page of the audit trail, and its default (facts). */
const PAGE_SIZE = 1_000;

/** Assumed for a trail whose length the service doesn't say. */
const USUAL_PAGES = 100;

/**
 * Yields pages up to the one that names no next. The newest event comes first (facts), so of a trail that grows meanwhile events
 * come twice, and none is lost. Throws `incomplete` if the pages come to no end. `since`, and the service's `clock`, are
 * milliseconds since 1970.
 */
export async function* readTrail(
  client: Client,
  since: number | undefined,
  { page: only, pageSize = PAGE_SIZE }: Pick<PageOptions, 'page' | 'pageSize'> = {},
) {
  let most = Number.POSITIVE_INFINITY;
  for (let number = only ?? 1; ; number += 1) {
    const page = await readTrailPage(client, since, [
      ['page[number]', number],
      ['page[size]', pageSize],
    ]);
    yield page;
    const { items, total } = page;
    const isLast = total ? total.next === undefined : items.length < pageSize;
    if (isLast || only !== undefined) return;
    // It may double while it is read.
    if (number === 1) most = 2 * (total?.pages ?? USUAL_PAGES) + 10;
    if (number >= most) {
      throw new OrgctlError('incomplete', `can't read the audit trail completely: page ${number} is not the last one`, {
        hint: 'It grew while it was read. Run the command again.',
      });
    }
  }
}

export function readEventId(event: AuditEvent): string {
  return String(event.id ?? JSON.stringify(event));
}

/** Throws UsageError if the service says that the token belongs to another organization. */
export async function assertTrailOf(client: Client, org: string): Promise<void> {
  const { type, ownerId = org } = (await readDecoration(readCaller(client))) ?? {};
  if (type !== 'organizations' || isSameName(ownerId, org)) return;
  throw new UsageError(`this token belongs to ${ownerId}, so it can't read the audit trail of ${org}`, {
    hint: 'The token decides whose trail is read. Leave out --org, or use a token of that organization.',
  });
}

/** Throws `not-authenticated` for a token of the wrong kind, which the service answers with an empty trail (facts). */
export async function assertCanReadTrail(client: Client): Promise<void> {
  // The service may refuse to show an audit trail token who it is.
  const isRefusal = (error: unknown): boolean => error instanceof ServiceError && error.status < 500;
  const { type } = (await catchNotFound(readCaller(client), isRefusal)) ?? {};
  if (type === undefined || type === 'organizations') return;
  const message = `this token can't read the audit trail: it belongs to a ${type.slice(0, -1)}`;
  throw new OrgctlError('not-authenticated', message, {
    code: 'wrong-token-kind',
    hint: 'Use the audit trail token or the organization token; in the sandbox add --as audit-token.',
  });
}

async function readTrailPage(client: Client, since: number | undefined, query: Query) {
  const start = since === undefined ? undefined : new Date(since).toISOString();
  const response = await client.read(createCall(LIST_AUDIT_TRAIL, {}, [['since', start], ...query]));
  const document = readObject(response);
  const { data } = document;
  if (!Array.isArray(data) || !data.every(isObject)) throw createUnexpectedResponseError(response);
  const clock = Date.parse(response.headers.date ?? '');
  return { items: data, total: parseTotals(document), clock: Number.isNaN(clock) ? undefined : clock };
}

/** Throws ServiceError for a token that is refused. */
export async function hasAuditEvents(client: Client): Promise<boolean> {
  return (await readTrailPage(client, undefined, [['page[size]', 1]])).items.length > 0;
}
