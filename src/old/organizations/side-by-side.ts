import { OrgctlError } from '../errors.ts';
import { isSignal } from '../interrupts.ts';
import { AT_ONCE, createStop } from '../stop.ts';

/** Several organizations read at once, and given one after the other. */

/**
 * Resolves when so many more records may wait in memory: at once for the organization whose turn it is. A
 * reading that collects before it gives anything calls it for each page, and `end` when all is collected: while that is given,
 * the next organization is read.
 */
export interface Hold {
  (records: number): Promise<void>;
  end(): void;
}

export type Step<Piece> =
  | { readonly organization: string; readonly piece: Piece }
  /** The end of one that failed. `error` is undefined where it was not attempted, since others failed in a way that meets all. */
  | { readonly organization: string; readonly error: OrgctlError | undefined };

/** Organizations begun before their turn; most have fewer records than may wait. */
const MOST_AHEAD = 64;
/** Records that wait for their turn, of all organizations together. */
const MOST_HELD = 1_000;
/** Pieces of the organization whose turn it is, where the reader is slower than the service. */
const MOST_QUEUED = 2;

class Stopped extends Error {}

interface Lane<Piece extends NonNullable<unknown>> {
  readonly queue: Piece[];
  held: number;
  isRead: boolean;
  end: { readonly error?: unknown } | undefined;
}

/**
 * Reads each organization, several at a time, and gives the pieces in the order of `organizations`, each as soon as its turn
 * comes. One that fails does not keep the others from being read. Throws what is no failure of one organization: a signal, a
 * bug.
 */
export async function* sideBySide<Piece extends NonNullable<unknown>>(
  organizations: readonly string[],
  read: (organization: string, hold: Hold) => AsyncIterable<Piece>,
): AsyncGenerator<Step<Piece>> {
  const lanes: Lane<Piece>[] = [];
  const { changed, change } = createSignal();
  let turn = 0;
  let held = 0;
  let underway = 0;
  let isStopped = false;
  const { succeeded, failed } = createStop('read');

  const run = async (organization: string, lane: Lane<Piece>, index: number): Promise<void> => {
    const mayGoOn = (): boolean => index === turn || (index === turn + 1 && lanes[turn]?.isRead === true);
    const holdMore = async (records: number): Promise<void> => {
      while (!isStopped && !mayGoOn() && held > 0 && held + records > MOST_HELD) await change();
      if (isStopped) throw new Stopped();
      if (index === turn) return;
      held += records;
      lane.held += records;
    };
    const end = (): void => {
      lane.isRead = true;
      changed();
    };
    const hold: Hold = Object.assign(holdMore, { end });
    for await (const piece of read(organization, hold)) {
      lane.queue.push(piece);
      changed();
      while (!isStopped && index === turn && lane.queue.length >= MOST_QUEUED) await change();
      if (isStopped) return;
    }
  };
  const begin = (organization: string): void => {
    const index = lanes.length;
    const lane: Lane<Piece> = { queue: [], held: 0, isRead: false, end: undefined };
    lanes.push(lane);
    underway += 1;
    const finish = (end: NonNullable<Lane<Piece>['end']>): void => {
      lane.end = end;
      underway -= 1;
      fill();
      changed();
    };
    run(organization, lane, index).then(
      () => finish({}),
      (error: unknown) => finish({ error }),
    );
  };
  const fill = (): void => {
    while (!isStopped && underway < AT_ONCE && lanes.length < Math.min(organizations.length, turn + MOST_AHEAD)) {
      if (lanes.length > turn && held >= MOST_HELD) return;
      begin(organizations[lanes.length] as string);
    }
  };

  try {
    for (const organization of organizations) {
      fill();
      const lane = lanes[turn];
      if (isStopped || lane === undefined) {
        yield { organization, error: undefined };
        continue;
      }
      held -= lane.held;
      changed();
      while (lane.queue.length > 0 || lane.end === undefined) {
        const piece = lane.queue.shift();
        if (piece === undefined) await change();
        else {
          changed();
          yield { organization, piece };
        }
      }
      turn += 1;
      changed();
      if (!('error' in lane.end)) {
        succeeded();
        continue;
      }
      const { error } = lane.end;
      // A token that one organization rejects may be accepted by the next: an organization can refuse all tokens of people.
      if (!(error instanceof OrgctlError) || isSignal(error)) throw error;
      if (failed(error) === 'stop') isStopped = true;
      yield { organization, error };
    }
  } finally {
    isStopped = true;
    changed();
  }
}

/** Lets several wait for the next change. */
function createSignal(): { changed(): void; change(): Promise<void> } {
  let waiting: (() => void)[] = [];
  return {
    changed() {
      const all = waiting;
      waiting = [];
      for (const go of all) go();
    },
    change: () => new Promise((resolve) => waiting.push(resolve)),
  };
}

/** What is known of an organization: a value, or what kept it from being found. */
export type FoundEach<T> = { readonly organization: string } & (
  | { readonly value: T; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: OrgctlError }
);

/**
 * Finds something out about each organization, before anything is changed. One that fails does not keep the others from being
 * read. Throws what meets all of them.
 */
export async function findEach<T>(
  organizations: readonly string[],
  find: (organization: string) => Promise<T>,
): Promise<readonly FoundEach<T>[]> {
  const found: FoundEach<T>[] = [];
  let last: OrgctlError | undefined;
  const steps = sideBySide(organizations, async function* (organization) {
    yield { value: await find(organization) };
  });
  for await (const step of steps) {
    const { organization } = step;
    if ('piece' in step) found.push({ organization, ...step.piece });
    else {
      const error = step.error;
      if (error === undefined) throw last;
      last = error;
      found.push({ organization, error });
    }
  }
  // A token that all reject is wrong for each of them.
  if (last !== undefined && found.every(({ error }) => error?.exit === 'not-authenticated')) throw last;
  return found;
}
