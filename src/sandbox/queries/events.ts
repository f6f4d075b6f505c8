import type { AuditEvent } from '../../wire/resources.ts';
import type { Range } from '../pagination.ts';
import type { Store } from '../store.ts';

const CONDITION = 'organization = ? AND occurred_at >= ?';

export function countEvents(store: Store, organization: number, since: number): number {
  return store.count(`events WHERE ${CONDITION}`, organization, since);
}

export function listEvents(store: Store, organization: number, since: number, { limit, offset }: Range): AuditEvent[] {
  const sql = `SELECT event FROM events WHERE ${CONDITION} ORDER BY occurred_at DESC, seq DESC LIMIT ? OFFSET ?`;
  const rows = store.all<{ event: string }>(sql, organization, since, limit, offset);
  return rows.map((row) => JSON.parse(row.event) as AuditEvent);
}

export function insertEvent(store: Store, organization: number, occurredAt: number, event: AuditEvent): void {
  store.insert('events', { organization, occurred_at: occurredAt, event: JSON.stringify(event) });
}
