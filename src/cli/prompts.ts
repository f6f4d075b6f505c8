import { OrgctlError, UsageError } from '../lib/errors.ts';
import { isInCi, type Runtime, readTypedLine } from '../lib/runtime.ts';
import { sanitizeLine } from '../lib/text.ts';
import { createWriter, type Writer } from '../output/writer.ts';
import type { Spinner } from './spinner.ts';

interface PromptOptions {
  runtime: Pick<Runtime, 'stdin' | 'stderr' | 'env'>;
  isOff: boolean;
  /** Writes no escape sequences. */
  isPlain: boolean;
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
  private writer: Writer | undefined;

  constructor(options: PromptOptions) {
    const { stdin, stderr, env } = options.runtime;
    this.options = options;
    this.canAsk = !options.isOff && stdin.isTTY === true && stderr.isTTY === true && !isInCi(env);
  }

  /** Shows the affected items before the question. Throws `cancelled` unless the answer is yes. */
  async confirm(question: string, affected: string[] = []): Promise<void> {
    if (this.options.isYes) return;
    if (!this.canAsk) {
      throw new UsageError(`this needs a confirmation: ${question}`, {
        code: 'confirmation-needed',
        reasons: affected,
        hint: 'Add --yes, or --dry-run to see what would be done.',
      });
    }
    const answer = await this.readLine(`${question} [y/N]`, affected);
    if (!/^(y|yes)$/i.test(answer)) throw new OrgctlError('cancelled', 'Cancelled. Nothing was changed.');
  }

  /** Enter without a choice selects the first. */
  async select(question: string, choices: string[]): Promise<string> {
    if (this.options.isPlain) return this.selectByNumber(question, choices);
    const { select } = await import('@inquirer/prompts');
    const named = choices.map((value) => ({ value, name: sanitizeLine(value) }));
    return this.ask((context) => select({ ...phrase(question), choices: named }, context));
  }

  private async selectByNumber(question: string, choices: string[]): Promise<string> {
    const lines = choices.map((choice, at) => `${at + 1}. ${choice}`);
    const answer = await this.readLine(`${question} [1-${choices.length}]`, lines);
    return choices[Number(answer || 1) - 1] ?? this.selectByNumber(question, choices);
  }

  /** Hides the input. */
  async secret(question: string): Promise<string> {
    if (this.options.isPlain) return this.readLine(question, [], true);
    const { password } = await import('@inquirer/prompts');
    return this.ask((context) => password(phrase(question), context));
  }

  /** Reads one line after the question. Throws as `readTypedLine` does. */
  private async readLine(question: string, before: string[], isHidden = false): Promise<string> {
    const { runtime, signal, spinner } = this.options;
    spinner.hide();
    const ask = (): Promise<void> => this.write(`${[...before, question].map(sanitizeLine).join('\n')} `);
    let isEchoed = false;
    try {
      const line = await readTypedLine(runtime, ask, isHidden, signal);
      isEchoed = !isHidden;
      return line.trim();
    } finally {
      if (!isEchoed) await this.write('\n');
    }
  }

  private async write(text: string): Promise<void> {
    this.writer ??= createWriter(this.options.runtime.stderr);
    await this.writer.write(text).catch(() => {
      throw new OrgctlError('cancelled', 'Cancelled.');
    });
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
    help: () => '',
    keysHelpTip: () => 'Use the arrow keys, then Enter.',
  };
  return { message: words.join(' '), theme: { prefix, style, icon: { cursor: '>' } } };
}
