import type { Readable, Writable } from 'node:stream';
import { toReason } from '../errors.ts';
import type { Secrets } from '../secrets/secrets.ts';

import type { Surroundings } from './find-command.ts';
import { type Child, type Command, settlesWithin, startCommand, stopCommand, untilEnd } from './start-command.ts';

/** All in milliseconds. */
export interface CommandLimits {
  readonly time: number;
  readonly grace: number;
  /** For what it leaves running to close its output. */
  readonly drain: number;
  /** After which what it has printed is shown, also where it ends like the beginning of a secret. */
  readonly quiet: number;
  /** For it to end, before its input does. A command that waits for the end of the token waits as long. */
  readonly patience: number;
}

export const COMMAND_LIMITS: CommandLimits = { time: 60_000, grace: 5_000, drain: 1_000, quiet: 1_000, patience: 100 };

/** What showing what it prints takes. */
export interface Screen {
  showCommandOutput(text: string): Promise<void>;
  createRedactor(secret: string): ReturnType<Secrets['createRedactor']>;
  toPlainLine(text: string): string;
  /** Shows meanwhile what is waited for, and leaves the terminal to the command. */
  whileRunning?<T>(act: () => Promise<T>): Promise<T>;
}

export interface CommandEnd {
  /** How it ended; undefined when it took its input and exited with 0. */
  readonly failure: string | undefined;
  /** How it ended, whether it took its input or not; undefined when it exited with 0. */
  readonly ended: string | undefined;
  /** False where it ended before its input did, and may not have read it. */
  readonly hasWaited: boolean;
}

const LONGEST_LINE = 65_536;

type RunSurroundings = Surroundings & Screen & { readonly signal?: AbortSignal };

/**
 * Runs a command without a shell, with the secret, or another text, alone on its stdin. What it prints goes to stderr by
 * lines, without the secret. The signal ends it. Never throws.
 */
export async function runCommand(
  command: Command,
  secret: string,
  surroundings: RunSurroundings,
  limits: CommandLimits = COMMAND_LIMITS,
): Promise<CommandEnd> {
  const run = (): Promise<CommandEnd> => runToEnd(command, secret, surroundings, limits);
  return await (surroundings.whileRunning?.(run) ?? run());
}

async function runToEnd(
  command: Command,
  secret: string,
  surroundings: RunSurroundings,
  limits: CommandLimits,
): Promise<CommandEnd> {
  let child: Child;
  try {
    child = startCommand(command, surroundings, 'pipe');
  } catch (error) {
    return toFailed(`not started: ${toReason(error)}`, true);
  }
  const ended = untilEnd(child);
  // Without a process there may be no streams either.
  if (child.pid === undefined) return toFailed((await ended) ?? 'not started', true);

  const fed = feed(child.stdin, secret, ended, limits.patience);
  const shown = Promise.all([child.stdout, child.stderr].map((stream) => relay(stream, secret, surroundings, limits)));
  const { late, isCut } = await waitForEnd(ended, limits.time, surroundings.signal);
  if (late || isCut) await stopCommand(child, ended, limits.grace, surroundings);
  const failure = await ended;
  // What it leaves running may hold its output open for as long as it likes. That is no failure.
  await settlesWithin(shown, limits.drain);
  child.stdout.destroy();
  child.stderr.destroy();
  const { isTaken, hasWaited } = await fed;
  if (late) return toFailed(`stopped after ${limits.time / 1_000} s`, hasWaited);
  if (isCut) return toFailed('interrupted', hasWaited);
  const unread = isTaken ? undefined : 'ended before it read the whole token';
  return { failure: failure ?? unread, ended: failure, hasWaited };
}

function toFailed(failure: string, hasWaited: boolean): CommandEnd {
  return { failure, ended: failure, hasWaited };
}

/** Whether it takes too long, or the signal came first. */
async function waitForEnd(
  ended: Promise<unknown>,
  time: number,
  signal: AbortSignal | undefined,
): Promise<{ readonly late: boolean; readonly isCut: boolean }> {
  let onAbort = (): void => undefined;
  const aborted = new Promise<void>((resolve) => {
    onAbort = resolve;
  });
  if (signal?.aborted === true) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  let isOver = false;
  const over = ended.then(() => {
    isOver = true;
  });
  const late = !(await settlesWithin(Promise.race([over, aborted]), time));
  signal?.removeEventListener('abort', onAbort);
  return { late, isCut: !late && !isOver };
}

/**
 * Whether all of it was taken, into the pipe at least: whether the command reads it from there cannot be seen, only whether
 * it ended before its input did.
 */
async function feed(
  stdin: Writable,
  secret: string,
  ended: Promise<unknown>,
  patience: number,
): Promise<{ readonly isTaken: boolean; readonly hasWaited: boolean }> {
  const isTaken = await new Promise<boolean>((resolve) => {
    stdin.on('error', () => resolve(false));
    stdin.on('close', () => resolve(false));
    stdin.write(secret, (error) => resolve(!error));
  });
  const hasWaited = !(await settlesWithin(ended, patience));
  stdin.end();
  return { isTaken, hasWaited };
}

async function relay(
  stream: Readable,
  secret: string,
  { toPlainLine, createRedactor, showCommandOutput }: Screen,
  { quiet }: CommandLimits,
): Promise<void> {
  const redactor = createRedactor(secret);
  // Made plain first: an escape sequence inside the secret would hide it from the redactor.
  const toLine = (line: string): string => `${toPlainLine(line.replace(/\r$/, ''))}\n`;
  let rest = '';
  // The redactor gives back what is certain, which need not end with a line.
  let certain = '';
  const show = async (text: string): Promise<void> => {
    const lines = certain + text;
    const end = lines.lastIndexOf('\n') + 1;
    certain = lines.slice(end);
    if (end > 0) await showCommandOutput(lines.slice(0, end));
  };
  let timer: NodeJS.Timeout | undefined;
  try {
    for await (const piece of stream.setEncoding('utf8')) {
      clearTimeout(timer);
      const lines = (rest + String(piece)).split('\n');
      rest = lines.pop() ?? '';
      // Something that never ends a line must not fill the memory.
      if (rest.length > LONGEST_LINE) {
        lines.push(rest);
        rest = '';
      }
      await show(redactor.push(lines.map(toLine).join('')));
      timer = setTimeout(() => void show(redactor.flush()).catch(() => undefined), quiet);
    }
  } catch {
    // Cut off by us, or our stderr was closed: neither is the command's failure.
  }
  clearTimeout(timer);
  await show((rest === '' ? '' : redactor.push(toLine(rest))) + redactor.flush()).catch(() => undefined);
  if (certain !== '') await showCommandOutput(`${certain}\n`).catch(() => undefined);
}
