/** Items by what they have in common. */

/** There is at least one. */
export type Group<Item> = [Item, ...Item[]];

/** In the order in which keys and items came. An item whose key is undefined is left out. */
export function groupBy<Item, Key>(
  items: Iterable<Item>,
  toKey: (item: Item) => Key | undefined,
): ReadonlyMap<Key, Group<Item>> {
  const groups = new Map<Key, Group<Item>>();
  for (const item of items) {
    const key = toKey(item);
    if (key !== undefined) addToGroup(groups, key, item);
  }
  return groups;
}

export function addToGroup<Key, Item>(groups: Map<Key, Group<Item>>, key: Key, item: Item): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [item]);
  else group.push(item);
}

/** How often each comes. What is undefined is not counted. */
export function countEach<Key>(keys: Iterable<Key | undefined>): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const key of keys) if (key !== undefined) addCount(counts, key);
  return counts;
}

export function addCount<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
