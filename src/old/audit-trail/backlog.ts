import type { SpillFile } from '../files/spill-file.ts';

/** An event as JSON text, and when it happened. */
interface Waiting {
  readonly at: number;
  readonly text: string;
}

export type Backlog = ReturnType<typeof createBacklog>;

/** Events that are kept in memory: a page, as the service gives it. */
const MOST_IN_MEMORY = 1_000;

/**
 * Events that wait to be delivered: they come newest first, and leave oldest first. Few are kept in memory, more in a file,
 * so that memory does not grow with the trail.
 */
export function createBacklog(openFile: () => SpillFile) {
  let waiting: Waiting[] = [];
  let file: SpillFile | undefined;
  let written = 0;
  // Of those in the file, in the order in which they came.
  const places = createColumns();

  function spill(): void {
    file ??= openFile();
    const bytes: Buffer[] = [];
    for (const { at, text } of waiting) {
      const piece = Buffer.from(text);
      places.push(at, written, piece.length);
      written += piece.length;
      bytes.push(piece);
    }
    file.append(Buffer.concat(bytes));
    waiting = [];
  }

  function read(
    from: SpillFile,
    places: readonly { readonly at: number; readonly start: number; readonly length: number }[],
  ) {
    const begin = Math.min(...places.map(({ start }) => start));
    const end = Math.max(...places.map(({ start, length }) => start + length));
    // Nearly always they stand beside each other.
    const isTogether = end - begin <= 2 * places.reduce((sum, { length }) => sum + length, 0);
    const whole = isTogether ? from.read(begin, end - begin) : undefined;
    return places.map(({ at, start, length }) => {
      const piece =
        whole === undefined ? from.read(start, length) : whole.subarray(start - begin, start - begin + length);
      return { at, text: piece.toString('utf8') };
    });
  }

  return {
    get size() {
      return waiting.length + places.length;
    },
    /** When the oldest one happened; undefined where there is none. */
    oldest: () => [...waiting.map(({ at }) => at), ...places.instants()].reduce<number | undefined>(min, undefined),
    /** In the order in which they came. Throws OrgctlError where the file has no room. */
    add(events: readonly Waiting[]): void {
      waiting.push(...events);
      if (file !== undefined || waiting.length > MOST_IN_MEMORY) spill();
    },
    /** The oldest first, and of the same instant the one that came last. */
    *batches(most: number): Generator<readonly Waiting[]> {
      if (file === undefined) {
        const sorted = [...waiting].reverse().sort((one, other) => one.at - other.at);
        for (let start = 0; start < sorted.length; start += most) yield sorted.slice(start, start + most);
        return;
      }
      const order = places.oldestFirst();
      for (let start = 0; start < order.length; start += most) {
        yield read(file, [...order.subarray(start, start + most)].map(places.get));
      }
    },
    close(): void {
      waiting = [];
      file?.close();
      file = undefined;
    },
  };
}

function min(least: number | undefined, value: number): number {
  return least === undefined ? value : Math.min(least, value);
}

/** Where events stand in the file, in 20 bytes each. */
function createColumns() {
  let instants = new Float64Array(MOST_IN_MEMORY);
  let starts = new Float64Array(MOST_IN_MEMORY);
  let lengths = new Uint32Array(MOST_IN_MEMORY);
  let count = 0;
  const grow = <Column extends Float64Array | Uint32Array>(column: Column): Column => {
    const larger = new (column.constructor as new (length: number) => Column)(column.length * 2);
    larger.set(column);
    return larger;
  };
  return {
    get length() {
      return count;
    },
    instants: () => instants.subarray(0, count),
    push(at: number, start: number, length: number): void {
      if (count === instants.length) {
        instants = grow(instants);
        starts = grow(starts);
        lengths = grow(lengths);
      }
      instants[count] = at;
      starts[count] = start;
      lengths[count] = length;
      count += 1;
    },
    get: (index: number) => ({ at: instants[index] ?? 0, start: starts[index] ?? 0, length: lengths[index] ?? 0 }),
    oldestFirst: (): Uint32Array =>
      Uint32Array.from({ length: count }, (_, index) => index).sort(
        (one, other) => (instants[one] ?? 0) - (instants[other] ?? 0) || other - one,
      ),
  };
}
