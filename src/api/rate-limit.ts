import type { Runtime } from '../lib/runtime.ts';

/** Requests per second that the hosted service accepts from a token (facts). */
const LIMIT = 30;
/** A second, and a margin for jitter on the way. */
const WINDOW = 1_025;

/**
 * Allows at most 30 requests in any second. It keeps the times of the last requests, since the burst of a token bucket would
 * exceed the limit of services that count by window.
 */
export class RateLimiter {
  private runtime: Pick<Runtime, 'now' | 'sleep'>;
  private leftAt: number[] = [];
  /** Requests that had their turn and wait for a connection. */
  private waiting = 0;
  private wake = (): void => undefined;
  private pausedUntil = 0;
  private queue = Promise.resolve();

  constructor(runtime: Pick<Runtime, 'now' | 'sleep'>) {
    this.runtime = runtime;
  }

  /** Calls `send` when the next request may be sent. Its second begins when `send` calls `onLeave`. */
  async run<T>(signal: AbortSignal, send: (onLeave: () => void) => Promise<T>): Promise<T> {
    const turn = this.queue.then(() => this.waitForTurn(signal));
    this.queue = turn.catch(() => undefined);
    await turn;
    let isWaiting = true;
    const stopWaiting = (): void => {
      if (!isWaiting) return;
      isWaiting = false;
      this.waiting -= 1;
      this.wake();
    };
    const onLeave = (): void => {
      stopWaiting();
      this.leftAt.push(this.runtime.now());
    };
    return send(onLeave).finally(stopWaiting);
  }

  /** Delays every request. */
  pause(milliseconds: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, this.runtime.now() + milliseconds);
  }

  private async waitForTurn(signal: AbortSignal): Promise<void> {
    if (this.waiting === LIMIT) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    const { now, sleep } = this.runtime;
    let time = now();
    for (let next = this.findTurn(time); next > time; next = this.findTurn(time)) {
      await sleep(next - time, signal);
      time = Math.max(next, now());
    }
    signal.throwIfAborted();
    this.waiting += 1;
  }

  private findTurn(time: number): number {
    // The clock may have been set back.
    this.leftAt = this.leftAt.slice(-LIMIT).map((at) => Math.min(at, time));
    return Math.max((this.leftAt.at(this.waiting - LIMIT) ?? -WINDOW) + WINDOW, this.pausedUntil);
  }
}
