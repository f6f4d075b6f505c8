import type { Ora } from 'ora';
import type { Redactor } from '../lib/redact.ts';
import { isInCi, type Runtime } from '../lib/runtime.ts';
import { sanitizeLine } from '../lib/text.ts';

const DELAY = 400;

/** A line at the terminal that says what orgctl waits for, from 400 ms on. */
export interface Spinner {
  /** Says something else, or begins to. */
  show(text: string): void;
  /** Gives way to other text; `show` begins again. */
  hide(): void;
  /** Gives way to the result, for good: a pager may be drawing it. */
  end(): void;
}

export function createSpinner(
  runtime: Pick<Runtime, 'stderr' | 'env' | 'sleep'>,
  redactor: Redactor,
  isOff: boolean,
): Spinner {
  const { stderr, env } = runtime;
  // ora never ends on a terminal that reports 0 columns.
  if (isOff || stderr.isTTY !== true || !stderr.columns || isInCi(env) || env.TERM === 'dumb') {
    return { show: () => undefined, hide: () => undefined, end: () => undefined };
  }
  let text = '';
  let isEnded = false;
  let shown: AbortController | undefined;
  let spinner: Ora | undefined;

  async function start({ signal }: AbortController): Promise<void> {
    await runtime.sleep(DELAY, signal);
    const { default: ora } = await import('ora');
    // It was hidden while ora was loaded.
    if (signal.aborted) return;
    spinner = ora({ text, stream: stderr as NodeJS.WriteStream, discardStdin: false }).start();
  }

  function hide(): void {
    shown?.abort();
    shown = undefined;
    spinner?.stop();
    spinner = undefined;
  }

  return {
    show(next) {
      if (isEnded) return;
      text = redactor.text(sanitizeLine(next));
      if (spinner) spinner.text = text;
      if (shown) return;
      shown = new AbortController();
      // Hiding it ends the wait.
      start(shown).catch(() => undefined);
    },
    hide,
    end() {
      hide();
      isEnded = true;
    },
  };
}
