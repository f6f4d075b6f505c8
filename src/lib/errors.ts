import { type ExitName, SIGNAL_EXITS, type SignalName } from './exit-codes.ts';

type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;

/** A name for programs: the exit's, or a narrower one. */
export type ErrorCode =
  | ExitName
  | Words<'changed changed-meanwhile confirmation-needed cursor-not-written damaged dns drift enterprise exists'>
  | Words<'expiring gap invitation-gone no-key not-compared not-deleted not-in-plan not-listed not-taken'>
  | Words<'not-the-service not-verified not-written organization-limit other-release outdated plain-http protected'>
  | Words<'proxy query read-only redirect refused release reset stranger teams-missing timeout tls'>
  | Words<'token-command too-large too-long too-many-removals truncated unknown-field unreachable unusable upload'>
  | Words<'wrong-token-kind'>;

/** What every further write of the command, or of the same organization, would meet again. */
export const STOPPING: Partial<Record<ErrorCode, 'command' | 'organization'>> = {
  usage: 'command',
  'read-only': 'command',
  'rate-limited': 'command',
  'invitation-gone': 'command',
  'not-authenticated': 'organization',
  'organization-limit': 'organization',
};

export interface ErrorDetails {
  code?: ErrorCode;
  reasons?: string[];
  /** A command in backticks gets the given --sandbox, --profile and --org when the hint is printed. */
  hint?: string;
  items?: FailedItem[];
  cause?: unknown;
}

export interface FailedItem {
  item: string;
  error: OrgctlError;
}

/** An error whose message a user can act on; every other error is a bug. */
export class OrgctlError extends Error {
  exit: ExitName;
  code: ErrorCode;
  reasons: string[];
  hint: string | undefined;
  items: FailedItem[];

  constructor(
    exit: ExitName,
    message: string,
    { code = exit, reasons = [], hint, items = [], cause }: ErrorDetails = {},
  ) {
    super(message, { cause });
    this.name = new.target.name;
    this.exit = exit;
    this.code = code;
    this.reasons = reasons;
    this.hint = hint;
    this.items = items;
  }
}

/** The command line, a file or a setting is wrong. Thrown before the first write. */
export class UsageError extends OrgctlError {
  constructor(message: string, details?: ErrorDetails) {
    super('usage', message, details);
  }
}

/** Names a request without its query, which may hold secrets. */
export interface RequestReference {
  method: string;
  path: string;
  /** From the service's `x-request-id`. */
  id?: string;
}

export interface ErrorObject {
  status?: string;
  title?: string;
  detail?: string;
  source?: { pointer?: string; parameter?: string };
}

interface Refusal {
  status: number;
  errors: (ErrorObject | string)[];
  request: RequestReference;
  /** The operation, to explain a 404. */
  call?: { action: string; who?: string; org?: string; isAboutOrg: boolean; absent?: string };
}

export class ServiceError extends OrgctlError implements Refusal {
  status: number;
  errors: Refusal['errors'];
  request: RequestReference;
  call: Refusal['call'];

  constructor(exit: ExitName, message: string, refusal: Refusal, details?: ErrorDetails) {
    super(exit, message, details);
    this.status = refusal.status;
    this.errors = refusal.errors;
    this.request = refusal.request;
    this.call = refusal.call;
  }
}

/** No usable answer of the service arrived. */
export class ConnectionError extends OrgctlError {
  /** `no`: the service certainly did not get the request. */
  sent: 'no' | 'maybe';
  request: RequestReference;
  /** The status of an answer that is not the service's. */
  status: number | undefined;

  constructor(
    code: ErrorCode,
    sent: 'no' | 'maybe',
    request: RequestReference,
    message: string,
    details?: ErrorDetails,
  ) {
    super('unavailable', message, { code, ...details });
    this.sent = sent;
    this.request = request;
  }
}

/** Node gives every error of SQLite the same code, and has SQLite's number in `errcode`. */
const SQLITE_ERRORS: Record<number, string> = {
  5: 'BUSY',
  6: 'LOCKED',
  11: 'CORRUPT',
  15: 'PROTOCOL',
  26: 'NOTADB',
};

/** A copy, since others may hold the error. */
export function copyError<E extends OrgctlError>(error: E, changes: Partial<E>): E {
  const copy: E = Object.create(Object.getPrototypeOf(error), Object.getOwnPropertyDescriptors(error));
  return Object.assign(copy, changes);
}

/** Whether the error is neither a bug nor a signal. */
export function isFailure(error: unknown): error is OrgctlError {
  return error instanceof OrgctlError && !isSignal(error);
}

export function isSignal(error: unknown): error is OrgctlError & { exit: (typeof SIGNAL_EXITS)[SignalName] } {
  return error instanceof OrgctlError && Object.values<ExitName>(SIGNAL_EXITS).includes(error.exit);
}

export function formatInOneLine({ message, reasons }: OrgctlError): string {
  return [message.replace(/\.$/, ''), ...reasons].join('; ');
}

export function formatReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code of Node, SQLite or the operating system, such as `ENOENT`; empty if the error has none. */
export function readErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('errcode' in error) return `SQLITE_${SQLITE_ERRORS[Number(error.errcode) & 0xff] ?? 'ERROR'}`;
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
