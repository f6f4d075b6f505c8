import { closeSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Options } from 'execa';
import { parse } from 'shell-quote';
import { OrgctlError, UsageError } from './errors.ts';
import { formatFileError } from './files.ts';
import { decodeText } from './input-text.ts';
import type { Environment, Runtime } from './runtime.ts';

const TOKEN_TIMEOUT = 30_000;
const COMMAND_TIMEOUT = 60_000;
/** For the last output of a command that has ended: a daemon that it has started may keep its streams open. */
const OUTPUT_TIMEOUT = 500;
/** Of a command that fails. */
const MAX_LINES = 100;
/** Commands whose quotes all have an end. */
const CLOSED = /^(?:[^'"\\]|\\.?|'[^']*'|"(?:[^"\\]|\\.)*")*$/s;
const CLOSED_ON_WINDOWS = /^(?:[^'"^]|\^.?|'[^']*'|"(?:[^"^]|\^.)*")*$/s;
/** More than operating systems read of a script to find its interpreter. */
const MAX_FIRST_LINE = 4096;

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

/** A command must not get orgctl's own tokens, but may need those of other tools, such as VAULT_TOKEN. */
function removeTokens(env: Environment): Record<string, string> {
  const entries = Object.entries(env).filter(
    ([name, value]) => value !== undefined && !/^(ORGCTL_TOKEN|TFE_TOKEN|TF_TOKEN_.*)$/i.test(name),
  );
  return Object.fromEntries(entries) as Record<string, string>;
}

async function findCommand(file: string, { platform, env, cwd }: CommandOptions['runtime']): Promise<string | null> {
  const { default: which } = await import('which');
  const isPath = file.includes('/') || (platform === 'win32' && file.includes('\\'));
  const options = { path: env.PATH ?? '', pathExt: env.PATHEXT, nothrow: true } as const;
  return which(isPath ? resolve(cwd, file) : file, options);
}

/** Why the command can't start, as far as its files show. */
async function findObstacle(file: string, runtime: CommandOptions['runtime']): Promise<string | undefined> {
  const path = await findCommand(file, runtime);
  if (path === null) return 'command not found';
  const line = runtime.platform === 'win32' ? '' : readFirstLine(path);
  if (!/^#![ \t]*[^ \t]/.test(line)) return undefined;
  if (line.endsWith('\r')) return 'its first line ends with a carriage return, as on Windows';
  const [interpreter = '', name] = line
    .slice(2)
    .trim()
    .split(/[ \t]+/);
  const isByName = interpreter.endsWith('/env') && name !== undefined && /^[^-=][^=]*$/.test(name);
  for (const needed of isByName ? [interpreter, name] : [interpreter]) {
    if ((await findCommand(needed, runtime)) === null) return `its interpreter ${needed} doesn't exist`;
  }
  return undefined;
}

/** Empty for a file that can't be read. */
function readFirstLine(path: string): string {
  try {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(MAX_FIRST_LINE);
      return bytes.toString('utf8', 0, readSync(file, bytes)).split('\n', 1)[0] ?? '';
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}

/** Why a command failed. */
export interface CommandFailure {
  reason: string;
  /** Undefined for a command that could not start, or was killed. */
  exitCode?: number;
}

/** A command that gets its input on stdin. */
export interface Command {
  /** Its first word. */
  file: string;
  words: string[];
  /** Returns why the command can't start, undefined if nothing shows that. */
  findObstacle(): Promise<string | undefined>;
  /**
   * Passes the lines of stdout and stderr to `onLine`: the last ones after a failure or, with `isVerbose`, all as they come.
   * Returns undefined for a success.
   */
  run(input: string): Promise<CommandFailure | undefined>;
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
    findObstacle: () => findObstacle(file, options.runtime),
    async run(input) {
      const last: string[] = [];
      // biome-ignore lint/correctness/useYield: a transform of execa that prints nothing.
      const pass = function* (line: unknown) {
        if (isVerbose) onLine(String(line));
        else if (last.push(String(line)) > MAX_LINES) last.shift();
      };
      const { failure } = await run(words, { input, stdout: pass, stderr: pass, buffer: false }, options);
      if (failure) for (const line of last) onLine(line);
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
  if (!failure) return decodeText(stdout, `what ${source} printed`);
  throw new OrgctlError('not-authenticated', `${source} failed: ${words[0]}: ${failure.reason}`, {
    code: 'token-command',
    hint: 'Run the command by itself to see why.',
  });
}

async function run(
  [file = '', ...args]: string[],
  streams: Options,
  { runtime, signal, timeout = COMMAND_TIMEOUT }: CommandOptions,
): Promise<{ stdout: Uint8Array; failure?: CommandFailure }> {
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
    const { failed, exitCode, signal: killer, cause, stdout } = await child;
    signal.throwIfAborted();
    if (!failed) return { stdout: stdout instanceof Uint8Array ? stdout : new Uint8Array() };
    const late = isLate && `no answer within ${timeout / 1000} s`;
    const code = exitCode && `exit code ${exitCode}`;
    // A message of execa has all words of the command, which may hold secrets.
    const reason = late || code || (killer ? `it was killed by ${killer}` : formatFileError(cause));
    return { stdout: new Uint8Array(), failure: { reason, exitCode: isLate ? undefined : exitCode } };
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
