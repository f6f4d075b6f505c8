import type { ErrorCode, StderrLine } from '../error-codes.ts';
import { ConnectionError, LABELLED, type OrgctlError, ServiceError } from '../errors.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import type { NextCommand } from '../input/next-command.ts';
import { isSignal } from '../interrupts.ts';
import { findSecrets, findTokens } from '../secrets/find.ts';
import { createSecrets, type Secrets } from '../secrets/secrets.ts';
import type { Exchange, PlannedWrite } from '../service/http.ts';
import { formatCount } from '../text/count.ts';
import { toPlainJson, toPlainText } from '../text/plain-text.ts';
import { cutForSearch, cutValueForSearch, shortenLines, shortenText, shortenValue } from '../text/shorten.ts';
import { hang, wrap, wrapLine } from '../text/wrap.ts';
import type { Stderr } from './stream.ts';

/** Everything orgctl says on stderr: as text for people, as JSON lines where the results are JSON. */
export interface Reporter {
  readonly secrets: Secrets;
  /** Whether it says everything in lines of JSON. */
  readonly isJson: boolean;
  /** `next`: the words of each command that it leads to. */
  note(text: string, ...next: readonly (readonly string[])[]): void;
  /** What was done, on a line that stands out from notes. */
  done(text: string): void;
  /** A note beside results that a person looks at: text in every format, and only at a terminal. */
  noteAtTerminal(text: string): Promise<void>;
  /** `code`: what programs know it by. */
  warn(text: string, code?: ErrorCode): void;
  /** A write that a dry run kept from leaving. */
  planned(write: PlannedWrite): void;
  /** Says, once, that nothing was sent: the end of a dry run. */
  endOfPlan(): void;
  /** One exchange, for --debug, without its secrets. What it calls a secret is hidden from now on. */
  exchange(exchange: Exchange): void;
  error(error: OrgctlError): void;
}

/** One line of JSON. */
type JsonLine = { readonly [Kind in StderrLine]?: unknown };

interface ReporterOptions {
  readonly stderr: Stderr;
  readonly json: boolean;
  readonly quiet: boolean;
  /** Whether stdout has what a dry run would do. */
  readonly plansOnStdout?: boolean;
  readonly debug: boolean;
  /** Without them words stand in their place. */
  readonly signs: boolean;
  readonly colors: boolean;
  readonly nextCommand: NextCommand;
}

/** Of more writes than this a dry run counts the rest. */
const MOST_PLANNED = 20;
/** Secrets that answers call so: a service can send as many as it likes, and each takes time. */
const MOST_FOUND = 100;

