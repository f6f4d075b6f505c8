import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Say } from '../campaign/judge.ts';
import { type Trail, toNumber } from './trail.ts';

/** What followers have written to one file, read as it grows and compared with what the service played. */

/** What one run added. */
export interface Added {
  /** In the order in which they were printed. */
  readonly numbers: readonly number[];
  /** Those of them that were there before. */
  readonly repeated: readonly number[];
  /** An event that lacked its line end when the run before was killed. */
  readonly completed: number | undefined;
  readonly faults: readonly string[];
}

export type Archive = ReturnType<typeof createArchive>;

const PIECE = 1 << 20;

export function createArchive(trail: Trail, path: string) {
  /** How often each event is there. */
  let counts = new Uint8Array(1 << 18);
  let offset = 0;
  /** What follows the last line end. */
  let rest = '';
  const torn: string[] = [];
  let repeats = 0;

  function add(number: number): boolean {
    if (number >= counts.length) {
      const larger = new Uint8Array(Math.max(counts.length * 2, number + 1));
      larger.set(counts);
      counts = larger;
    }
    const before = counts[number] ?? 0;
    counts[number] = Math.min(255, before + 1);
    return before > 0;
  }

  function toEvent(line: string, faults: string[]): number | undefined {
    let event: { readonly id?: unknown };
    try {
      event = JSON.parse(line);
    } catch {
      return undefined;
    }
    const number = toNumber(event.id);
    if (number === undefined) {
      faults.push(`a line is no event: ${line.slice(0, 200)}`);
      return undefined;
    }
    const expected = trail.toText(number);
    if (line !== expected && !isDeepStrictEqual(event, JSON.parse(expected))) {
      faults.push(`event ${number} is not what the service gave: ${line.slice(0, 200)}`);
    }
    return number;
  }

  return {
    /** Reads what was added since. A half line at the end is an event that is not there yet, or a torn line. */
    absorb(): Added {
      const [numbers, repeated, faults]: [number[], number[], string[]] = [[], [], []];
      let latest = Number.NEGATIVE_INFINITY;
      let completed: number | undefined;
      let isFirst = true;
      const take = (line: string): void => {
        const number = toEvent(line, faults);
        if (number === undefined) {
          torn.push(line);
          return;
        }
        numbers.push(number);
        if (add(number)) repeated.push(number);
        const time = trail.toTime(number);
        if (time < latest) faults.push(`event ${number} comes after later ones of the same run`);
        latest = Math.max(latest, time);
      };
      const isTorn = rest !== '';
      for (const piece of readFrom(path, offset)) {
        offset += piece.length;
        let text = piece.toString('latin1');
        if (isFirst && isTorn) {
          if (!text.startsWith('\n')) faults.push('what was written next does not begin a line of its own');
          else text = text.slice(1);
          const former = Buffer.from(rest, 'latin1').toString('utf8');
          rest = '';
          isFirst = false;
          completed = toEvent(former, faults);
          if (completed === undefined) torn.push(former);
          else add(completed);
        }
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          take(Buffer.from(line, 'latin1').toString('utf8'));
          isFirst = false;
        }
      }
      repeats += repeated.length;
      return { numbers, repeated, completed, faults };
    },
    /** Those of these that are not there. */
    missing: (expected: Iterable<number>): readonly number[] =>
      [...expected].filter((number) => (counts[number] ?? 0) === 0),
    /** Says what is wrong in the end with an archive that has to hold these events, and of which so many lines may be torn. */
    judge(expected: Iterable<number>, mayTear: number, say: Say) {
      const all = [...expected];
      const missing = this.missing(all);
      const such = missing.slice(0, 3).join(', ');
      if (missing.length > 0) say(`${missing.length} of ${all.length} events are missing, such as ${such}`);
      if (torn.length > mayTear) say(`${torn.length} lines are torn, and ${mayTear} may be`);
      if (rest !== '') say('the archive ends within a line');
      return { expected: all.length, missing: missing.length, repeated: repeats, torn: torn.length };
    },
    torn: (): readonly string[] => torn,
    /** Events, each once. */
    count: () => counts.reduce((sum, each) => sum + (each > 0 ? 1 : 0), 0),
  };
}

/** The rest of a file from there, in pieces. Bytes stay bytes: a character may lie on both sides of a cut. */
function* readFrom(path: string, start: number): Generator<Buffer> {
  if (!existsSync(path)) return;
  const file = openSync(path, 'r');
  try {
    for (let at = start; at < fstatSync(file).size; ) {
      const piece = Buffer.alloc(PIECE);
      const length = readSync(file, piece, 0, PIECE, at);
      yield piece.subarray(0, length);
      at += length;
    }
  } finally {
    closeSync(file);
  }
}
