import type { ErrorCode } from './error-codes.ts';
import type { ExitName } from './exit-codes.ts';
import type { ErrorObject } from './wire/json-api.ts';

export interface ErrorDetails {
  /** Stable reason code for machines; the exit name where nothing finer is known. */
  readonly code?: ErrorCode;
  /** Reasons, each a sentence or more. */
  readonly reasons?: readonly string[];
  /** What to do about it. */
  readonly hint?: string;
  /**
   * Commands to run next, each as the words of its line, the program first. They are quoted and completed where they are
   * printed, and hold neither secrets nor anything to fill in.
   */
  readonly next?: readonly (readonly string[])[];
  readonly items?: readonly FailedItem[];
  readonly cause?: unknown;
}

export interface FailedItem {
  readonly item: string;
  readonly error: OrgctlError;
}

export class OrgctlError extends Error {
  readonly exit: ExitName;
  readonly code: ErrorCode;
  readonly reasons: readonly string[];
  readonly hint: string | undefined;
  readonly next: readonly (readonly string[])[];
  readonly items: readonly FailedItem[];

  constructor(exit: ExitName, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.exit = exit;
    this.code = details.code ?? exit;
    this.reasons = details.reasons ?? [];
    this.hint = details.hint;
    this.next = details.next ?? [];
    this.items = details.items ?? [];
  }
}

/** The command line, a file or the environment is wrong. Thrown before anything is sent. */
export class UsageError extends OrgctlError {
  constructor(message: string, details: ErrorDetails = {}) {
    super('usage', message, details);
  }
}

/** Which request an answer belongs to. `id` is the service's request id, when it gave one. */
export interface RequestReference {
  readonly method: string;
  readonly path: string;
  readonly id?: string;
}

export interface Asked {
  readonly operation: string;
  readonly what: string;
  /** Below the base URL, percent-encoded, without a query. */
  readonly path: string;
  readonly query?: readonly (readonly [name: string, value: string | number | undefined])[];
}

interface Refusal {
  readonly status: number;
  /** The error objects as the service sent them. */
  readonly errors: readonly (ErrorObject | string)[];
  readonly request: RequestReference;
  readonly asked?: Asked | undefined;
  readonly said?: readonly string[];
  readonly isClear?: boolean;
}

/** The service answered, and the answer is not success. Its own words are the first of the reasons. */
export class ServiceError extends OrgctlError implements Refusal {
  readonly status: number;
  readonly errors: readonly (ErrorObject | string)[];
  readonly request: RequestReference;
  readonly asked: Asked | undefined;
  readonly said: readonly string[];
  /** The other reasons: what the words mean. */
  readonly meanings: readonly string[];
  /** The message itself says what the service's words mean. */
  readonly isClear: boolean;

  constructor(exit: ExitName, message: string, refusal: Refusal, details: ErrorDetails = {}) {
    const { said = [] } = refusal;
    // What was explained may be explained again.
    const reasons = [...new Set(details.reasons)];
    super(exit, message, { ...details, reasons: [...said, ...reasons] });
    this.status = refusal.status;
    this.errors = refusal.errors;
    this.request = refusal.request;
    this.asked = refusal.asked;
    this.said = said;
    this.meanings = reasons;
    this.isClear = refusal.isClear === true;
  }
}

/** The refusal in place of what is not there, as far as this token may see: a 404, whatever that means there. */
export async function orAbsence<T>(reading: Promise<T>): Promise<T | ServiceError> {
  return await reading.catch((error: unknown) => {
    if (error instanceof ServiceError && error.status === 404) return error;
    throw error;
  });
}

export async function orUndefined<T>(reading: Promise<T>): Promise<T | undefined> {
  const found = await orAbsence(reading);
  return found instanceof ServiceError ? undefined : found;
}

export type ConnectionFailure =
  | 'dns'
  | 'refused'
  | 'reset'
  | 'tls'
  | 'timeout'
  | 'proxy'
  | 'unreachable'
  | 'too-large'
  | 'not-the-service'
  /** Something came that HTTP does not allow, so that no answer could be read. */
  | 'breaks-http'
  | 'truncated'
  | 'redirect';

/** No usable answer came back. `acted` says whether the service may have acted on the request. */
export class ConnectionError extends OrgctlError {
  readonly failure: ConnectionFailure;
  /** `no`: the request provably never reached the service. `maybe`: it may have been acted on. */
  readonly acted: 'no' | 'maybe';
  readonly request: RequestReference;

  constructor(
    failure: ConnectionFailure,
    acted: 'no' | 'maybe',
    request: RequestReference,
    message: string,
    details: ErrorDetails = {},
  ) {
    super('unavailable', message, { code: failure, ...details });
    this.failure = failure;
    this.acted = acted;
    this.request = request;
  }
}

