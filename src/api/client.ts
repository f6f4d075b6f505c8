import { ConnectionError, isSignal, OrgctlError, ServiceError, UsageError } from '../lib/errors.ts';
import type { Runtime } from '../lib/runtime.ts';
import { createServiceError } from './error-document.ts';
import type { FileBody, Http, HttpResponse } from './http.ts';
import type { Call } from './operations.ts';
import { createRateLimiter } from './rate-limit.ts';
import { decideRetry } from './retry.ts';
import { JSON_API, type Query } from './types.ts';
import type { WriteLog } from './write-log.ts';

/** Where the service is, and how it is reached. */
export interface Connection {
  baseUrl: URL;
  http: Http;
}

export interface ClientOptions {
  /** Called once, before the first request. */
  connect(): Promise<Connection>;
  runtime: Pick<Runtime, 'now' | 'sleep' | 'random'>;
  signal: AbortSignal;
  /** Milliseconds. */
  timeout: number;
  maxRetries: number;
  dryRun: boolean;
  /** The source of read-only mode, such as ORGCTL_READ_ONLY. */
  readOnly: string | undefined;
  writeLog: WriteLog | undefined;
  onProgress(text: string): void;
}

interface RequestOptions {
  /** In place of JSON:API. */
  mediaType?: string;
  body?: string;
  /** In place of `body`. */
  file?: FileBody;
  maxRetries?: number;
}

interface WriteOptions<T> extends RequestOptions {
  /** Reads a success. */
  read(response: HttpResponse): T;
  /**
   * Looks by reading whether a write without a clear answer happened: its value if it did, `false` if it did not,
   * undefined if that can't be known. Without it the outcome stays unknown.
   */
  look?(): Promise<{ value: T } | false | undefined>;
}

/** Requests of one caller to one service: limited in rate, and retried if that is safe. */
export interface Client {
  connect(): Promise<Connection>;
  /** Throws ServiceError for any answer but success, and ConnectionError if none came. */
  read(call: Call, options?: RequestOptions): Promise<HttpResponse>;
  /**
   * The one gate of writes: undefined in a dry run, UsageError in read-only mode, logged before it leaves. Never sent
   * twice unless it certainly had not left. Throws like `read`, and `outcome-unknown`.
   */
  write<T>(call: Call, options: WriteOptions<T>): Promise<T | undefined>;
  close(): Promise<void>;
}

/** The state of a write that is under way. */
interface Flight {
  /** The last attempt may have reached the service. */
  hasLeft?: boolean;
}

export function createClient(options: ClientOptions): Client {
  const limiter = createRateLimiter(options.runtime);
  const { runtime, signal } = options;
  let connection: Promise<Connection> | undefined;

  function connect(): Promise<Connection> {
    connection ??= options.connect();
    return connection;
  }

  async function send(
    call: Call,
    isWrite: boolean,
    request: RequestOptions,
    flight: Flight = {},
  ): Promise<HttpResponse> {
    const { baseUrl, http } = await connect();
    const { mediaType = JSON_API, body, file, maxRetries = options.maxRetries } = request;
    const url = call.address ?? createUrl(baseUrl, call);
    const isAnonymous = call.address !== undefined;
    options.onProgress(`Waiting for ${url.host}`);
    for (let retries = 0; ; retries += 1) {
      await limiter.take(signal);
      flight.hasLeft = true;
      const result = await http
        .send({ method: call.method, url, mediaType, body, file, isAnonymous, timeout: options.timeout })
        .catch((error: unknown) => {
          if (error instanceof ConnectionError) return error;
          throw error;
        });
      const delay = decideRetry({ isWrite, result, retries, maxRetries, random: runtime.random(), now: runtime.now() });
      if (delay === undefined) {
        if (result instanceof ConnectionError) throw result;
        if (result.status < 200 || result.status > 299) throw createServiceError(result, call);
        return result;
      }
      flight.hasLeft = false;
      const why = result instanceof ConnectionError ? result.message : `${url.host} answered ${result.status}`;
      options.onProgress(`${why}; trying again (${retries + 2} of ${maxRetries + 1})`);
      // A limit counts for every request, other failures for this one.
      if (!(result instanceof ConnectionError) && result.status === 429) limiter.pause(delay);
      else await runtime.sleep(delay, signal);
    }
  }

  async function writeOnce<T>(call: Call, write: WriteOptions<T>): Promise<T> {
    const flight: Flight = {};
    try {
      return write.read(await send(call, true, write, flight));
    } catch (error) {
      if (isSignal(error)) throw flight.hasLeft ? createInterruptedError(call, error as OrgctlError) : error;
      if (!isUnclear(error)) throw error;
      options.onProgress('No clear answer; checking whether it happened');
      const outcome = await write.look?.().catch((reason: unknown) => {
        if (isSignal(reason)) throw createInterruptedError(call, reason as OrgctlError);
        if (reason instanceof OrgctlError) return undefined;
        throw reason;
      });
      if (outcome) return outcome.value;
      if (outcome === false) throw error;
      throw new OrgctlError('outcome-unknown', `unknown whether this happened: ${call.what}`, {
        reasons: [error.message],
        hint: 'Check before you run it again.',
        cause: error,
      });
    }
  }

  return {
    connect,
    read: (call, request = {}) => send(call, false, request),
    async write(call, write) {
      if (options.dryRun) return undefined;
      if (options.readOnly !== undefined) throw createReadOnlyError(options.readOnly);
      // First: a service that can't be used gets no line in the log, and the token is redacted there.
      await connect();
      const entry = options.writeLog?.open(call);
      try {
        const value = await writeOnce(call, write);
        entry?.close('ok');
        return value;
      } catch (error) {
        entry?.close(error instanceof OrgctlError ? error.code : 'failure');
        throw error;
      }
    },
    async close() {
      const open = await connection?.catch(() => undefined);
      await open?.http.close();
    },
  };
}

export function createReadOnlyError(source: string): UsageError {
  return new UsageError(`read-only mode is on (${source}), nothing was sent`, { code: 'read-only' });
}

/** A write that may have happened although no usable answer says so. */
function isUnclear(error: unknown): error is ServiceError | ConnectionError {
  if (error instanceof ConnectionError) return error.sent === 'maybe';
  return error instanceof ServiceError && error.status >= 500;
}

function createInterruptedError({ what }: Call, signal: OrgctlError): OrgctlError {
  return new OrgctlError(signal.exit, signal.message, {
    reasons: [`Unknown whether this happened: ${what}.`],
    hint: 'Check before you run it again.',
    cause: signal,
  });
}

function createUrl(baseUrl: URL, { path, isAtOrigin, query }: Call): URL {
  const url = new URL((isAtOrigin ? baseUrl.origin : baseUrl.href.replace(/\/+$/, '')) + path);
  url.search = formatQuery(query);
  return url;
}

/** `[` and `]` are encoded too, as the document says. Undefined values are left out. */
function formatQuery(query: Query): string {
  return query
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');
}
