import { ConnectionError, copyError, isSignal, OrgctlError, ServiceError, UsageError } from '../lib/errors.ts';
import type { Runtime } from '../lib/runtime.ts';
import { createServiceError, createUnexpectedResponseError, isHtml } from './error-document.ts';
import type { FileBody, Http, HttpResponse } from './http.ts';
import type { Call } from './operations.ts';
import type { RateLimiter } from './rate-limit.ts';
import { decideRetry } from './retry.ts';
import { JSON_API } from './types.ts';
import type { WriteLog } from './write-log.ts';

export interface Connection {
  /** The service, for messages. */
  name: string;
  baseUrl: URL;
  /** A 404 for a token means that there is none, if the caller may see tokens (facts). */
  showsTokens: boolean;
  http: Http;
}

export interface ClientOptions {
  /** Called once, before the first request. */
  connect(): Promise<Connection>;
  runtime: Pick<Runtime, 'now' | 'sleep' | 'random'>;
  limiter: RateLimiter;
  signal: AbortSignal;
  /** Milliseconds. */
  timeout: number;
  maxRetries: number;
  isDryRun: boolean;
  /** The source of read-only mode, such as ORGCTL_READ_ONLY. */
  readOnly: string | undefined;
  writeLog: WriteLog | undefined;
  onProgress(text: string): void;
  /** Called before each request. */
  onWait(text: string): void;
}

/** The value of a write that happened, `false` if the write did not happen, undefined if that can't be known. */
export type Outcome<T> = { value: T } | false | undefined;

interface RequestOptions {
  /** Replaces the media type of JSON:API. */
  mediaType?: string;
  body?: string;
  /** Replaces `body`. */
  file?: FileBody;
}

interface WriteOptions<T> extends RequestOptions {
  /** Reads the answer of a successful write. */
  read(response: HttpResponse): T;
  /** Reads whether a write without a clear answer happened. Without this function the outcome stays unknown. */
  findOutcome?(error: OrgctlError): Promise<Outcome<T>>;
  /** A refusal with this status may have happened all the same, so its outcome is looked at too. */
  unclearStatus?: number;
  /** Running the command again changes nothing that is already done. */
  isRepeatable?: boolean;
}

/** Sends the requests of one caller to one service, within the rate limit and with safe retries. */
export class Client {
  private options: ClientOptions;
  private connection: Promise<Connection> | undefined;

  constructor(options: ClientOptions) {
    this.options = options;
  }

  connect(): Promise<Connection> {
    this.connection ??= this.options.connect();
    return this.connection;
  }

  /** Throws ServiceError for any answer but success, and ConnectionError if no answer arrived. */
  read(call: Call, request: RequestOptions = {}): Promise<HttpResponse> {
    return this.send(call, request, false);
  }

  /**
   * The one gate of writes: returns undefined in a dry run, throws UsageError in read-only mode, and logs each write before
   * it is sent. A write is sent again only if the service certainly did not get the write. Throws like `read`, and
   * `outcome-unknown`.
   */
  async write<T>(call: Call, options: WriteOptions<T>): Promise<T | undefined> {
    const { isDryRun, readOnly, writeLog } = this.options;
    if (isDryRun) return undefined;
    assertWritable(readOnly);
    // The log opens only now: connecting finds unusable services, and the token to redact.
    await this.connect();
    const entry = writeLog?.open(call);
    try {
      const value = await this.writeOnce(call, options);
      entry?.close('ok');
      return value;
    } catch (error) {
      entry?.close(error instanceof OrgctlError ? error.code : 'failure');
      throw error;
    }
  }

  async close(): Promise<void> {
    const connection = await this.connection?.catch(() => undefined);
    await connection?.http.close();
  }

