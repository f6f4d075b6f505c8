import { expect, test } from 'vitest';
import { openBacklog } from '../../src/audit-trail/backlog.ts';

test('prints events oldest first, each once, and of equal times the last one first', () => {
  const backlog = openBacklog();
  const events = [5, 5, 3, 4, 1].map((at, index) => ({ id: `${at}-${index}`, at }));
  for (const event of [...events, ...events.slice(3)]) backlog.add({ id: event.id, text: "'" }, event);
  const batches = [...backlog.batches(2)];
  expect(batches.map((batch) => batch.map(({ id }) => id))).toEqual([['1-4', '3-2'], ['4-3', '5-1'], ['5-0']]);
  expect(batches[0]?.[0]).toEqual({ id: '1-4', at: 1, event: { id: '1-4', text: "'" } });
  backlog.close();
});
