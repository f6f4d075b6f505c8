export type IdHashSet = ReturnType<typeof createIdHashSet>;

const FIRST_CAPACITY = 1_024;
const FNV_PRIME = 0x01000193;
const FNV_BASIS = 0x811c9dc5;
const OTHER_BASIS = 0x9747b28c;

/**
 * Texts that came before, in 10 to 20 bytes each, so that the ids of a whole organization fit into the memory. Only a hash
 * of 64 bits is kept: that two of a million texts have the same has a probability of 3 in 100 million, and with another
 * seed they differ.
 */
export function createIdHashSet(seed: number) {
  // Pairs of 32-bit hashes; a pair of zeros is a free place.
  let places = new Uint32Array(FIRST_CAPACITY * 2);
  let count = 0;

  function find(low: number, high: number): number {
    const mask = places.length - 2;
    let at = (low << 1) & mask;
    while ((places[at] !== low || places[at + 1] !== high) && (places[at] !== 0 || places[at + 1] !== 0)) {
      at = (at + 2) & mask;
    }
    return at;
  }

  function put(at: number, low: number, high: number): void {
    places[at] = low;
    places[at + 1] = high;
  }

  function grow(): void {
    const before = places;
    places = new Uint32Array(before.length * 2);
    for (let at = 0; at < before.length; at += 2) {
      const low = before[at] ?? 0;
      const high = before[at + 1] ?? 0;
      if (low === 0 && high === 0) continue;
      put(find(low, high), low, high);
    }
  }

  return {
    has(text: string): boolean {
      const at = find(hash(text, FNV_BASIS ^ seed), hash(text, OTHER_BASIS ^ seed) || 1);
      return places[at] !== 0 || places[at + 1] !== 0;
    },
    add(text: string): void {
      const low = hash(text, FNV_BASIS ^ seed);
      // Never a pair of zeros.
      const high = hash(text, OTHER_BASIS ^ seed) || 1;
      const at = find(low, high);
      if (places[at] === low && places[at + 1] === high) return;
      put(at, low, high);
      count += 1;
      // Four fifths of the places.
      if (count * 5 > places.length * 2) grow();
    },
  };
}

/** FNV-1a over UTF-16 units, with the finalizer of MurmurHash3 so that every bit depends on every unit. */
function hash(text: string, basis: number): number {
  let value = basis;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), FNV_PRIME);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
