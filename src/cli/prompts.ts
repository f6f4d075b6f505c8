import { OrgctlError, UsageError } from '../lib/errors.ts';
import { isInCi, type Runtime } from '../lib/runtime.ts';
import { sanitizeLine } from '../lib/text.ts';
import type { Spinner } from './spinner.ts';

interface PromptOptions {
  runtime: Pick<Runtime, 'stdin' | 'stderr' | 'env'>;
  isOff: boolean;
  /** Answers confirmations with yes. */
  isYes: boolean;
  signal: AbortSignal;
  spinner: Spinner;
}

/** Asks at the terminal, on stderr. */
export class Prompts {
  /** Whether a person can answer. */
  canAsk: boolean;
  private options: PromptOptions;

  constructor(options: PromptOptions) {
    const { stdin, stderr, env } = options.runtime;
    this.options = options;
    this.canAsk = !options.isOff && stdin.isTTY === true && stderr.isTTY === true && !isInCi(env);
  }

  /** Shows the affected items before the question. Throws `cancelled` unless the answer is yes. */
  async confirm(question: string, affected: string[] = []): Promise<void> {
    const { runtime, isYes, spinner } = this.options;
    if (isYes) return;
    if (!this.canAsk) {
      throw new UsageError(`this needs a confirmation: ${question}`, {
        code: 'confirmation-needed',
        reasons: affected,
        hint: 'Add --yes, or --dry-run to see what would be done.',
      });
    }
    spinner.hide();
    runtime.stderr.write(affected.map((text) => `${sanitizeLine(text)}\n`).join(''));
    const { confirm } = await import('@inquirer/prompts');
    const isConfirmed = await this.ask((context) => confirm({ ...phrase(question), default: false }, context));
    if (!isConfirmed) throw new OrgctlError('cancelled', 'Cancelled. Nothing was changed.');
  }

  /** Enter without a choice selects the first. */
  async select(question: string, choices: string[]): Promise<string> {
    const { select } = await import('@inquirer/prompts');
    const named = choices.map((value) => ({ value, name: sanitizeLine(value) }));
    return this.ask((context) => select({ ...phrase(question), choices: named }, context));
  }

  /** Hides the input. */
  async secret(question: string): Promise<string> {
    const { password } = await import('@inquirer/prompts');
    return this.ask((context) => password(phrase(question), context));
  }

  private async ask<T>(prompt: (context: object) => Promise<T>): Promise<T> {
    const { runtime, signal, spinner } = this.options;
    const { stdin, stderr } = runtime;
    spinner.hide();
    const closed = new AbortController();
    // readline pauses the input when Ctrl-D closes it, which inquirer does not notice, and after Ctrl-Z, not yet raw.
    const onPause = (): void => void (stdin.isRaw ? closed.abort() : stdin.resume());
    stdin.on('pause', onPause);
    try {
      return await prompt({ input: stdin, output: stderr, signal: AbortSignal.any([signal, closed.signal]) });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Error) || !/^(ExitPromptError|AbortPromptError)$/.test(error.name)) throw error;
      // A terminal in raw mode sends Ctrl-C as a key.
      throw /SIGINT/.test(error.message)
        ? new OrgctlError('interrupted', 'Interrupted.')
        : new OrgctlError('cancelled', 'Cancelled.');
    } finally {
      stdin.off('pause', onPause);
      stdin.pause();
    }
  }
}

/** inquirer prints a prefix and a space before each message, so the prefix is the first word. */
function phrase(question: string) {
  const [prefix = '', ...words] = sanitizeLine(question).split(' ');
  const plain = (text: string): string => text;
  const style = {
    message: plain,
    answer: plain,
    highlight: plain,
    defaultAnswer: (text: string) => `[${text}]`,
    help: () => '',
    keysHelpTip: () => 'Use the arrow keys, then Enter.',
  };
  return { message: words.join(' '), theme: { prefix, style, icon: { cursor: '>' } } };
}
