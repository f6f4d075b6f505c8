import { CommanderError } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import type { OpenContext, OpenedContext } from './context/context.ts';
import type { GlobalOptions } from './context/options.ts';
import { OrgctlError, toReason } from './errors.ts';
import { EXIT_CODES, type ExitName } from './exit-codes.ts';
import type { Host } from './host.ts';
import { createInterrupts } from './interrupts.ts';
import { createProgram, type ProgramOptions } from './program.ts';
import { openStderr, type Stderr, speaksJson } from './stderr/stream.ts';
import { FORMAT_NAMES, FORMATS, type FormatName } from './stdout/formats/index.ts';
import { ClosedPipe } from './text/write.ts';

/** Runs one command line (without the program's own name) and returns its exit code. Never throws. */
export async function main(argv: readonly string[], host: Host): Promise<number> {
  const interrupts = createInterrupts(host);
  const stderr = openStderr(host);
  let context: OpenedContext | undefined;
  const loadContext = async (): Promise<OpenContext> => {
    const { createContext } = await import('./context/context.ts');
    return (verb, allowed) => {
      const run = { host, stderr, interrupts, version: packageJson.version };
      context = createContext(run, verb.optsWithGlobals() as GlobalOptions, allowed);
      return context;
    };
  };
  try {
    return EXIT_CODES[await runProgram(argv, { host, loadContext })].code;
  } catch (error) {
    // A reader that has seen enough, as `head` does, is no failure.
    if (error instanceof ClosedPipe) return EXIT_CODES.ok.code;
    const known = toOrgctlError(error);
    if (!interrupts.isExpected(known)) await report(known, argv, { host, stderr, context });
    return EXIT_CODES[known.exit].code;
  } finally {
    await context?.close();
    interrupts.dispose();
  }
}

async function runProgram(
  argv: readonly string[],
  options: Pick<ProgramOptions, 'host' | 'loadContext'>,
): Promise<ExitName> {
  const prints: Promise<void>[] = [];
  const { program, prepare } = createProgram({
    ...options,
    version: packageJson.version,
    onPrint: (written) => prints.push(written),
  });
  try {
    if (argv.some((word) => word.startsWith('--fields'))) {
      const { asksForFields, printFields } = await import('./commands/fields.ts');
      if (asksForFields(argv)) {
        await printFields(program, argv, prepare);
        return 'ok';
      }
    }
    await program.parseAsync(moveHelp(argv), { from: 'user' });
    return 'ok';
  } catch (error) {
    // commander ends in this way after help and version too.
    const isHelp = error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help');
    if (error instanceof CommanderError && !isHelp) {
      const { toMisuse } = await import('./commands/misuse.ts');
      throw await toMisuse(error, argv, program, prepare);
    }
    if (!isHelp) throw error;
    await Promise.all(prints);
    return 'ok';
  }
}

/** `--help members list` means the help of that verb: of an option in front, commander would show its own. */
function moveHelp(argv: readonly string[]): string[] {
  const at = argv.findIndex((word) => !word.startsWith('-') || word === '--help' || word === '-h');
  const word = argv[at];
  return word?.startsWith('-') === true ? [...argv.slice(0, at), ...argv.slice(at + 1), word] : [...argv];
}

function toOrgctlError(error: unknown): OrgctlError {
  if (error instanceof OrgctlError) return error;
  return new OrgctlError('failure', `orgctl has a bug: ${toReason(error)}`, {
    hint: 'Report it with the command and its --debug output. Check the service first: a change may have been made.',
    cause: error,
  });
}

/** Never throws: where the error itself cannot be shown, nothing of it is. */
async function report(
  error: OrgctlError,
  argv: readonly string[],
  { context, ...run }: { readonly host: Host; readonly stderr: Stderr; readonly context: OpenedContext | undefined },
): Promise<void> {
  try {
    if (context !== undefined) return await context.report(error);
    const { openReporter } = await import('./context/context.ts');
    openReporter(run, findMessageStyle(argv)).error(error);
  } catch {
    const { code: exit } = EXIT_CODES[error.exit];
    const message = `the command failed with exit code ${exit}, and the error can't be shown`;
    const { output } = findMessageStyle(argv);
    const isJson = speaksJson(run.stderr, output && FORMATS[output]);
    const text = isJson ? JSON.stringify({ error: { code: error.exit, exit, message } }) : `orgctl: ${message}`;
    try {
      await run.stderr.write(`${text}\n`);
    } catch {
      // Only the exit code can still say that the run failed.
    }
  }
}

/** For errors before the command line was understood: what it says of how to print them, as far as it can be read. */
function findMessageStyle(argv: readonly string[]): { readonly output?: FormatName; readonly accessible: boolean } {
  const written = argv.flatMap((word, index) => {
    const [, joined] = /^(?:--output=|-o=?)(.+)$/.exec(word) ?? [];
    return joined ?? (word === '-o' || word === '--output' ? (argv[index + 1] ?? []) : []);
  });
  const hasQuery = argv.some((word) => word === '--query' || word.startsWith('--query='));
  const output = FORMAT_NAMES.find((name) => name === (written.at(-1) ?? (hasQuery ? 'json' : undefined)));
  return { ...(output === undefined ? {} : { output }), accessible: argv.includes('--accessible') };
}

export { createHost } from './host.ts';
