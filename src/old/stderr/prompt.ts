import type { Writable } from 'node:stream';
import { OrgctlError, UsageError } from '../errors.ts';
import { type Host, isInCi } from '../host.ts';
import { UNCHANGED, withUnchanged } from '../interrupts.ts';
import { toPlainText } from '../text/plain-text.ts';
import { wrap, wrapLine } from '../text/wrap.ts';
import type { Stderr } from './stream.ts';

export interface Confirmation {
  /** `Remove ana@example.com from acme?` */
  readonly question: string;
  /** What it means, a line each; shown before the question. */
  readonly consequences: readonly string[];
}

/** What a question needs: both ends of the talk, and what ends it. */
export interface Terminal {
  readonly host: Pick<Host, 'env' | 'stdin'>;
  readonly stderr: Stderr;
  hide(text: string): string;
  readonly signal: AbortSignal;
}

/** Why no one can be asked; undefined where a person is there: never in CI, and only where stdin and stderr are terminals. */
export function findSilence(
  { host, stderr }: Terminal,
  noInput: { readonly value: boolean; readonly source: string },
): string | undefined {
  if (noInput.value) return `prompts are off (${noInput.source})`;
  if (host.stdin.isTTY !== true || !stderr.isTerminal) return 'there is no terminal to ask at';
  return isInCi(host) ? 'prompts are off (CI is set)' : undefined;
}

/** Returns when confirmed by an answer. Throws `cancelled` when declined, UsageError where no one can be asked. */
export async function confirm(
  terminal: Terminal,
  confirmation: Confirmation,
  silence: string | undefined,
): Promise<void> {
  const show = (text: string): string => terminal.hide(toPlainText(text));
  const consequences = confirmation.consequences.map(show);
  if (silence !== undefined) {
    throw new UsageError(`this needs confirmation, and ${silence}: ${show(confirmation.question)}`, {
      code: 'confirmation-needed',
      reasons: consequences,
      hint: 'Add --yes, or --dry-run to preview.',
    });
  }
  const width = terminal.stderr.stream.columns || Number.POSITIVE_INFINITY;
  for (const line of consequences) write(terminal, `${wrapLine(line, width).join('\n')}\n`);
  const answer = await askVisibly(terminal, show(`${confirmation.question} [y/N]`)).catch((error: unknown) => {
    throw error instanceof OrgctlError ? withUnchanged(error) : error;
  });
  if (!isYes(answer?.trim() ?? '')) throw new OrgctlError('cancelled', `Cancelled. ${UNCHANGED}`);
}

export interface Question<Value> {
  /** `Default organization` */
  readonly question: string;
  /** What Enter alone means. */
  readonly proposed: string;
  /** Throws UsageError for an answer that can't be taken. */
  read(answer: string): Value;
}

/** The answer, asked for until it can be taken; undefined at its end (Ctrl-D). For where a person is there. */
export function askFor<Value>(
  terminal: Terminal,
  { question, proposed, read }: Question<Value>,
): Promise<Value | undefined> {
  return askUntilRead(terminal, `${question} [${proposed}]:`, (answer) => read(answer || proposed));
}

async function askUntilRead<Value>(
  terminal: Terminal,
  prompt: string,
  read: (answer: string) => Value,
): Promise<Value | undefined> {
  const show = (text: string): string => terminal.hide(toPlainText(text));
  for (;;) {
    const answer = await askVisibly(terminal, show(prompt));
    if (answer === undefined) return undefined;
    try {
      return read(answer.trim());
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      write(terminal, `${show(`${error.message}. ${error.hint ?? ''}`.trim())}\n`);
    }
  }
}

function isYes(answer: string): boolean {
  return /^y(es)?$/i.test(answer);
}

/** One line that the terminal does not show. Throws `cancelled` where nothing is typed. */
export async function askSecret(terminal: Terminal, question: string): Promise<string> {
  const { Writable } = await import('node:stream');
  const unseen = new Writable({ write: (_piece, _encoding, done) => done() });
  // The question is put when nothing that is typed is shown any more.
  const typed = await ask(terminal, '', unseen, () => write(terminal, question)).finally(() => write(terminal, '\n'));
  if (typed !== undefined && typed.trim() !== '') return typed;
  throw new OrgctlError('cancelled', 'No token entered. Nothing was changed.');
}

/** As `ask`. What is written next never stands on the line of the question, however that was left. */
async function askVisibly(terminal: Terminal, question: string): Promise<string | undefined> {
  const { stream } = terminal.stderr;
  let answer: string | undefined;
  try {
    answer = await ask(terminal, layOutQuestion(question, stream.columns || Number.POSITIVE_INFINITY), stream);
    return answer;
  } finally {
    if (answer === undefined) write(terminal, '\n');
  }
}

/** What stands for the blank before a bracket while lines are broken. */
const GLUE = '\ue000';
/** Columns for an answer. */
const ROOM = 4;

/** In lines that leave room for an answer. The bracket at its end stays with the last word. */
function layOutQuestion(question: string, width: number): string {
  const at = question.lastIndexOf(' [');
  const glued = at < 0 ? question : `${question.slice(0, at)}${GLUE}${question.slice(at + 1)}`;
  return `${wrap(glued, width - ROOM)
    .join('\n')
    .replace(GLUE, ' ')} `;
}

/** An error is passed over: where stderr takes no question, no one answers it either. */
function write({ stderr }: Terminal, text: string): void {
  stderr.write(text).catch(() => undefined);
}

/** One line from the terminal, or undefined at its end (Ctrl-D). Rejects with the signal's reason. */
async function ask(
  { host, signal }: Terminal,
  question: string,
  output: Writable,
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
    lines.once('SIGINT', () => reject(new OrgctlError('interrupted', 'Interrupted.')));
    lines.once('close', () => resolve(undefined));
    // After Ctrl-Z and `fg` readline would read no further: what is typed would go to the shell, and the run would end as if all
    // were well.
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