interface Words {
  readonly message?: string;
  /** All but the service's own words. */
  readonly reasons?: readonly string[];
  /** Undefined where there is nothing to say. */
  readonly hint?: string | undefined;
  readonly next?: ErrorDetails['next'];
  readonly items?: readonly FailedItem[];
  readonly isClear?: boolean;
}

export function reword<Known extends OrgctlError>(error: Known, words: Words): Known;
export function reword(error: OrgctlError, words: Words): OrgctlError {
  const { exit, code, cause } = error;
  const known = error instanceof ServiceError ? error.meanings : error.reasons;
  const { message = error.message, reasons = known, next = error.next, items = error.items } = words;
  const hint = 'hint' in words ? words.hint : error.hint;
  const details = { code, reasons, next, items, cause, ...(hint === undefined ? {} : { hint }) };
  if (error instanceof ServiceError) {
    const { isClear = error.isClear } = words;
    return new ServiceError(exit, message, { ...error, isClear }, details);
  }
  if (error instanceof ConnectionError) {
    return new ConnectionError(error.failure, error.acted, error.request, message, details);
  }
  return new OrgctlError(exit, message, details);
}

/** An error and its reasons on one line. Of an answer only the service's own words, where they say more. */
export function describeError(error: unknown): string {
  const message = toReason(error);
  const reasons = error instanceof ServiceError ? (error.isClear ? [] : error.said) : toReasons(error);
  const others = reasons.filter((reason) => !message.includes(reason));
  return toOneLine([message, ...others]);
}

/** A sentence begins behind a full stop, and what is none behind a semicolon: what a service says is often none. */
export function toOneLine(texts: readonly string[]): string {
  const [first = '', ...others] = texts;
  return others.reduce((text, next) => {
    const mark = /^\p{Lu}.*\.$/su.test(next) ? '.' : ';';
    return `${text}${text.endsWith('.') ? '' : mark} ${next}`;
  }, first);
}

function toReasons(error: unknown): readonly string[] {
  return error instanceof OrgctlError ? error.reasons : [];
}

/**
 * The error of one of several items, such as `ana@example.com in acme`, on one line. Parts of the item that the message
 * does not name stand in front.
 */
export function describeItem({ item, error }: FailedItem): string {
  const unnamed = item.split(' in ').filter((part) => !error.message.includes(part));
  return `${unnamed.length === 0 ? '' : `${unnamed.join(' in ')}: `}${describeError(error)}`;
}

/** Who can do what was refused, and what is unknown of it: said once, below what became of each. */
export function listMeanings(items: readonly FailedItem[]): readonly string[] {
  const all = items.flatMap(({ error }) => (error instanceof ServiceError ? error.meanings : []));
  const meanings = new Set(all.filter((text) => LABELLED.test(text)));
  // A sentence that is certain makes the same sentence with "as far as is known" unnecessary.
  const isSure = (text: string): boolean => !text.includes(SUPPOSED) || !meanings.has(text.replace(SUPPOSED, ''));
  return [...meanings].filter(isSure).sort();
}

/** What a fact is marked with that the service's document does not say. */
export const SUPPOSED = ', as far as is known';

/** Paragraphs that are no part of what the service's own words mean. */
export const LABELLED = /^(?:Who can\b|Unknown: )/;

/** What Node and the operating system call an error; empty where they gave it no name. */
export function toErrorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}

/** What an error says, or the thrown thing itself: anything can be thrown. Of a file in words, and with its path. */
export function toReason(error: unknown): string {
  const fault = toFault(error);
  if (!isOfFile(error) || error.path === undefined) return fault;
  return error.syscall === 'mkdir'
    ? `can't create the folder ${error.path}: ${fault}`
    : `${fault} (${error.dest ?? error.path})`;
}

/** The same where the message names the file. */
export function toFault(error: unknown): string {
  if (!isOfFile(error)) return error instanceof Error ? error.message : String(error);
  const { code, syscall, message } = error;
  // Of a folder to be created, where the folder above it exists.
  return code === 'ENOENT' && syscall === 'mkdir'
    ? "the file system doesn't allow it"
    : (FAULTS[code ?? ''] ?? message);
}

const FAULTS: Readonly<Record<string, string>> = {
  ENOENT: "it doesn't exist",
  EACCES: "you don't have permission",
  EPERM: "you don't have permission",
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EROFS: 'its file system is read-only',
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would become too large',
  EIO: 'the device reported an error',
};

/** What a stream may end with, too. */
const OF_DEVICE: readonly string[] = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO'];

/** Node begins what it says of a file with the code; of a command and a connection it does not. */
function isOfFile(error: unknown): error is NodeJS.ErrnoException & { readonly dest?: string } {
  const code = toErrorCode(error);
  if (!(code in FAULTS) || !(error instanceof Error)) return false;
  return OF_DEVICE.includes(code) || error.message.startsWith(`${code}: `);
}
