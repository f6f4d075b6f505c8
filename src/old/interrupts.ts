import { OrgctlError, reword } from './errors.ts';
import type { ExitName } from './exit-codes.ts';
import type { Host, SignalName } from './host.ts';

/** An act that signals wait for, to the person who sends them. */
export interface Unfinished {
  /** Completes "Finishing: …". */
  readonly doing: string;
  /** What ending it now would put at stake, and what the next run will do. */
  readonly atStake: readonly string[];
}

export interface Deferral {
  /** Milliseconds. */
  readonly grace?: number;
  readonly unfinished?: Unfinished;
}

/** Called at each signal. `unfinished`: what it waits for, and `count` how many signals have. */
type Listener = (name: SignalName, unfinished: Unfinished | undefined, count: number) => void;

export type Interrupts = ReturnType<typeof createInterrupts>;

const EXITS: Readonly<Record<SignalName, ExitName>> = {
  SIGHUP: 'hangup',
  SIGINT: 'interrupted',
  SIGTERM: 'terminated',
};

const MESSAGES: Readonly<Record<SignalName, string>> = {
  SIGHUP: 'Interrupted: the terminal was closed.',
  SIGINT: 'Interrupted.',
  SIGTERM: 'Interrupted: another program ended this one.',
};

function toReason(name: SignalName): OrgctlError {
  return new OrgctlError(EXITS[name], MESSAGES[name]);
}

const SIGNAL_EXITS: ReadonlySet<ExitName> = new Set(Object.values(EXITS));

/** Whether a signal ended it. */
export function isSignal(error: unknown): boolean {
  return error instanceof OrgctlError && SIGNAL_EXITS.has(error.exit);
}

export const UNCHANGED = 'Nothing was changed.';

/** Says that of a signal, where it does not say what it left. */
export function withUnchanged(error: OrgctlError): OrgctlError {
  return isSignal(error) && error.reasons.length === 0 ? reword(error, { reasons: [UNCHANGED] }) : error;
}

/** The signal behind an error that says which write it cut short. */
export function toSignal(error: OrgctlError): OrgctlError {
  return error.cause instanceof OrgctlError ? error.cause : error;
}

/** Signals that end a run: at once, or after something that must not be cut in two. */
export function createInterrupts(host: Host) {
  const controller = new AbortController();
  let deferring = 0;
  let hasDeferred = false;
  let waiting: OrgctlError | undefined;
  let onWaiting: (reason: OrgctlError) => void = () => undefined;
  let isAwaited = false;
  let unfinished: Unfinished | undefined;
  let count = 0;
  let listener: Listener = () => undefined;
  const disposals = (Object.keys(EXITS) as SignalName[]).map((name) =>
    host.onSignal(name, () => {
      if (deferring > 0) count += 1;
      listener(name, unfinished, count);
      take(toReason(name));
    }),
  );
  function take(reason: OrgctlError): void {
    if (deferring === 0) controller.abort(reason);
    else if (waiting === undefined) {
      waiting = reason;
      onWaiting(reason);
    }
  }
  return {
    signal: controller.signal,
    /**
     * While the act runs, signals wait; the first of them is thrown when it is over. With `grace`, in milliseconds, it is
     * thrown no later than so long after it came, and `signal` is aborted: the act is then left to itself.
     */
    async defer<T>(act: () => Promise<T>, { grace, ...rest }: Deferral = {}): Promise<T> {
      deferring += 1;
      hasDeferred = true;
      unfinished = rest.unfinished;
      let result: T;
      const over = new AbortController();
      const cut = new Promise<never>((_resolve, reject) => {
        if (grace === undefined) return;
        onWaiting = (reason) => {
          const end = (): void => {
            controller.abort(reason);
            reject(reason);
          };
          host.sleep(grace, over.signal).then(end, () => undefined);
        };
      });
      try {
        result = await Promise.race([act(), cut]);
      } finally {
        deferring -= 1;
        unfinished = undefined;
        over.abort();
        onWaiting = () => undefined;
      }
      if (waiting !== undefined) {
        controller.abort(waiting);
        throw waiting;
      }
      return result;
    },
    /** One at a time. */
    listen(act: Listener): void {
      listener = act;
    },
    /** Whether such an act was begun: it may have changed something. */
    hasDeferred: () => hasDeferred,
    /** Whether a signal waits for such an act to end. */
    isPending: () => waiting !== undefined,
    /** For a run that only a signal ends, as that of a server. Never resolves: rejects with the signal's error. */
    wait(): Promise<never> {
      isAwaited = true;
      return new Promise((_resolve, reject) => {
        if (controller.signal.aborted) reject(controller.signal.reason);
        controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
      });
    },
    /** Whether the run waited for this end, so that it is no failure. */
    isExpected: (error: unknown) => isAwaited && controller.signal.aborted && error === controller.signal.reason,
    dispose(): void {
      for (const dispose of disposals) dispose();
    },
  };
}
