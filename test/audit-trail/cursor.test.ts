import { expect, test } from 'vitest';
import { assertPast, type Cursor, findGap, findStart, moveCursor, parseCursor } from '../../src/audit-trail/cursor.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const OWNER = { service: 'https://app.terraform.io', organization: 'acme' };
const NEW: Cursor = { ...OWNER, recent: {} };

const move = (cursor: Cursor, events: Parameters<typeof moveCursor>[1]) => moveCursor(cursor, events, 20 * DAY);

test('the cursor keeps the newest event and the ids of the hour before it', () => {
  const first = move(NEW, [
    { id: 'a', at: 10 * HOUR },
    { id: 'b', at: 11 * HOUR },
    { id: 'c', at: 11 * HOUR + 1 },
  ]);
  expect(first).toEqual({ ...NEW, newest: 11 * HOUR + 1, recent: { b: 11 * HOUR, c: 11 * HOUR + 1 } });
  // A late one moves nothing.
  const second = move(first, [{ id: 'd', at: 10.5 * HOUR }]);
  expect(second).toEqual({ ...first, recent: { ...first.recent, d: 10.5 * HOUR } });
  expect(move(second, [{ id: 'e', at: 12 * HOUR }]).recent).toEqual({
    b: 11 * HOUR,
    c: 11 * HOUR + 1,
    e: 12 * HOUR,
  });
});

test('an event of a time that is still to come is known, but does not hide earlier ones', () => {
  const ahead = { id: 'ahead', at: 20 * DAY + 5 * HOUR };
  const cursor = move(NEW, [{ id: 'a', at: 20 * DAY - 2 * HOUR }, ahead]);
  expect(cursor).toEqual({ ...NEW, newest: 20 * DAY, recent: { ahead: ahead.at } });
  expect(findStart(cursor)).toBe(20 * DAY - HOUR);
});

test.each<[Partial<Cursor>, isPast: boolean]>([
  [{ newest: 20 * DAY + HOUR }, true],
  [{ newest: 20 * DAY + HOUR + 1 }, false],
  [{ newest: 1, readAt: 8e15 }, false],
  [{ since: 21 * DAY }, false],
])('on day 20 a cursor of %j is used: %s', (cursor, isPast) => {
  const check = () => assertPast({ ...NEW, ...cursor }, 20 * DAY, 'acme.json');
  if (isPast) check();
  else expect(check).toThrow(/^the cursor acme\.json is of .* UTC, which is still to come$/);
});

test.each<[Partial<Cursor>, number | undefined]>([
  [{}, undefined],
  [{ since: 5 * DAY }, 5 * DAY],
  [{ newest: 9 * DAY }, 9 * DAY - HOUR],
  [{ newest: 9 * DAY, since: 9 * DAY - 1 }, 9 * DAY - 1],
])('after %j the next reading starts at %s', (cursor, start) => expect(findStart({ ...NEW, ...cursor })).toBe(start));

test.each<[Partial<Cursor>, number | undefined]>([
  [{}, undefined],
  [{ newest: 1 * DAY, readAt: 6 * DAY }, undefined],
  [{ newest: 1 * DAY, readAt: 6 * DAY - 1 }, 6 * DAY - 1],
  // Killed in the first reading, or in a later one.
  [{ newest: 5 * DAY }, 5 * DAY],
  [{ newest: 5 * DAY, readAt: 3 * DAY }, 5 * DAY],
])('on day 20 the gap after %j begins at %s', (cursor, gap) =>
  expect(findGap({ ...NEW, ...cursor }, 20 * DAY)).toBe(gap),
);

test('what was written is read, and the name of the organization has no case', () => {
  const { organization, ...cursor } = move({ ...NEW, since: 1, readAt: 2 }, [{ id: '__proto__', at: 3 }]);
  const parse = (name: string | undefined) =>
    parseCursor(JSON.stringify({ ...cursor, organization: name }), 'acme.json', OWNER);
  expect(parse('ACME')).toEqual({ ...cursor, organization: 'ACME' });
  // Only the token knew it.
  expect(parse(undefined)).toEqual({ ...cursor, organization });
});

const CURSOR = '"service":"x","recent":{}';

test.each([
  '',
  '[]',
  '{"service":1,"recent":{}}',
  '{"service":"x"}',
  `{${CURSOR},"newest":"soon"}`,
  `{${CURSOR},"newest":1e300}`,
  `{${CURSOR},"readAt":-1}`,
  `{${CURSOR},"since":8640000000000001}`,
  `{${CURSOR},"newest":null}`,
  '{"service":"x","recent":{"event-1":1e16}}',
])('%s is not a cursor', (text) =>
  expect(() => parseCursor(text, 'acme.json', OWNER)).toThrow('acme.json is not a cursor of audit-trail follow'),
);
