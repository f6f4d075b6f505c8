import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { type Opened, type Target, Violation } from './target.ts';

/** Runs targets with inputs that follow from a seed. */

interface Crash {
  /** As small as it could be made. */
  readonly input: unknown;
  readonly what: string;
  readonly seed: number;
}

export interface Report {
  readonly target: string;
  readonly tried: number;
  readonly crashes: readonly Crash[];
  readonly milliseconds: number;
  readonly slowest: { readonly milliseconds: number; readonly input: unknown };
}

export interface Order {
  readonly seed: number;
  readonly inputs: number;
  /** Milliseconds since 1970, after which no more inputs are started. */
  readonly until?: number;
  readonly onCrash?: (crash: Crash) => void;
  readonly signal?: AbortSignal;
}

/** Inputs between two readings of the clock. */
const CHUNK = 500;
/** After so many the target is stopped: more would show the same. */
const MOST_CRASHES = 5;

/** Each chunk has its own seed, so that a crash can be repeated without the inputs before it. */
export async function runTarget(target: Target, order: Order): Promise<Report> {
  const started = Date.now();
  const crashes: Crash[] = [];
  let tried = 0;
  let slowest: Report['slowest'] = { milliseconds: 0, input: undefined };
  const opened = await target.open();
  const watched = watch(opened, (milliseconds, input) => {
    tried += 1;
    if (milliseconds > slowest.milliseconds) slowest = { milliseconds, input };
  });
  try {
    for (let chunk = 0; tried < order.inputs && crashes.length < MOST_CRASHES; chunk += 1) {
      if (order.signal?.aborted === true || Date.now() > (order.until ?? Number.POSITIVE_INFINITY)) break;
      const seed = order.seed + chunk;
      const crash = await tryChunk(target, watched, seed, Math.min(CHUNK, order.inputs - tried));
      if (crash === undefined) continue;
      crashes.push(crash);
      order.onCrash?.(crash);
    }
  } finally {
    await opened.close();
  }
  return { target: target.name, tried, crashes, milliseconds: Date.now() - started, slowest };
}

async function tryChunk(target: Target, opened: Opened, seed: number, numRuns: number): Promise<Crash | undefined> {
  const ear = createEar();
  try {
    const property = fc.asyncProperty(target.inputs, async (input) => {
      await opened.run(input);
      ear.judge();
    });
    const limits = { interruptAfterTimeLimit: 120_000, markInterruptAsFailure: false };
    const details = await fc.check(property, { seed, numRuns, ...limits });
    if (details.failed) return { input: details.counterexample?.[0], what: describe(details.errorInstance), seed };
    // Rejections that Node reports in a later turn may come after the last input.
    await setImmediate();
    ear.judge();
    return undefined;
  } catch (error) {
    return { input: 'one of the last of these', what: describe(error), seed };
  } finally {
    ear.close();
  }
}

/** Throws for an input that breaks a law. */
export async function runInput(target: Target, input: unknown): Promise<void> {
  const ear = createEar();
  const opened = await target.open();
  try {
    await opened.run(input);
    await setImmediate();
    ear.judge();
  } finally {
    await opened.close();
    ear.close();
  }
}

/** Collects unhandled rejections, and warnings, which Node itself writes to stderr. */
function createEar(): { judge(): void; close(): void } {
  const heard: unknown[] = [];
  const hear = (reason: unknown): void => void heard.push(reason);
  process.on('unhandledRejection', hear);
  process.on('warning', hear);
  return {
    judge() {
      if (heard.length > 0) throw new Violation(`unhandled: ${heard.splice(0).map(describe).join('; ')}`);
    },
    close() {
      process.off('unhandledRejection', hear);
      process.off('warning', hear);
    },
  };
}

function watch(opened: Opened, onInput: (milliseconds: number, input: unknown) => void): Opened {
  return {
    ...opened,
    async run(input) {
      const started = performance.now();
      try {
        await opened.run(input);
      } finally {
        onInput(performance.now() - started, input);
      }
    },
  };
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
