import { leavesAll, type TeamMoves } from '../people/team-changes.ts';
import { NO_OTHER_TEAM } from '../resources/team.ts';
import { toCellText } from '../stdout/cell.ts';
import type { Columns, Sentence } from '../stdout/columns.ts';
import { capitalize } from '../text/sentence.ts';
import type { Placed } from '../wire/flat.ts';
import type { Named } from '../wire/resources.ts';
import type { ResultRow, Undone } from './row-error.ts';

/** With what `leavesAll` says of a person behind what was done: `moves` are those of the command. */
export function withLastTeams<Row extends ResultRow & Named<'id'>>(
  columns: Columns<Row>,
  moves: readonly TeamMoves[],
): Columns<Row> {
  const alone = new Set<unknown>(moves.filter(leavesAll).map(({ member }) => member.id));
  const { sentences } = columns;
  if (alone.size === 0 || sentences === undefined) return columns;
  return {
    ...columns,
    sentences: (record, now) =>
      sentences(record, now).map((said) =>
        record.changed && record.error === undefined && alone.has(record.id)
          ? { ...said, text: `${said.text}; they are ${NO_OTHER_TEAM}` }
          : said,
      ),
  };
}

type Done<Row extends ResultRow> = Exclude<Row['result'], Undone['result']>;

/** The organization of a row, as a sentence names it. */
export function toPlace({ organization }: Placed): string {
  return toCellText(organization?.id);
}

/** Sentences for the rows of a command over several things, by what their `result` says. */
export function withSentences<Row extends ResultRow>(
  columns: Columns<Row>,
  done: { readonly [Result in Done<Row>]: (record: Row) => Sentence },
): Columns<Row> {
  const say: Partial<Record<string, (record: Row) => Sentence>> = done;
  return {
    ...columns,
    sentences(record) {
      const said = say[record.result]?.(record);
      if (said !== undefined) return [said];
      const { code, message } = record.error ?? {};
      // What was not attempted is counted at the end.
      if (message === undefined) return [];
      return [
        code === 'outcome-unknown'
          ? { sign: '!', text: capitalize(message) }
          : { sign: '✗', text: `Failed: ${message}` },
      ];
    },
  };
}
