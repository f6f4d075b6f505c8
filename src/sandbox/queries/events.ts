import type { AuditEvent } from '../../wire/resources.ts';
import type { Store } from '../store.ts';

/** Everything at or after `since`. */
export function countEvents(store: Store, organization: number, since: number): number {
  return (
    store.first<{ count: number }>(
      'SELECT count(*) AS count FROM events WHERE organization = ? AND occurred_at >= ?',
      organization,
      since,
    )?.count ?? 0
  );
}

/** Newest first. */
export function listEvents(
  store: Store,
  organization: number,
  since: number,
  limit: number,
  offset: number,
): AuditEvent[] {
  return store
    .all<{ event: string }>(
      `SELECT event FROM events WHERE organization = ? AND occurred_at >= ?
       ORDER BY occurred_at DESC, seq DESC LIMIT ? OFFSET ?`,
      organization,
      since,
      limit,
      offset,
    )
    .map((row) => JSON.parse(row.event) as AuditEvent);
}

export function insertEvent(store: Store, organization: number, occurredAt: number, event: AuditEvent): void {
  store.run(
    'INSERT INTO events (organization, occurred_at, event) VALUES (?, ?, ?)',
    organization,
    occurredAt,
    JSON.stringify(event),
  );
}
