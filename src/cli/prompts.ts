import { OrgctlError, UsageError } from '../lib/errors.ts';
import { isInCi, type Runtime } from '../lib/runtime.ts';
import { sanitizeLine } from '../lib/text.ts';
import type { Spinner } from './spinner.ts';

/** Questions at the terminal, on stderr. */
export interface Prompts {
  /** Whether a person is there to answer. */
  canAsk: boolean;
  /** Throws `cancelled` unless the answer is yes. */
  confirm(question: string): Promise<void>;
  /** One of the choices, which Enter alone takes the first of. */
  select(question: string, choices: string[]): Promise<string>;
  /** What is typed unseen. */
  secret(question: string): Promise<string>;
}

export function createPrompts(
  runtime: Pick<Runtime, 'stdin' | 'stderr' | 'env'>,
  { isOff, isYes, signal, spinner }: { isOff: boolean; isYes: boolean; signal: AbortSignal; spinner: Spinner },
): Prompts {
  const { stdin, stderr, env } = runtime;
  const canAsk = !isOff && stdin.isTTY === true && stderr.isTTY === true && !isInCi(env);
  const context = { input: stdin, output: stderr, signal };
  const theme = {
    prefix: '',
    style: { message: (text: string) => text, defaultAnswer: (text: string) => `[${text}]` },
  };

  async function ask<T>(prompt: Promise<T>): Promise<T> {
    try {
      return await prompt;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Error) || !/^(ExitPromptError|AbortPromptError)$/.test(error.name)) throw error;
      // At a prompt the terminal hands Ctrl-C over as a key.
      throw /SIGINT/.test(error.message)
        ? new OrgctlError('interrupted', 'Interrupted.')
        : new OrgctlError('cancelled', 'Cancelled. Nothing was changed.');
    }
  }

  return {
    canAsk,
    async confirm(question) {
      if (isYes) return;
      if (!canAsk) {
        throw new UsageError(`this needs a confirmation: ${question}`, {
          code: 'confirmation-needed',
          hint: 'Add --yes, or --dry-run to see what would be done.',
        });
      }
      spinner.hide();
      const { confirm } = await import('@inquirer/prompts');
      const isConfirmed = await ask(confirm({ message: sanitizeLine(question), default: false, theme }, context));
      if (!isConfirmed) throw new OrgctlError('cancelled', 'Cancelled. Nothing was changed.');
    },
    async select(question, choices) {
      spinner.hide();
      const { select } = await import('@inquirer/prompts');
      return ask(select({ message: sanitizeLine(question), choices, theme }, context));
    },
    async secret(question) {
      spinner.hide();
      const { password } = await import('@inquirer/prompts');
      return ask(password({ message: question, theme }, context));
    },
  };
}
