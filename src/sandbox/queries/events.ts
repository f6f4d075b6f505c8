import type { Selection, Store } from '../rows.ts';

/** Events of an organization, as JSON, the newest first. */
export function selectEvents(store: Store, organization: number, since: number): Selection<{ readonly event: string }> {
  const conditions = [['organization = ?', organization] as const, ['occurred_at >= ?', since] as const];
  return store.select('event', 'events', conditions, 'occurred_at DESC, seq DESC');
}
