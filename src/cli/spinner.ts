import type { Ora } from 'ora';
import type { Redactor } from '../lib/redact.ts';
import { isInCi, type Runtime } from '../lib/runtime.ts';
import { sanitizeLine } from '../lib/text.ts';

const DELAY = 400;

export type Spinner = ReturnType<typeof createSpinner>;

/** Shows at the terminal what orgctl waits for, from 400 ms on. */
export function createSpinner({ stderr, env, sleep }: Runtime, redactor: Redactor, isQuiet: boolean) {
  // ora never ends on a terminal that reports 0 columns.
  let isOff = isQuiet || stderr.isTTY !== true || !stderr.columns || isInCi(env) || env.TERM === 'dumb';
  let text = '';
  let counted: string | undefined;
  let shown: AbortController | undefined;
  let spinner: Ora | undefined;

  async function start(signal: AbortSignal): Promise<void> {
    await sleep(DELAY, signal);
    const { default: ora } = await import('ora');
    if (!signal.aborted) spinner = ora({ text, stream: stderr as NodeJS.WriteStream, discardStdin: false }).start();
  }

  /** Makes room for other text; `show` begins again. */
  function hide(): void {
    shown?.abort();
    shown = undefined;
    spinner?.stop();
    spinner = undefined;
  }

  function show(waitingFor: string): void {
    if (isOff) return;
    text = redactor.text(sanitizeLine(waitingFor));
    if (spinner) spinner.text = text;
    if (shown) return;
    shown = new AbortController();
    // Hiding aborts the wait.
    start(shown.signal).catch(() => undefined);
  }

  return {
    hide,
    show,
    /** Shows how far the work is, also while it waits for something. */
    count(progress: string): void {
      counted = progress;
      show(progress);
    },
    wait: (waitingFor: string): void => show(counted ?? waitingFor),
    /** Makes room for the result. A pager may draw from now on, so `show` does nothing more. */
    end(): void {
      hide();
      isOff = true;
    },
  };
}
