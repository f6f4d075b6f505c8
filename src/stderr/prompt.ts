import type { Writable } from 'node:stream';
import { OrgctlError, UsageError } from '../errors.ts';
import { type Host, isInCi } from '../host.ts';
import { toPlainText } from '../text/plain-text.ts';

/** Something that must not happen by accident. */
export interface Confirmation {
  /** Completes "… needs confirmation" and "… was declined": what is about to happen. */
  readonly act: string;
  /** What it means, a line each; shown before the question. */
  readonly consequences: readonly string[];
  /** The word to type; a plain yes suffices when left out. */
  readonly typed?: string;
}

export interface PromptOptions {
  /** Confirmations are answered beforehand. */
  readonly yes: boolean;
  readonly mayAsk: boolean;
  readonly signal: AbortSignal;
}

/** Whether a person is there to answer: never in CI, and only where both ends of the talk are a terminal. */
export function mayAsk(host: Host, noInput: boolean): boolean {
  return !noInput && !isInCi(host) && host.stdin.isTTY === true && host.stderr.isTTY === true;
}

/** Returns when confirmed. Throws `cancelled` when declined, UsageError where nobody can be asked. */
export async function confirm(host: Host, confirmation: Confirmation, options: PromptOptions): Promise<void> {
  if (options.yes) return;
  const act = toPlainText(confirmation.act);
  if (!options.mayAsk) {
    throw new UsageError(`${act} needs confirmation, and there is nobody to ask`, {
      reasons: confirmation.consequences,
      hint: 'Add --yes to confirm beforehand, or --dry-run to see what would be sent.',
    });
  }
  for (const line of confirmation.consequences) host.stderr.write(`${toPlainText(line)}\n`);
  const question =
    confirmation.typed === undefined
      ? `${act}? [y/N] `
      : `${act}? Type ${toPlainText(confirmation.typed)} to confirm: `;
  const answer = (await askVisibly(host, question, options.signal))?.trim() ?? '';
  const agreed =
    confirmation.typed === undefined
      ? /^y(es)?$/i.test(answer)
      : answer.toLowerCase() === confirmation.typed.toLowerCase();
  if (!agreed) throw new OrgctlError('cancelled', `${act} was declined`, { hint: 'Nothing was changed.' });
}

/** One line that the terminal does not show. Throws `cancelled` where nothing is typed. */
export async function askSecret(host: Host, question: string, signal: AbortSignal): Promise<string> {
  const { Writable } = await import('node:stream');
  const unseen = new Writable({ write: (_piece, _encoding, done) => done() });
  // The question is put when nothing that is typed is shown any more.
  const typed = await ask(host, '', signal, unseen, () => host.stderr.write(question)).finally(() =>
    host.stderr.write('\n'),
  );
  if (typed !== undefined && typed.trim() !== '') return typed;
  throw new OrgctlError('cancelled', 'nothing was typed', { hint: 'Nothing was changed.' });
}

/** As `ask`. What is told next never stands on the line of the question, however that was left. */
async function askVisibly(host: Host, question: string, signal: AbortSignal): Promise<string | undefined> {
  let answer: string | undefined;
  try {
    answer = await ask(host, question, signal);
    return answer;
  } finally {
    if (answer === undefined) host.stderr.write('\n');
  }
}

/** One line from the terminal, or undefined at its end (Ctrl-D). Rejects with the signal's reason. */
async function ask(
  host: Host,
  question: string,
  signal: AbortSignal,
  output: Writable = host.stderr,
  onReady: () => void = () => undefined,
): Promise<string | undefined> {
  signal.throwIfAborted();
  const { createInterface } = await import('node:readline');
  const lines = createInterface({ input: host.stdin, output, terminal: true, historySize: 0 });
  onReady();
  return await new Promise<string | undefined>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    // In this mode the terminal hands Ctrl-C over as a key, not as a signal.
    lines.once('SIGINT', () => reject(new OrgctlError('interrupted', 'interrupted')));
    lines.once('close', () => resolve(undefined));
    // After Ctrl-Z and `fg` nobody would read on, and the run would end as if all were well: what is typed goes to a shell.
    lines.on('SIGCONT', () => {
      // The terminal shows what is typed until the callers of this are done.
      queueMicrotask(() => {
        onReady();
        lines.prompt(true);
      });
    });
    lines.question(question, resolve);
  }).finally(() => lines.close());
}
