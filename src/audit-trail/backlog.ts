import type { AuditEvent } from '../api/audit-trail.ts';
import { openDatabase } from '../lib/sqlite.ts';
import type { DatedEvent } from './cursor.ts';

type Row = DatedEvent & { position: number; text: string };

/** Sorts events on disk, since the service sends the newest first. `add` ignores an event that was added before. */
export function openBacklog() {
  const database = openDatabase(':memory:', 0);
  // SQLite deletes the file of a temporary table as soon as it is open.
  database.exec(
    'PRAGMA temp_store = FILE; BEGIN; CREATE TEMP TABLE event (' +
      'at INTEGER, position INTEGER, id TEXT UNIQUE, text TEXT, PRIMARY KEY (at, position)) WITHOUT ROWID',
  );
  const insert = database.prepare('INSERT OR IGNORE INTO event VALUES (?, ?, ?, ?)');
  const select = database.prepare('SELECT * FROM event WHERE (at, position) > (?, ?) ORDER BY at, position LIMIT ?');
  // The newest event comes first, so a lower position is older.
  let position = 0;
  return {
    add(event: AuditEvent, { id, at }: DatedEvent): void {
      position -= 1;
      insert.run([at, position, id, JSON.stringify(event)]);
    },
    *batches(size: number): Generator<(DatedEvent & { event: AuditEvent })[]> {
      let last: Pick<Row, 'at' | 'position'> = { at: Number.MIN_SAFE_INTEGER, position: 0 };
      for (;;) {
        const rows = select.all([last.at, last.position, size]) as Row[];
        const end = rows.at(-1);
        if (!end) return;
        yield rows.map(({ id, at, text }) => ({ id, at, event: JSON.parse(text) }));
        last = end;
      }
    },
    close: database.close,
  };
}
