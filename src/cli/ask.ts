import type { Session } from './session.ts';

interface Question<Item> {
  line(item: Item): string;
  one(item: Item): string;
  many(count: number): string;
}

/** Asks once about all items, and nothing if there are none. Throws as `session.confirm` does. */
export async function ask<Item>(
  { confirm }: Session,
  items: Item[],
  { line, one, many }: Question<Item>,
): Promise<void> {
  const [first] = items;
  if (first === undefined) return;
  await (items.length === 1 ? confirm(one(first)) : confirm(many(items.length), items.map(line)));
}
