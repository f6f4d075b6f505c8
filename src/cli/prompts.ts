import { OrgctlError, UsageError } from '../lib/errors.ts';
import { isInCi, readTypedLine } from '../lib/runtime.ts';
import { sanitizeLine } from '../lib/text.ts';
import { createWriter, type Writer } from '../output/writer.ts';
import type { SessionContext } from './global-options.ts';
import type { Spinner } from './spinner.ts';

const addNumbers = (choices: string[]): string[] => choices.map((choice, at) => `${at + 1}. ${choice}`);

export function createPrompts({ runtime, options, settings, signal }: SessionContext, spinner: Spinner) {
  const { env } = runtime;
  // Opening stdin takes 3 ms, and most runs ask nothing.
  const canAsk = (): boolean =>
    !settings['no-input'].value && runtime.stdin.isTTY === true && runtime.stderr.isTTY === true && !isInCi(env);
  let writer: Writer | undefined;

  async function write(text: string): Promise<void> {
    writer ??= createWriter(runtime.stderr);
    await writer.write(text).catch(() => {
      throw new OrgctlError('cancelled', 'Cancelled.');
    });
  }

  /** Reads one line after the question. Throws what `readTypedLine` throws. */
  async function readLine(question: string, before: string[], isHidden = false): Promise<string> {
    spinner.hide();
    const ask = (): Promise<void> => write(`${[...before, question].map(sanitizeLine).join('\n')} `);
    let isEchoed = false;
    try {
      const line = await readTypedLine(runtime, ask, isHidden, signal);
      isEchoed = !isHidden;
      return line.trim();
    } finally {
      if (!isEchoed) await write('\n');
    }
  }

  /** Shows the affected items before the question. Throws `cancelled` unless the answer is yes. */
  async function confirm(question: string, affected: string[] = []): Promise<void> {
    if (options.yes) return;
    if (!canAsk()) {
      throw new UsageError(`this needs a confirmation: ${question}`, {
        code: 'confirmation-needed',
        reasons: affected,
        hint: 'Add --yes, or --dry-run to see what would be done.',
      });
    }
    const answer = await readLine(`${question} [y/N]`, affected);
    if (!/^(y|yes)$/i.test(answer)) throw new OrgctlError('cancelled', 'Cancelled. Nothing was changed.');
  }

  /** Enter without a choice selects the first. */
  async function select(question: string, choices: string[], before = addNumbers(choices)): Promise<string> {
    const answer = await readLine(`${question} (Enter takes 1) [1-${choices.length}]`, before);
    return choices[Number(answer || 1) - 1] ?? select(question, choices, [`Choose 1 to ${choices.length}.`]);
  }

  return { canAsk, confirm, select, secret: (question: string) => readLine(question, [], true) };
}
