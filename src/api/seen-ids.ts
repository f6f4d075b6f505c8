/**
 * Remembers ids by 53 bits of a hash, in 16 to 32 bytes each, where a Set takes 130. Two ids that differ count as one in one of
 * 18,000 lists of a million, which then says that it is not whole.
 */
export class SeenIds {
  private table = new Float64Array(1024);
  private count = 0;

  /** False if the id was there already. */
  add(id: string): boolean {
    if (!insert(this.table, hash(id))) return false;
    this.count += 1;
    if (this.count * 2 > this.table.length) {
      const larger = new Float64Array(this.table.length * 2);
      for (const value of this.table) if (value !== 0) insert(larger, value);
      this.table = larger;
    }
    return true;
  }
}

function insert(table: Float64Array, value: number): boolean {
  let at = value % table.length;
  while (table[at] !== 0 && table[at] !== value) at = (at + 1) % table.length;
  const isNew = table[at] === 0;
  table[at] = value;
  return isNew;
}

/** Never 0, which marks a free place. */
function hash(text: string): number {
  let [high, low] = [0x811c9dc5, 0x9e3779b9];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x85ebca6b);
  }
  return (high >>> 0) * 2 ** 21 + (low >>> 11) + 1;
}
