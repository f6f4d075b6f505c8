import { OrgctlError, UsageError } from '../lib/errors.ts';
import { isInCi, readTypedLine } from '../lib/runtime.ts';
import { sanitizeLine } from '../lib/text.ts';
import { createWriter, type Writer } from '../output/writer.ts';
import type { SessionContext } from './global-options.ts';
import type { Spinner } from './spinner.ts';

export class Prompts {
  canAsk: boolean;
  private context: SessionContext;
  private spinner: Spinner;
  private writer: Writer | undefined;

  constructor(context: SessionContext, spinner: Spinner) {
    const { stdin, stderr, env } = context.runtime;
    this.context = context;
    this.spinner = spinner;
    this.canAsk = !context.settings['no-input'].value && stdin.isTTY === true && stderr.isTTY === true && !isInCi(env);
  }

  /** Shows the affected items before the question. Throws `cancelled` unless the answer is yes. */
  async confirm(question: string, affected: string[] = []): Promise<void> {
    if (this.context.options.yes) return;
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
    const lines = choices.map((choice, at) => `${at + 1}. ${choice}`);
    const answer = await this.readLine(`${question} [1-${choices.length}]`, lines);
    return choices[Number(answer || 1) - 1] ?? this.select(question, choices);
  }

  secret(question: string): Promise<string> {
    return this.readLine(question, [], true);
  }

  /** Reads one line after the question. Throws as `readTypedLine` does. */
  private async readLine(question: string, before: string[], isHidden = false): Promise<string> {
    const { runtime, signal } = this.context;
    this.spinner.hide();
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
    this.writer ??= createWriter(this.context.runtime.stderr);
    await this.writer.write(text).catch(() => {
      throw new OrgctlError('cancelled', 'Cancelled.');
    });
  }
}
