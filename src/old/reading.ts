/** A list, read piece by piece in one of two ways. */

/**
 * `as it comes`: each piece is given when it is read, and stays given. `whole`: none is given before all are read, so that a
 * list that contradicts itself can be read again.
 */
export type Way = 'as it comes' | 'whole';

export interface Reading<Piece> {
  /**
   * What is kept of each piece, decided when it is read: all that came need not fit into the memory, and the next one is read
   * once it is. `keep` is asked again where the list is read again. May throw after some were given: that a list contradicts
   * itself may show only at its end.
   */
  read<Kept>(way: Way, keep: (piece: Piece) => Kept | Promise<Kept>): AsyncIterable<Kept>;
}

export function stream<Piece>(reading: Reading<Piece>): AsyncIterable<Piece> {
  return reading.read('as it comes', (piece) => piece);
}

export async function collect<Piece, Kept>(
  reading: Reading<Piece>,
  keep: (piece: Piece) => Kept | Promise<Kept>,
): Promise<readonly Kept[]> {
  const all: Kept[] = [];
  for await (const kept of reading.read('whole', keep)) all.push(kept);
  return all;
}
