import type { RequestReference } from '../errors.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface WireRequest {
  /** Its row in the table of operations. */
  readonly operation: string;
  /** What it is about, as far as known. */
  readonly organization: string | undefined;
  /** What it is for: completes the sentence "Would …". */
  readonly effect: string;
  readonly method: Method;
  /** Below the base URL, percent-encoded, starting with a slash; the query without its question mark. */
  readonly path: string;
  /** The path begins at the base URL's origin instead. */
  readonly atOrigin?: boolean;
  readonly query: string;
  readonly body: string | undefined;
  /** In place of base URL and path: an address that is a secret itself. The token is not sent there. */
  readonly address?: URL | undefined;
  /** In place of `body`. */
  readonly file?: FileBody | undefined;
  readonly mediaType: string;
  /** Milliseconds for the whole request; of a file for each piece of it, and for the answer after as long as it took. */
  readonly timeout: number;
  /** A new connection: one that was kept may end just as the request leaves. */
  readonly ownConnection?: boolean;
  /** A success may hold a new token. */
  readonly answersWithToken?: boolean;
  /** Called when there is a connection, and the request leaves on it. */
  readonly onStart?: () => void;
  /** Of the write that it belongs to, of which it may be one of several requests. */
  readonly entry?: LogEntry | undefined;
}

/** The bytes of a file, read as they are sent. */
export interface FileBody {
  /** Bytes. */
  readonly size: number;
  pieces(): AsyncIterable<Uint8Array>;
}

/** Where a person sees what is waited for. What is said is said until the function that comes back is called. */
export interface Onlooker {
  request(text: string): () => void;
  /** Why it takes longer, and how many milliseconds. */
  delay(text: string, milliseconds: number): () => void;
}

/** Where every write is noted, before it leaves and once it is answered. Without one nothing is noted. */
export interface WriteLog {
  /** For one write, however often it is sent. */
  open(): LogEntry;
}

export interface LogEntry {
  /** On disk when it returns, the first time. `target`: where it goes, without a query and any secret. Throws UsageError where that can't be: nothing is to be sent then. */
  sent(request: WireRequest, target: string): void;
  /** `status`, `requestId`: none where it was found out by reading. `secret`: a token that it created. Never throws. */
  done(end: {
    readonly status?: number | undefined;
    readonly requestId?: string | undefined;
    readonly secret?: string | undefined;
  }): void;
  /** `isStopped`: it was cut short once it had left. Never throws. */
  failed(error: unknown, isStopped: boolean): void;
}

/** A write that a dry run keeps from leaving. */
export interface PlannedWrite {
  /** Completes the sentence "Would …". */
  readonly effect: string;
  readonly method: Method;
  readonly url: string;
  /** Left out where there is none. */
  readonly body?: unknown;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The origin that answered. */
  readonly origin: string;
  readonly request: RequestReference;
}

/** One exchange for the trace. Bodies are as they travelled, with their secrets. */
export interface Exchange {
  readonly method: Method;
  readonly url: string;
  readonly requestBody: string | undefined;
  /** A success may hold a new token. */
  readonly answersWithToken: boolean;
  readonly milliseconds: number;
  readonly result:
    | { readonly status: number; readonly headers: Answer['headers']; readonly body: string }
    | { readonly failure: string };
}
