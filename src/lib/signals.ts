import { OrgctlError } from './errors.ts';
import { SIGNAL_EXITS, type SignalName } from './exit-codes.ts';
import type { Runtime } from './runtime.ts';

export type Signals = ReturnType<typeof listenToSignals>;

/** SIGINT, SIGTERM and SIGHUP abort `signal`, with an OrgctlError of the signal's exit code as its reason. */
export function listenToSignals(runtime: Pick<Runtime, 'onSignal'>) {
  const controller = new AbortController();
  let deferring = 0;
  let pending: OrgctlError | undefined;
  const removers = (Object.keys(SIGNAL_EXITS) as SignalName[]).map((name) =>
    runtime.onSignal(name, () => {
      const error = new OrgctlError(SIGNAL_EXITS[name], 'Interrupted.');
      if (deferring > 0) pending ??= error;
      else controller.abort(error);
    }),
  );
  return {
    signal: controller.signal,
    /** Runs `act` to its end; a signal that arrives meanwhile aborts `signal` afterwards. */
    async defer<T>(act: () => Promise<T>): Promise<T> {
      deferring += 1;
      try {
        return await act();
      } finally {
        deferring -= 1;
        if (pending && deferring === 0) controller.abort(pending);
      }
    },
    dispose(): void {
      for (const remove of removers) remove();
    },
  };
}
