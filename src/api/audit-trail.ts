import { OrgctlError, ServiceError } from '../lib/errors.ts';
import { isObject, type JsonObject, parseJson } from '../lib/json.ts';
import { type Caller, readCaller } from './account.ts';
import type { Client } from './client.ts';
import { createUnexpectedResponseError } from './error-document.ts';
import { createCall } from './operations.ts';
import { type ListOptions, type Page, parseTotals, type ReadOptions } from './pagination.ts';
import type { Query } from './types.ts';

/** Plain JSON (facts). */
export type AuditEvent = JsonObject;

interface TrailPage extends Page<AuditEvent> {
  /** The service's clock, in milliseconds since 1970. */
  clock: number | undefined;
}

/** The largest page of the audit trail, and its default (facts). */
const PAGE_SIZE = 1_000;

/** The newest event comes first. `since` is milliseconds since 1970. */
export function listAuditTrail(
  client: Client,
  since: number | undefined,
  options: ReadOptions,
): ListOptions<AuditEvent> {
  const { action } = createCall('list-audit-trail');
  return { ...options, pageSize: options.pageSize ?? PAGE_SIZE, action, fetch: fetchTrail(client, since) };
}

/**
 * Reads a trail that may grow meanwhile. Since new events come first (facts), events may come twice, and none is lost. Throws
 * `incomplete` if the service repeats a page.
 */
export async function* readGrowingTrail(client: Client, since: number | undefined): AsyncGenerator<TrailPage> {
  const fetch = fetchTrail(client, since);
  let firstId: unknown;
  for (let number = 1; ; number += 1) {
    const page = await fetch([
      ['page[number]', number],
      ['page[size]', PAGE_SIZE],
    ]);
    const { items, total } = page;
    const isRepeated = number > 1 && items[0]?.id === firstId;
    if (isRepeated)
      throw new OrgctlError('incomplete', `can't read the audit trail: page ${number} is page ${number - 1}`);
    yield page;
    const isLast = total ? total.next === undefined : items.length < PAGE_SIZE;
    if (isLast) return;
    firstId = items[0]?.id;
  }
}

/** Throws `not-authenticated` for a token of the wrong kind, which the service answers with an empty trail (facts). */
export async function assertCanReadTrail(client: Client): Promise<void> {
  const { type } = await readCaller(client).catch(ignoreRefusal);
  if (type !== 'users' && type !== 'teams') return;
  throw new OrgctlError(
    'not-authenticated',
    `this token can't read the audit trail: it belongs to a ${type.slice(0, -1)}`,
    {
      code: 'wrong-token-kind',
      hint: 'Use the audit trail token or the organization token; in the sandbox add --as audit-token.',
    },
  );
}

/** The service may refuse to show an audit trail token who it is. */
function ignoreRefusal(error: unknown): Caller {
  if (error instanceof ServiceError && error.status < 500) return {};
  throw error;
}

function fetchTrail(client: Client, since: number | undefined): (query: Query) => Promise<TrailPage> {
  const start: Query = [['since', since === undefined ? undefined : new Date(since).toISOString()]];
  return async (query) => {
    const response = await client.read(createCall('list-audit-trail', {}, [...start, ...query]));
    const document = parseJson(response.text);
    const data = isObject(document) ? document.data : undefined;
    if (!isObject(document) || !Array.isArray(data) || !data.every(isObject))
      throw createUnexpectedResponseError(response);
    const clock = Date.parse(response.headers.date ?? '');
    return { items: data, included: [], total: parseTotals(document), clock: Number.isNaN(clock) ? undefined : clock };
  };
}

/** Throws ServiceError for a token that is refused. */
export async function hasAuditEvents(client: Client): Promise<boolean> {
  return (await fetchTrail(client, undefined)([['page[size]', 1]])).items.length > 0;
}