/** Everything orgctl says on stderr: as text for people, as JSON lines where the results are JSON. */
export function createReporter(options: ReporterOptions) {
  const { stderr } = options;
  const secrets = createSecrets();
  let found = 0;
  let planned = 0;
  // Without a result on stdout these lines are the plan.
  const mostPlanned = options.plansOnStdout === true ? MOST_PLANNED : Number.POSITIVE_INFINITY;
  const hideFound = ({ method, answersWithToken, requestBody, result }: Exchange): void => {
    if (!('body' in result)) return;
    const tokens = answersWithToken ? findTokens(`${result.headers['location'] ?? ''} ${result.body}`) : [];
    // The description that was sent comes back, and is no secret.
    const sent = answersWithToken ? findTokens(requestBody ?? '') : [];
    const texts = [...findSecrets(result.body), ...tokens.filter((word) => !sent.includes(word))];
    // A list has any number of answers, so the secrets found in them are limited. The answer to a write counts whole.
    secrets.hide(...texts.slice(0, method === 'GET' ? Math.max(0, MOST_FOUND - found) : MOST_FOUND));
    found += texts.length;
  };
  const width = (): number => (stderr.isTerminal && stderr.stream.columns) || Number.POSITIVE_INFINITY;
  /** For one message: a line, safe for a terminal and without secrets, and no longer than people read. */
  const createCleaner = (): ((text: string) => string) => {
    const redact = secrets.createLimited();
    return (text) => shortenText(redact(cutForSearch(toPlainText(text))));
  };
  const write = (text: string): void => {
    // An error of stderr itself cannot be reported anywhere.
    stderr.write(`${text}\n`).catch(() => undefined);
  };
  // Taking out escape sequences may put a secret together again, so that it is looked for last. Shortened after that: a
  // cut through a secret would leave a part that is too short to be known.
  const toShown = (lines: readonly string[]): string =>
    shortenLines(secrets.redactText(lines.join('\n')).split('\n')).join('\n');
  const writeLines = (lines: readonly string[]): void => write(secrets.redactText(lines.join('\n')));
  const writeText = (lines: readonly string[]): void => write(toShown(lines));
  const dim = (text: string): string =>
    options.colors ? text.replace(/^.+$/gm, (line) => `\u001b[2m${line}\u001b[22m`) : text;
  // Inside the values: a quotation mark that is part of a secret is no mark of JSON.
  const writeJson = (value: JsonLine): void => write(toPlainJson(JSON.stringify(secrets.redactValue(value))));
  const writeShortJson = (value: JsonLine): void =>
    write(toPlainJson(JSON.stringify(shortenValue(secrets.redactValue(cutValueForSearch(value))))));
  const writeMessage = (kind: 'note' | 'warning', text: string, code?: ErrorCode): void => {
    const value = { ...(code === undefined ? {} : { code }), message: text };
    if (options.json) writeShortJson(kind === 'note' ? { note: value } : { warning: value });
    else if (kind === 'note') write(dim(toShown(wrapLine(createCleaner()(text), width()))));
    else writeText(hang('warning: ', createCleaner()(text), width()));
  };

  return {
    secrets,
    isJson: options.json,
    /** `next`: the words of each command that it leads to. */
    note(text: string, ...next: readonly (readonly string[])[]): void {
      if (options.quiet) return;
      const commands = next.map(options.nextCommand);
      if (commands.length === 0) writeMessage('note', text);
      else if (options.json) writeShortJson({ note: { message: text, next: commands } });
      else {
        const clean = createCleaner();
        const lines = commands.map((command) => `  ${toMarks(options).next}${clean(command)}`);
        write(dim(toShown([...wrapLine(clean(text), width()), ...lines])));
      }
    },
    /** What was done, on a line that stands out from notes. */
    done(text: string): void {
      if (options.quiet) return;
      if (options.json) writeMessage('note', text);
      else writeText(hang(options.signs ? '✓ ' : '', createCleaner()(text), width()));
    },
    /** A note beside results that a person looks at: text in every format, and only at a terminal. */
    async noteAtTerminal(text: string): Promise<void> {
      // A note that cannot be written changes nothing about the result.
      if (!options.quiet && stderr.isTerminal) await stderr.write(`${dim(toPlainText(text))}\n`).catch(() => undefined);
    },
    warn: (text: string, code?: ErrorCode): void => writeMessage('warning', text, code),
    /** A write that a dry run kept from leaving. */
    planned(write: PlannedWrite): void {
      if (options.quiet && options.plansOnStdout && !options.debug) return;
      const { effect, method, url, body } = write;
      planned += 1;
      if (options.json) {
        writeJson({ planned: write });
        return;
      }
      if (planned <= mostPlanned) writeText(wrap(`Would ${createCleaner()(effect)}`, width()));
      if (!options.debug) return;
      writeLines([
        `  ${method} ${toPlainText(url)}`,
        ...(body === undefined ? [] : [toPlainJson(JSON.stringify(secrets.redactValue(body), undefined, 2))]),
      ]);
    },
    /** Says that nothing was sent: the end of a dry run. */
    endOfPlan(): void {
      if (options.json || planned === 0) return;
      if (planned > mostPlanned) writeText([`and ${planned - mostPlanned} more, ${planned} in all`]);
      writeText(['Nothing was sent.']);
    },
    /** One exchange, for --debug, without its secrets. What it calls a secret is hidden from now on. */
    exchange(exchange: Exchange): void {
      // Only a write is answered with a new secret.
      if (!options.debug && exchange.method === 'GET') return;
      hideFound(exchange);
      if (!options.debug) return;
      const lines = describeExchange(exchange, secrets);
      if (options.json) writeJson({ debug: lines });
      // In a file or a pipe it is whole.
      else writeLines(lines.map((line) => (stderr.isTerminal ? cutBody(toPlainText(line)) : toPlainText(line))));
    },
    error(error: OrgctlError): void {
      if (options.json) writeShortJson(toErrorObject(error, options.nextCommand));
      else writeText(describeError(error, { ...options, clean: createCleaner(), width: width() }));
    },
  };
}

/** The error as one object: what `-o json` prints last on stderr. */
function toErrorObject(error: OrgctlError, nextCommand: NextCommand): JsonLine {
  const items = error.items.map(({ item, error: failure }) => ({ item, ...toErrorMembers(failure, nextCommand) }));
  return { error: { ...toErrorMembers(error, nextCommand), ...(items.length === 0 ? {} : { items }) } };
}

