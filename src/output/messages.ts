import { ConnectionError, formatInOneLine, isSignal, type OrgctlError, ServiceError } from '../lib/errors.ts';
import { EXIT_CODES } from '../lib/exit-codes.ts';
import type { JsonObject } from '../lib/json.ts';
import type { Redactor } from '../lib/redact.ts';
import type { Runtime } from '../lib/runtime.ts';
import { sanitizeJson, sanitizeLine } from '../lib/text.ts';
import { createWriter, type Writer } from './writer.ts';

/** Everything that is said on stderr. Nothing of it has a secret. */
export interface Messages {
  /** A remark, which --quiet leaves out. */
  note(text: string): void;
  /** A success, which --quiet leaves out. */
  done(text: string): void;
  /** What became of one item, behind a sign such as `=`, which --quiet leaves out. */
  sentence(text: string): void;
  warn(text: string): void;
  /** As it is, line by line: for --debug. */
  debug(text: string): void;
  error(error: OrgctlError): Promise<void>;
  /** Commands in backticks get the options that were given, unless they have them. */
  complete(text: string): string;
}

export interface MessageOptions {
  runtime: Pick<Runtime, 'stderr'>;
  redactor: Redactor;
  /** Errors are one JSON line. */
  isJson: boolean;
  isQuiet: boolean;
  isAccessible: boolean;
  hasColor: boolean;
  /** Options that suggested commands carry, such as `--sandbox` and `--org acme`. */
  suggested: string[];
  /** Called before each text: a spinner has to give way. */
  beforeWrite(): void;
}

export function createMessages(options: MessageOptions): Messages {
  const { runtime, redactor, isJson, isQuiet, isAccessible, hasColor } = options;
  let writer: Writer | undefined;

  /** An error of stderr itself can't be reported anywhere. */
  async function write(text: string): Promise<void> {
    options.beforeWrite();
    writer ??= createWriter(runtime.stderr);
    await writer.write(`${text}\n`).catch(() => undefined);
  }

  function clean(text: string): string {
    return redactor.text(sanitizeLine(text));
  }

  function dim(text: string): string {
    return hasColor ? `\u001b[2m${text}\u001b[22m` : text;
  }

  function complete(text: string): string {
    return text.replace(/`(orgctl [^`]*)`/g, (_, command: string) => {
      const missing = options.suggested.filter((option) => !command.includes(` ${option.split(' ')[0]} `));
      return [command, ...missing].join(' ');
    });
  }

  function formatError(error: OrgctlError): string {
    const lines = [
      // An end that the user asked for is no failure.
      `${error.exit === 'cancelled' || isSignal(error) ? '' : 'orgctl: '}${clean(error.message)}`,
      ...error.reasons.map((reason) => `  ${clean(reason)}`),
      ...error.items.map(({ item, error: failed }) => `  ${clean(`${item}: ${formatInOneLine(failed)}`)}`),
    ];
    if (error.hint !== undefined) lines.push(`  ${isAccessible ? '' : '→ '}${clean(complete(error.hint))}`);
    return lines.join('\n');
  }

  function formatJsonError(error: OrgctlError): JsonObject {
    const { code, exit, message, reasons, hint, items } = error;
    const request = error instanceof ServiceError || error instanceof ConnectionError ? error.request : undefined;
    return {
      code,
      exit: EXIT_CODES[exit],
      message,
      ...(reasons.length > 0 && { reasons }),
      ...(hint !== undefined && { hint: complete(hint) }),
      ...(error instanceof ServiceError && { status: error.status, errors: error.errors }),
      ...(request && { request }),
      ...(items.length > 0 && {
        items: items.map(({ item, error: failed }) => ({ item, ...formatJsonError(failed) })),
      }),
    };
  }

  return {
    note(text) {
      if (!isQuiet) void write(dim(clean(complete(text))));
    },
    done(text) {
      if (!isQuiet) void write(`${isAccessible ? '' : '✓ '}${clean(text)}`);
    },
    sentence(text) {
      if (!isQuiet) void write(clean(isAccessible ? text.replace(/^[✓=!+~-] /, '') : text));
    },
    warn: (text) => void write(`warning: ${clean(text)}`),
    debug: (text) => void write(clean(text)),
    complete,
    error: (error) =>
      write(
        isJson ? sanitizeJson(JSON.stringify({ error: redactor.json(formatJsonError(error)) })) : formatError(error),
      ),
  };
}
