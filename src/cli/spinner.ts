import type { Ora } from 'ora';
import type { Redactor } from '../lib/redact.ts';
import { isInCi, type Runtime } from '../lib/runtime.ts';
import { sanitizeLine } from '../lib/text.ts';

const DELAY = 400;

/** Shows at the terminal what orgctl waits for, from 400 ms on. */
export class Spinner {
  private runtime: Pick<Runtime, 'stderr' | 'env' | 'sleep'>;
  private redactor: Redactor;
  private isOff: boolean;
  private text = '';
  private shown: AbortController | undefined;
  private ora: Ora | undefined;

  constructor(runtime: Pick<Runtime, 'stderr' | 'env' | 'sleep'>, redactor: Redactor, isOff: boolean) {
    const { stderr, env } = runtime;
    this.runtime = runtime;
    this.redactor = redactor;
    // ora never ends on a terminal that reports 0 columns.
    this.isOff = isOff || stderr.isTTY !== true || !stderr.columns || isInCi(env) || env.TERM === 'dumb';
  }

  show(text: string): void {
    if (this.isOff) return;
    this.text = this.redactor.text(sanitizeLine(text));
    if (this.ora) this.ora.text = this.text;
    if (this.shown) return;
    this.shown = new AbortController();
    // Hiding aborts the wait.
    this.start(this.shown.signal).catch(() => undefined);
  }

  /** Makes room for other text; `show` begins again. */
  hide(): void {
    this.shown?.abort();
    this.shown = undefined;
    this.ora?.stop();
    this.ora = undefined;
  }

  /** Makes room for the result. A pager may draw from now on, so `show` does nothing more. */
  end(): void {
    this.hide();
    this.isOff = true;
  }

  private async start(signal: AbortSignal): Promise<void> {
    await this.runtime.sleep(DELAY, signal);
    const { default: ora } = await import('ora');
    if (signal.aborted) return;
    const stream = this.runtime.stderr as NodeJS.WriteStream;
    this.ora = ora({ text: this.text, stream, discardStdin: false }).start();
  }
}
