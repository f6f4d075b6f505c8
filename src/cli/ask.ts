import type { Session } from './session.ts';

/**
 * Asks once about all items, and nothing if there are none: about one as `line` says it, about several as `these 3 teams`.
 * Throws as `session.confirm` does.
 */
export async function ask<Item>(
  { confirm }: Session,
  items: Item[],
  line: (item: Item) => string,
  createQuestion: (what: string) => string,
  things: string,
): Promise<void> {
  const lines = items.map(line);
  const [first] = lines;
  if (first === undefined) return;
  await (lines.length === 1
    ? confirm(createQuestion(first))
    : confirm(createQuestion(`these ${lines.length} ${things}`), lines));
}