function toErrorMembers(error: OrgctlError, nextCommand: NextCommand): object {
  const answered = error instanceof ServiceError ? error : undefined;
  const request = error instanceof ServiceError || error instanceof ConnectionError ? error.request : undefined;
  return {
    code: error.code,
    exit: EXIT_CODES[error.exit].code,
    message: error.message,
    ...(error.reasons.length === 0 ? {} : { reasons: error.reasons }),
    ...(answered === undefined ? {} : { status: answered.status, errors: answered.errors }),
    ...(request === undefined ? {} : { request }),
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    ...(error.next.length === 0 ? {} : { next: listNext(error, nextCommand) }),
  };
}

/** A list of those who can continues the paragraph before it where it has no room on one line. */
function joinCallers(reasons: readonly string[], width: number): readonly string[] {
  const joined: string[] = [];
  for (const reason of reasons) {
    const before = /^Who can\b/.test(reason) && reason.length + 2 > width ? joined.pop() : undefined;
    joined.push(before === undefined ? reason : `${before} ${reason}`);
  }
  return joined;
}

/** Each once: what is to be done is the same for many things. */
function listNext({ next }: OrgctlError, nextCommand: NextCommand): readonly string[] {
  return [...new Set(next.map(nextCommand))];
}

const IN_SIGNS = { hint: '→ ', next: '$ ' };
const IN_WORDS = { hint: 'hint: ', next: 'run: ' };

function toMarks({ signs }: Pick<ReporterOptions, 'signs'>): typeof IN_SIGNS {
  return signs ? IN_SIGNS : IN_WORDS;
}

interface MessageStyle extends Pick<ReporterOptions, 'signs' | 'nextCommand'> {
  /** One line, safe for a terminal and without secrets, which a break between two lines could hide. */
  clean(text: string): string;
  readonly width: number;
}

/** Wrapped to the terminal, but for commands: those are copied. */
function describeError(error: OrgctlError, { signs, nextCommand, clean, width }: MessageStyle): string[] {
  const before = toMarks({ signs });
  const reasons = error instanceof ServiceError ? describeAnswer(error) : error.reasons;
  const id = error instanceof ConnectionError ? error.request.id : undefined;
  const paragraph = (start: string, text: string): readonly string[] => hang(start, clean(text), width);
  // An end that the user asked for is no fault of a command.
  const isWanted = error.exit === 'cancelled' || isSignal(error);
  return [
    ...wrap(`${isWanted ? '' : 'orgctl: '}${clean(error.message)}`, width),
    ...joinCallers(reasons, width).flatMap((reason) => paragraph('  ', reason)),
    ...(error.hint === undefined ? [] : paragraph(`  ${before.hint}`, error.hint)),
    ...listNext(error, nextCommand).map((command) => `  ${before.next}${clean(command)}`),
    ...(id === undefined ? [] : [`  Request: ${clean(id)}`]),
  ];
}

/** The service's own words in one line with status and request, and what they mean. Words about places have lines of their own. */
function describeAnswer({ status, errors, said, meanings, request: { id } }: ServiceError): readonly string[] {
  const listed = said.length > 1 || said[0]?.startsWith('/') === true ? said : [];
  const words = listed.length > 0 ? [] : said.map((text) => text.replace(/\.$/, ''));
  const parts = [
    errors.length > 0 ? 'Service:' : 'Answer:',
    ...(words[0]?.startsWith(`${status} `) === true ? [] : [status]),
    ...words,
    ...(id === undefined ? [] : [`(request ${id})`]),
  ];
  const [meaning = '', ...others] = meanings;
  const isApart = meaning === '' || LABELLED.test(meaning);
  return [...listed, `${parts.join(' ')}.${isApart ? '' : ` ${meaning}`}`, ...(isApart ? meanings : others)];
}

/** A body can be thousands of characters in one line. */
const MOST_OF_BODY = 1_000;

function cutBody(line: string): string {
  if (line.length <= MOST_OF_BODY) return line;
  return `${line.slice(0, MOST_OF_BODY)}… (${formatCount(line.length)} characters; whole with 2> file)`;
}

function describeExchange(exchange: Exchange, secrets: Secrets): string[] {
  const { method, url, milliseconds, requestBody, answersWithToken, result } = exchange;
  const sent = requestBody === undefined ? [] : [`  > ${secrets.redactBody(requestBody)}`];
  if ('failure' in result) return [`debug: ${method} ${url}: ${result.failure} (${milliseconds} ms)`, ...sent];
  const id = result.headers['x-request-id'];
  const isMade = answersWithToken && result.status < 400;
  return [
    `debug: ${method} ${url}: ${result.status} (${milliseconds} ms${id === undefined ? '' : `, request ${id}`})`,
    ...sent,
    ...(result.body === '' ? [] : [`  < ${isMade ? secrets.maskBody(result.body) : secrets.redactBody(result.body)}`]),
  ];
}