  private async writeOnce<T>(call: Call, options: WriteOptions<T>): Promise<T> {
    const state = { sent: false };
    const hint = options.isRepeatable ? 'Run it again.' : 'Check before you run it again.';
    try {
      return options.read(await this.send(call, options, true, state));
    } catch (error) {
      if (isSignal(error)) throw state.sent ? createUnknownError(call.action, error, hint) : error;
      const isRefusal = error instanceof ServiceError && error.status === options.unclearStatus;
      if (!isRefusal && !isUnclear(error)) throw error;
      this.options.onProgress('No clear answer; checking whether it happened');
      const outcome = await options.findOutcome?.(error).catch((reason: unknown) => {
        if (isSignal(reason)) throw createUnknownError(call.action, reason, hint);
        if (reason instanceof OrgctlError) return undefined;
        throw reason;
      });
      if (outcome) return outcome.value;
      if (outcome === false) {
        if (isRefusal) throw error;
        throw copyError(error, { reasons: [...error.reasons, `This did not happen: ${call.action}.`] });
      }
      throw createUnknownError(call.action, error, hint);
    }
  }

  /** `state.sent`: the last attempt may have reached the service. */
  private async send(call: Call, request: RequestOptions, isWrite: boolean, state = { sent: false }) {
    const { runtime, limiter, signal, timeout, maxRetries, onProgress, onWait } = this.options;
    const { mediaType = JSON_API, body, file } = request;
    const connection = await this.connect();
    const { baseUrl, http } = connection;
    const url = call.secretUrl ?? createUrl(baseUrl, call);
    const isAnonymous = call.secretUrl !== undefined;
    const name = isAnonymous ? url.host : connection.name;
    const onLeave = (): void => {
      state.sent = true;
    };
    onWait(call.progress ?? `Waiting for ${name}`);
    for (let retries = 0; ; retries += 1) {
      const result = await http
        .send({ method: call.method, url, mediaType, body, file, isAnonymous, timeout, onLeave })
        .catch((error: unknown) => {
          if (error instanceof ConnectionError) return error;
          throw error;
        });
      const delay = decideRetry({ isWrite, result, retries, maxRetries, random: runtime.random(), now: runtime.now() });
      if (delay === undefined) {
        if (result instanceof ConnectionError) throw result;
        if (result.status < 200 || result.status > 299) throw createServiceError(result, call, name);
        // The page of a login portal proves nothing, not even after a write whose answer says nothing else.
        if (isHtml(result) && !isAnonymous) throw createUnexpectedResponseError(result);
        return result;
      }
      state.sent = false;
      const reason = result instanceof ConnectionError ? result.message : `${name} answered ${result.status}`;
      onProgress(`${reason}; trying again (${retries + 2} of ${maxRetries + 1})`);
      // A rate limit delays every request, other failures only this one.
      if (!(result instanceof ConnectionError) && result.status === 429) limiter.pause(delay);
      else await runtime.sleep(delay, signal);
    }
  }
}

/** `readOnly` is the source of read-only mode. */
export function assertWritable(readOnly: string | undefined): void {
  if (readOnly === undefined) return;
  throw new UsageError(`read-only mode is on (${readOnly}), nothing was sent`, { code: 'read-only' });
}

/** Whether a write may have happened although no usable answer says so. */
function isUnclear(error: unknown): error is ServiceError | ConnectionError {
  if (error instanceof ConnectionError) return error.sent === 'maybe';
  return error instanceof ServiceError && error.status >= 500;
}

/** `cause` is an error that leaves open whether a write happened, or the signal that came before this was known. */
export function createUnknownError(action: string, cause: OrgctlError, hint: string): OrgctlError {
  const unknown = `unknown whether this happened: ${action}`;
  if (isSignal(cause)) return new OrgctlError(cause.exit, cause.message, { reasons: [`${unknown}.`], hint, cause });
  return new OrgctlError('outcome-unknown', unknown, { reasons: [cause.message, ...cause.reasons], hint, cause });
}

function createUrl(baseUrl: URL, { path, isAtOrigin, query }: Call): URL {
  const url = new URL((isAtOrigin ? baseUrl.origin : baseUrl.href.replace(/\/+$/, '')) + path);
  // This encodes `[` and `]` too, as the document asks.
  for (const [name, value] of query) if (value !== undefined) url.searchParams.append(name, String(value));
  return url;
}
