import type { Readable } from 'node:stream';
import { toReason } from '../errors.ts';
import type { Surroundings } from './find-command.ts';
import { type Child, type Command, settlesWithin, startCommand, stopCommand, untilEnd } from './start-command.ts';

/** Milliseconds. */
export interface ReadLimits {
  readonly time: number;
  readonly grace: number;
  /** For what it leaves running to close its output. */
  readonly drain: number;
}

export const READ_LIMITS: ReadLimits = { time: 30_000, grace: 5_000, drain: 1_000 };

export interface Reading {
  /** How it ended; undefined when it exited with 0. */
  readonly failure: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** In characters of each stream; the rest is read and dropped. */
const MOST = 65_536;

/** Runs a command without a shell and without input, and gives what it prints. Throws the signal's reason. */
export async function readCommand(
  command: Command,
  surroundings: Surroundings & { readonly signal: AbortSignal },
  limits: ReadLimits = READ_LIMITS,
): Promise<Reading> {
  const { signal } = surroundings;
  signal.throwIfAborted();
  let child: Child<null>;
  try {
    child = startCommand(command, surroundings, 'ignore');
  } catch (error) {
    return { failure: `not started: ${toReason(error)}`, stdout: '', stderr: '' };
  }
  const ended = untilEnd(child);
  // Without a process there may be no streams either.
  if (child.pid === undefined) return { failure: await ended, stdout: '', stderr: '' };
  const texts = [collect(child.stdout), collect(child.stderr)] as const;
  let onAbort = (): void => undefined;
  const aborted = new Promise<void>((resolve) => {
    onAbort = resolve;
  });
  signal.addEventListener('abort', onAbort, { once: true });
  const late = !(await settlesWithin(Promise.race([ended, aborted]), limits.time));
  signal.removeEventListener('abort', onAbort);
  if (late || signal.aborted) await stopCommand(child, ended, limits.grace, surroundings);
  const failure = await ended;
  await settlesWithin(Promise.all(texts.map(({ done }) => done)), limits.drain);
  child.stdout.destroy();
  child.stderr.destroy();
  signal.throwIfAborted();
  const [stdout, stderr] = [texts[0].text(), texts[1].text()];
  return { failure: late ? `stopped after ${limits.time / 1_000} s` : failure, stdout, stderr };
}

function collect(stream: Readable): { readonly done: Promise<void>; text(): string } {
  let text = '';
  const read = async (): Promise<void> => {
    try {
      for await (const piece of stream.setEncoding('utf8')) text += String(piece).slice(0, MOST - text.length);
    } catch {
      // Cut off by us.
    }
  };
  return { done: read(), text: () => text };
}
