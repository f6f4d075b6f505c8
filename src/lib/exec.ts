import { resolve } from 'node:path';
import type { Options } from 'execa';
import { parse } from 'shell-quote';
import { OrgctlError, UsageError } from './errors.ts';
import { formatFileError } from './files.ts';
import { decodeText } from './input-text.ts';
import type { Runtime } from './runtime.ts';

const TOKEN_TIMEOUT = 30_000;
const COMMAND_TIMEOUT = 60_000;
/** For the last output of a command that has ended: a daemon that it has started may keep its streams open. */
const OUTPUT_TIMEOUT = 500;
/** A command must not get these, but may need the tokens of other tools, such as VAULT_TOKEN. */
const OWN_TOKENS = /^(ORGCTL_TOKEN|TFE_TOKEN|TF_TOKEN_.*)$/i;
const MAX_LINES = 100;
const CLOSED = /^(?:[^'"\\]|\\.?|'[^']*'|"(?:[^"\\]|\\.)*")*$/s;
const CLOSED_ON_WINDOWS = /^(?:[^'"^]|\^.?|'[^']*'|"(?:[^"^]|\^.)*")*$/s;

interface CommandOptions {
  runtime: Pick<Runtime, 'platform' | 'env' | 'cwd'>;
  signal: AbortSignal;
  timeout?: number;
}

export interface LineOptions {
  /** Gets the lines without secrets. */
  onLine(line: string): void;
  /** Removes the secrets of an output, also those that are broken into lines. */
  redact(output: string): string;
  isVerbose: boolean;
}

/** Throws UsageError for variables, globs, operators and open quotes, since no shell runs. `source` names the origin of the command. */
export function parseCommand(command: string, source: string, platform: NodeJS.Platform): string[] {
  const isWindows = platform === 'win32';
  const options = isWindows ? { escape: '^' } : undefined;
  if (!(isWindows ? CLOSED_ON_WINDOWS : CLOSED).test(command)) throw new UsageError(`${source}: a quote is not closed`);
  // shell-quote would replace a variable by text silently; an object in its place can be found.
  const words = parse(command, (name) => ({ op: `$${name}` }), options);
  // The value of a variable may be a secret, so it must not become the name of the command.
  const [variable] = /^\w+=/.exec(String(words[0])) ?? [];
  const operator = words.find((word) => typeof word !== 'string');
  if (variable !== undefined || operator !== undefined) {
    const shown = variable ?? (typeof operator === 'object' && 'op' in operator ? operator.op : '#');
    throw new UsageError(`${source}: ${shown} needs a shell, but the command runs without one`, {
      hint: `Quote it, or write sh -c '...'.`,
    });
  }
  if (words.length === 0) throw new UsageError(`${source} is empty`);
  return words as string[];
}

export interface CommandFailure {
  reason: string;
  /** Undefined for a command that could not start, or was killed. */
  exitCode?: number;
}

export type Command = ReturnType<typeof openCommand>;

/**
 * Opens a command that gets its input on stdin. `check` throws UsageError if it doesn't exist. `run` passes the last lines of its
 * output to `onLine` after a failure or with `isVerbose`, and returns undefined for a success. Throws UsageError as `parseCommand` does.
 */
export function openCommand(text: string, source: string, options: CommandOptions & LineOptions) {
  const { onLine, redact, isVerbose, runtime } = options;
  const words = parseCommand(text, source, runtime.platform);
  const [file = ''] = words;
  return {
    file,
    words,
    async check(): Promise<void> {
      const { platform, env, cwd } = runtime;
      const { default: which } = await import('which');
      const isPath = file.includes('/') || (platform === 'win32' && file.includes('\\'));
      const where = { path: env.PATH ?? '', pathExt: env.PATHEXT, nothrow: true } as const;
      const found = await which(isPath ? resolve(cwd, file) : file, where);
      if (found === null) throw new UsageError(`${source}: ${file}: command not found`);
    },
    async run(input: string): Promise<CommandFailure | undefined> {
      const { all, failure } = await run(words, { input, all: true, lines: true }, options);
      const lines = (failure || isVerbose) && Array.isArray(all) ? all.slice(-MAX_LINES) : [];
      for (const line of lines.length > 0 ? redact(lines.join('\n')).split('\n') : []) onLine(line);
      return failure;
    },
  };
}

/** Runs a token-command and returns its stdout. Throws `not-authenticated`. */
export async function readTokenFromCommand(
  command: string,
  source: string,
  runtime: CommandOptions['runtime'],
  signal: AbortSignal,
): Promise<string> {
  const words = parseCommand(command, source, runtime.platform);
  // A command may ask for a password at the terminal.
  const streams = { stdin: 'inherit', stderr: 'inherit', maxBuffer: 1024 * 1024, encoding: 'buffer' } as const;
  const { stdout, failure } = await run(words, streams, { runtime, signal, timeout: TOKEN_TIMEOUT });
  if (stdout instanceof Uint8Array && !failure) return decodeText(stdout, `what ${source} printed`);
  throw new OrgctlError('not-authenticated', `${source} failed: ${words[0]}: ${failure?.reason}`, {
    code: 'token-command',
    hint: 'Run the command by itself to see why.',
  });
}

async function run(
  [file = '', ...args]: string[],
  streams: Options,
  { runtime, signal, timeout = COMMAND_TIMEOUT }: CommandOptions,
): Promise<{ stdout: unknown; all: unknown; failure?: CommandFailure }> {
  const { execa } = await import('execa');
  const isWindows = runtime.platform === 'win32';
  const child = execa(file, args, {
    ...streams,
    env: Object.fromEntries(Object.entries(runtime.env).filter(([name]) => !OWN_TOKENS.test(name))),
    extendEnv: false,
    cwd: runtime.cwd,
    // A command waits for its own children, so the whole group is killed.
    detached: !isWindows,
    reject: false,
  });
  const kill = (): void => {
    try {
      if (child.pid !== undefined) process.kill(isWindows ? child.pid : -child.pid, 'SIGKILL');
    } catch {
      // The group has ended already.
    }
  };
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    kill();
  }, timeout);
  signal.addEventListener('abort', kill);
  const closeOutput = (): void => {
    for (const stream of [child.stdout, child.stderr]) stream?.destroy();
  };
  child.once('exit', () => setTimeout(closeOutput, OUTPUT_TIMEOUT).unref());
  const { failed, exitCode, signal: killer, cause, stdout, all } = await child;
  clearTimeout(timer);
  signal.removeEventListener('abort', kill);
  signal.throwIfAborted();
  if (!failed) return { stdout, all };
  const late = isLate && `no answer within ${timeout / 1000} s`;
  const code = exitCode && `exit code ${exitCode}`;
  // A message of execa has all words of the command, which may hold secrets.
  const reason = late || code || (killer ? `it was killed by ${killer}` : formatFileError(cause));
  return { stdout, all, failure: { reason, exitCode: isLate ? undefined : exitCode } };
}
