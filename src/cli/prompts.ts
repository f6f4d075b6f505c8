import { OrgctlError, UsageError } from '../lib/errors.ts';
import { isInCi, type Runtime } from '../lib/runtime.ts';
import { sanitizeLine } from '../lib/text.ts';
import type { Spinner } from './spinner.ts';

/** Questions at the terminal, on stderr. */
export interface Prompts {
  /** Whether a person is there to answer. */
  canAsk: boolean;
  /** Shows what is affected, and asks. Throws `cancelled` unless the answer is yes. */
  confirm(question: string, affected?: string[]): Promise<void>;
  /** Returns the chosen one; Enter alone takes the first. */
  select(question: string, choices: string[]): Promise<string>;
  /** Returns text that is typed unseen. */
  secret(question: string): Promise<string>;
}

export function createPrompts(
  runtime: Pick<Runtime, 'stdin' | 'stderr' | 'env'>,
  { isOff, isYes, signal, spinner }: { isOff: boolean; isYes: boolean; signal: AbortSignal; spinner: Spinner },
): Prompts {
  const { stdin, stderr, env } = runtime;
  const canAsk = !isOff && stdin.isTTY === true && stderr.isTTY === true && !isInCi(env);

  async function ask<T>(prompt: (context: object) => Promise<T>): Promise<T> {
    spinner.hide();
    const closed = new AbortController();
    // readline pauses the input when Ctrl-D closes it, of which inquirer hears nothing, and after Ctrl-Z, not yet raw.
    const onPause = (): void => void (stdin.isRaw ? closed.abort() : stdin.resume());
    stdin.on('pause', onPause);
    try {
      return await prompt({ input: stdin, output: stderr, signal: AbortSignal.any([signal, closed.signal]) });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Error) || !/^(ExitPromptError|AbortPromptError)$/.test(error.name)) throw error;
      // At a prompt the terminal hands Ctrl-C over as a key.
      throw /SIGINT/.test(error.message)
        ? new OrgctlError('interrupted', 'Interrupted.')
        : new OrgctlError('cancelled', 'Cancelled.');
    } finally {
      stdin.off('pause', onPause);
      stdin.pause();
    }
  }

  return {
    canAsk,
    async confirm(question, affected = []) {
      if (isYes) return;
      if (!canAsk) {
        throw new UsageError(`this needs a confirmation: ${question}`, {
          code: 'confirmation-needed',
          reasons: affected,
          hint: 'Add --yes, or --dry-run to see what would be done.',
        });
      }
      spinner.hide();
      stderr.write(affected.map((text) => `${sanitizeLine(text)}\n`).join(''));
      const { confirm } = await import('@inquirer/prompts');
      const isConfirmed = await ask((context) => confirm({ ...phrase(question), default: false }, context));
      if (!isConfirmed) throw new OrgctlError('cancelled', 'Cancelled. Nothing was changed.');
    },
    async select(question, choices) {
      const { select } = await import('@inquirer/prompts');
      return ask((context) => select({ ...phrase(question), choices }, context));
    },
    async secret(question) {
      const { password } = await import('@inquirer/prompts');
      return ask((context) => password(phrase(question), context));
    },
  };
}

/** inquirer puts a prefix and a blank before each message: here the prefix is the first word. */
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
