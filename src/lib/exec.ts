import { parse } from 'shell-quote';
import { OrgctlError, UsageError } from './errors.ts';
import { formatFileError } from './files.ts';
import type { Environment, Runtime } from './runtime.ts';

const TIMEOUT = 30_000;

/**
 * The words of a command line, without variables, globs and operators: nothing runs in a shell. Throws UsageError;
 * `source` names the place of the command.
 */
export function parseCommand(command: string, source: string, platform: NodeJS.Platform): string[] {
  const options = platform === 'win32' ? { escape: '^' } : undefined;
  // An object in place of a variable's value makes it visible: a text would replace it silently.
  const words = parse(command, (name) => ({ op: `$${name}` }), options);
  const operator = words.find((word) => typeof word !== 'string');
  if (operator !== undefined) {
    const shown = typeof operator === 'object' && 'op' in operator ? operator.op : '#';
    throw new UsageError(`${source}: ${shown} needs a shell, and the command runs without one`, {
      hint: `Quote it, or write sh -c '...'.`,
    });
  }
  if (words.length === 0) throw new UsageError(`${source} is empty`);
  return words as string[];
}

/** orgctl's own tokens reach no child; those of other tools, such as VAULT_TOKEN, are what a command may need. */
function removeTokens(env: Environment): Record<string, string> {
  const entries = Object.entries(env).filter(
    ([name, value]) => value !== undefined && !/^(ORGCTL_TOKEN|TFE_TOKEN|TF_TOKEN_.*)$/i.test(name),
  );
  return Object.fromEntries(entries) as Record<string, string>;
}

/** Runs a token-command and returns its stdout. Throws `not-authenticated`. */
export async function readTokenFromCommand(
  command: string,
  source: string,
  runtime: Pick<Runtime, 'platform' | 'env'>,
  signal: AbortSignal,
): Promise<string> {
  const { execa } = await import('execa');
  const [file = '', ...args] = parseCommand(command, source, runtime.platform);
  const isWindows = runtime.platform === 'win32';
  const running = execa(file, args, {
    env: removeTokens(runtime.env),
    extendEnv: false,
    stdin: 'inherit',
    // A command may ask for a password at the terminal.
    stderr: 'inherit',
    // A grandchild that keeps stdout open would outlive a plain timeout: the whole group is killed.
    detached: !isWindows,
    reject: false,
    maxBuffer: 1024 * 1024,
  });
  const kill = (): void => {
    if (running.pid === undefined) return;
    try {
      process.kill(isWindows ? running.pid : -running.pid, 'SIGKILL');
    } catch {
      // The group has ended already.
    }
  };
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    kill();
  }, TIMEOUT);
  signal.addEventListener('abort', kill, { once: true });
  try {
    const result = await running;
    signal.throwIfAborted();
    if (!result.failed) return result.stdout;
    const why = isLate
      ? `no answer within ${TIMEOUT / 1000} s`
      : result.exitCode
        ? `exit code ${result.exitCode}`
        : result.cause
          ? formatFileError(result.cause)
          : result.shortMessage;
    throw new OrgctlError('not-authenticated', `${source} failed: ${file}: ${why}`, {
      code: 'token-command',
      hint: 'Run the command by itself to see why.',
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
  }
}
