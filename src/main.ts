import { CommanderError } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import type { GlobalOptions } from './cli/global-options.ts';
import type { Session } from './cli/session.ts';
import { topics } from './help/topics.ts';
import { formatReason, OrgctlError } from './lib/errors.ts';
import { EXIT_CODES } from './lib/exit-codes.ts';
import { createRuntime, type Runtime, readVariable } from './lib/runtime.ts';
import { listenToSignals } from './lib/signals.ts';
import { ClosedPipe, createWriter } from './output/writer.ts';
import { createProgram, findFields, formatFirstScreen } from './program.ts';

/** Runs a command line, without the program's name, and returns the exit code. Never throws. */
export async function main(argv: string[], runtime: Runtime): Promise<number> {
  const signals = listenToSignals(runtime);
  const { version } = packageJson;
  const stdout = createWriter(runtime.stdout);
  let session: Session | undefined;
  let printed = '';
  const { program, prepare } = createProgram({
    version,
    width: runtime.stdout.columns || undefined,
    async open(options, verb) {
      const { openSession } = await import('./cli/session.ts');
      session = openSession({ runtime, signals, version, options, verb });
      return session;
    },
    topics,
    print: (text) => {
      printed += text;
    },
  });
  try {
    const fields = await findFields(argv, program, prepare);
    if (fields) printed = `${fields.join('\n')}\n`;
    else if (argv.length === 0) printed = formatFirstScreen();
    else await program.parseAsync(argv, { from: 'user' }).catch(ignoreHelp);
    await stdout.write(printed);
    return EXIT_CODES.ok;
  } catch (error) {
    if (error instanceof ClosedPipe) return EXIT_CODES.ok;
    const known = normalizeError(error, session?.settings.debug.value ?? argv.includes('--debug'));
    // Nothing that goes wrong from here on changes the outcome.
    await report(known, session, runtime, program.opts()).catch(() => undefined);
    return EXIT_CODES[known.exit];
  } finally {
    await session?.close().catch(() => undefined);
    signals.dispose();
  }
}

async function report(error: OrgctlError, session: Session | undefined, runtime: Runtime, options: GlobalOptions) {
  try {
    const messages = session?.messages ?? (await createFallbackMessages(runtime, options));
    await messages.error((await session?.explain(error).catch(() => error)) ?? error);
  } catch {
    await createWriter(runtime.stderr).write(`orgctl: ${error.code}, and the error can't be printed\n`);
  }
}

function ignoreHelp(error: unknown): void {
  const isHelp = error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help');
  if (!isHelp) throw error;
}

function normalizeError(error: unknown, isDebug: boolean): OrgctlError {
  if (error instanceof OrgctlError) return error;
  const stack = error instanceof Error && isDebug ? error.stack?.match(/^ *at .*$/gm) : undefined;
  return new OrgctlError('failure', `orgctl has a bug: ${formatReason(error)}`, {
    reasons: stack?.map((line) => line.trim()),
    hint: 'Report it with the command. Check the service first: a change may have been made.',
    cause: error,
  });
}

async function createFallbackMessages(runtime: Runtime, { output, query, accessible = false }: GlobalOptions) {
  const [{ createMessages }, { createRedactor }] = await Promise.all([
    import('./output/messages.ts'),
    import('./lib/redact.ts'),
  ]);
  const format = output ?? readVariable(runtime.env, 'ORGCTL_OUTPUT') ?? '';
  const isJson = /^(nd)?json$/.test(format) || query !== undefined;
  return createMessages({
    runtime,
    redactor: createRedactor(),
    isJson: isJson && runtime.stderr.isTTY !== true,
    isAccessible: accessible,
  });
}

export { createRuntime };
