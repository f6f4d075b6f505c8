import { ConnectionError, formatInOneLine, isSignal, type OrgctlError, ServiceError } from '../lib/errors.ts';
import { EXIT_CODES } from '../lib/exit-codes.ts';
import type { JsonObject } from '../lib/json.ts';
import type { Redactor } from '../lib/redact.ts';
import type { Runtime } from '../lib/runtime.ts';
import { sanitizeJson, sanitizeLine } from '../lib/text.ts';
import { createWriter, type Writer } from './writer.ts';

/** What happened; with `Would`, what would happen. */
export interface Sentence {
  sign: '✓' | '=' | '!' | 'Would' | '+' | '-' | '~';
  text: string;
}

export type Messages = ReturnType<typeof createMessages>;

export interface MessageOptions {
  runtime: Pick<Runtime, 'stderr'>;
  redactor: Redactor;
  isJson: boolean;
  isQuiet?: boolean;
  isAccessible?: boolean;
  hasColor?: boolean;
  /** Options for suggested commands, such as `--sandbox` and `--org acme`. */
  suggested?: string[];
  /** Called before each text, to hide the spinner. */
  beforeWrite?(): void;
}

/** Prints everything but the result, on stderr and without secrets. */
export function createMessages(options: MessageOptions) {
  const { runtime, redactor, isJson, isQuiet, isAccessible, hasColor, suggested = [] } = options;
  let writer: Writer | undefined;
  const warnings: string[] = [];

  async function write(text: string): Promise<void> {
    options.beforeWrite?.();
    writer ??= createWriter(runtime.stderr);
    // An error of stderr itself can't be reported anywhere.
    await writer.write(`${text}\n`).catch(() => undefined);
  }

  const clean = (text: string): string => redactor.text(sanitizeLine(text));
  const draw = ({ sign, text }: Sentence): string => (isAccessible && sign !== 'Would' ? text : `${sign} ${text}`);
  /** Prints the result of one item, which --quiet omits. */
  const sentence = (given: Sentence): void => (isQuiet ? undefined : void write(clean(draw(given))));
  const completeCommand = (command: string): string => addOptions(command, suggested);
  /** Adds the suggested options to commands in backticks. */
  const complete = (text: string): string =>
    text.replace(/`(orgctl [^`]*)`/g, (_, command: string) => completeCommand(command));

  return {
    /** --quiet omits notes. */
    note(text: string): void {
      const line = clean(complete(text));
      if (!isQuiet) void write(hasColor ? `\u001b[2m${line}\u001b[22m` : line);
    },
    done: (text: string): void => sentence({ sign: '✓', text }),
    sentence,
    draw,
    warn(text: string): void {
      warnings.push(text);
      void write(`warning: ${clean(text)}`);
    },
    warnings,
    debug: (text: string): void => void write(clean(text)),
    complete,
    completeCommand,
    error(error: OrgctlError): Promise<void> {
      if (isJson)
        return write(sanitizeJson(JSON.stringify({ error: redactor.json(formatJsonError(error, complete)) })));
      const hint = error.hint && `${isAccessible ? '' : '→ '}${complete(error.hint)}`;
      return write(formatError(error, hint, clean));
    },
  };
}

function addOptions(command: string, options: string[]): string {
  const words = command.split(/[ =]/);
  return [command, ...options.filter((option) => !words.includes(option.replace(/ .*/s, '')))].join(' ');
}

function formatError(error: OrgctlError, hint: string | undefined, clean: (text: string) => string): string {
  // An end that the user asked for is not a failure.
  const prefix = error.exit === 'cancelled' || isSignal(error) ? '' : 'orgctl: ';
  const lines = [
    ...error.reasons,
    ...error.items.map(({ item, error: failed }) => `${item}: ${formatInOneLine(failed)}`),
  ].map((line) => `  ${clean(line)}`);
  if (hint !== undefined) lines.push(`  ${clean(hint)}`);
  return [`${prefix}${clean(error.message)}`, ...lines].join('\n');
}

function formatJsonError(error: OrgctlError, complete: (text: string) => string): JsonObject {
  const { code, exit, message, reasons, hint, items } = error;
  const request = error instanceof ServiceError || error instanceof ConnectionError ? error.request : undefined;
  return {
    code,
    exit: EXIT_CODES[exit],
    message,
    reasons: reasons.length > 0 ? reasons : undefined,
    hint: hint && complete(hint),
    ...(error instanceof ServiceError && { status: error.status, errors: error.errors }),
    request,
    items:
      items.length > 0
        ? items.map(({ item, error: failed }) => ({ item, ...formatJsonError(failed, complete) }))
        : undefined,
  };
}
