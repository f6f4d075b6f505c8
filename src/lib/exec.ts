import { resolve } from 'node:path';
import type { Options } from 'execa';
import { parse } from 'shell-quote';
import { OrgctlError, UsageError } from './errors.ts';
import { formatFileError } from './files.ts';
import type { Environment, Runtime } from './runtime.ts';

const TOKEN_TIMEOUT = 30_000;
const COMMAND_TIMEOUT = 60_000;
/** For the last output of a command that has ended: a daemon that it has started may keep its streams open. */
const OUTPUT_TIMEOUT = 500;
/** Of a command that fails. */
const MAX_LINES = 100;

interface CommandOptions {
  runtime: Pick<Runtime, 'platform' | 'env' | 'cwd'>;
  signal: AbortSignal;
  /** Milliseconds. */
  timeout?: number;
}

export interface LineOptions {
  onLine(line: string): void;
  isVerbose: boolean;
}

/** Throws UsageError for variables, globs and operators, since no shell runs. `source` names the origin of the command. */
export function parseCommand(command: string, source: string, platform: NodeJS.Platform): string[] {
  const options = platform === 'win32' ? { escape: '^' } : undefined;
  // shell-quote would replace a variable by text silently; an object in its place can be found.
  const words = parse(command, (name) => ({ op: `$${name}` }), options);
  const operator = words.find((word) => typeof word !== 'string');
  if (operator !== undefined) {
    const shown = typeof operator === 'object' && 'op' in operator ? operator.op : '#';
    throw new UsageError(`${source}: ${shown} needs a shell, but the command runs without one`, {
      hint: `Quote it, or write sh -c '...'.`,
    });
  }
  if (words.length === 0) throw new UsageError(`${source} is empty`);
  return words as string[];
}

/** A command must not get orgctl's own tokens, but may need those of other tools, such as VAULT_TOKEN. */
function removeTokens(env: Environment): Record<string, string> {
  const entries = Object.entries(env).filter(
    ([name, value]) => value !== undefined && !/^(ORGCTL_TOKEN|TFE_TOKEN|TF_TOKEN_.*)$/i.test(name),
  );
  return Object.fromEntries(entries) as Record<string, string>;
}

async function hasCommand(file: string, { platform, env, cwd }: CommandOptions['runtime']): Promise<boolean> {
  const { default: which } = await import('which');
  const isPath = file.includes('/') || (platform === 'win32' && file.includes('\\'));
  const options = { path: env.PATH ?? '', pathExt: env.PATHEXT, nothrow: true } as const;
  return (await which(isPath ? resolve(cwd, file) : file, options)) !== null;
}

/** A command that gets its input on stdin. */
export interface Command {
  /** Its first word. */
  file: string;
  words: string[];
  isFound(): Promise<boolean>;
  /**
   * Passes the lines of stdout and stderr to `onLine`: the last ones after a failure or, with `isVerbose`, all as they come.
   * Returns the reason of a failure, undefined for a success.
   */
  run(input: string): Promise<string | undefined>;
}

/** Throws UsageError as `parseCommand` does. */
export function openCommand(
  text: string,
  source: string,
  { onLine, isVerbose, ...options }: CommandOptions & LineOptions,
): Command {
  const words = parseCommand(text, source, options.runtime.platform);
  const [file = ''] = words;
  return {
    file,
    words,
    isFound: () => hasCommand(file, options.runtime),
    async run(input) {
      const last: string[] = [];
      // biome-ignore lint/correctness/useYield: a transform of execa that prints nothing.
      const pass = function* (line: unknown) {
        if (isVerbose) onLine(String(line));
        else if (last.push(String(line)) > MAX_LINES) last.shift();
      };
      const { problem } = await run(words, { input, stdout: pass, stderr: pass, buffer: false }, options);
      if (problem !== undefined) for (const line of last) onLine(line);
      return problem;
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
  const streams = { stdin: 'inherit', stderr: 'inherit', maxBuffer: 1024 * 1024 } as const;
  const { stdout, problem } = await run(words, streams, { runtime, signal, timeout: TOKEN_TIMEOUT });
  if (problem === undefined) return stdout;
  throw new OrgctlError('not-authenticated', `${source} failed: ${words[0]}: ${problem}`, {
    code: 'token-command',
    hint: 'Run the command by itself to see why.',
  });
}

async function run(
  [file = '', ...args]: string[],
  streams: Options,
  { runtime, signal, timeout = COMMAND_TIMEOUT }: CommandOptions,
): Promise<{ stdout: string; problem: string | undefined }> {
  const { execa } = await import('execa');
  const isWindows = runtime.platform === 'win32';
  const child = execa(file, args, {
    ...streams,
    env: removeTokens(runtime.env),
    extendEnv: false,
    cwd: runtime.cwd,
    // A command waits for its own children, so the whole group is killed.
    detached: !isWindows,
    reject: false,
  });
  const kill = (): void => killGroup(child.pid, isWindows);
  let isLate = false;
  let timer = setTimeout(() => {
    isLate = true;
    kill();
  }, timeout);
  child.once('exit', () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    }, OUTPUT_TIMEOUT);
  });
  signal.addEventListener('abort', kill, { once: true });
  try {
    const { failed, exitCode, cause, shortMessage, stdout } = await child;
    signal.throwIfAborted();
    if (!failed) return { stdout: String(stdout ?? ''), problem: undefined };
    const late = isLate && `no answer within ${timeout / 1000} s`;
    const code = exitCode && `exit code ${exitCode}`;
    return { stdout: '', problem: late || code || (cause ? formatFileError(cause) : shortMessage) };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
  }
}

function killGroup(pid: number | undefined, isWindows: boolean): void {
  if (pid === undefined) return;
  try {
    process.kill(isWindows ? pid : -pid, 'SIGKILL');
  } catch {
    // The group has ended already.
  }
}
