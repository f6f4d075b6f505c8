import { ConnectionError, describeError, OrgctlError, type RequestReference, reword, ServiceError } from '../errors.ts';
import { isObject } from '../json-object.ts';
import { readNewToken } from '../secrets/token.ts';
import type { ListDocument, Resource, ResourceDocument } from '../wire/json-api.ts';
import type { WriteOutcome } from './ambiguous-write.ts';
import { readIdentity, type ServiceIdentity } from './diagnosis/address.ts';
import { describeDoing } from './doing.ts';
import type { Answer, FileBody, Onlooker, WireRequest, WriteLog } from './http.ts';
import { findOrganization, type OperationCall, type OperationRequest, toRequest } from './operations.ts';
import type { Pace } from './pace.ts';
import { parseJson, toServiceError, toUnreadableError } from './problem.ts';
import { type Query, toQueryText } from './query.ts';
import { backoffDelay, decideRetry, describeRetry, nameTimes, type Result } from './retry.ts';
import type { Transport } from './transport.ts';

/** One call of an operation: paced, tried again where that is safe, its answer read or its refusal explained. */

export type Call = OperationCall & {
  readonly query?: Query;
  /** How often it may be sent again where that is safe; as often as the command allows when left out. */
  readonly maxRetries?: number;
  /** Milliseconds; the command's own timeout when left out. */
  readonly timeout?: number;
  /** What it is about, where the path does not say. */
  readonly organization?: string;
};

/** An answer, and what was asked for: it completes the sentence "can't …". */
export interface CallAnswer extends Answer {
  readonly what: string;
  /** It may hold a new token. */
  readonly answersWithToken?: boolean;
}

type WriteCall<T> = Call & {
  readonly body?: unknown;
  /** A body that is JSON text already, and travels as it is. */
  readonly text?: string;
  /** In place of a body. */
  readonly file?: FileBody;
  /** What it does, where more is known than the operation itself says: completes the sentence "Would …". */
  readonly effect?: string;
  readonly ownConnection?: boolean;
  /** The caller notes its success in the log, after what has to come before. */
  readonly ownAnswer?: boolean;
  /** Reads a success. Throws ConnectionError when it is not the service's. */
  readonly read: (answer: CallAnswer) => T;
  /** Finds out by reading whether a write without a clear answer happened. Without it such a write stays unknown. */
  readonly findOutcome?: () => Promise<WriteOutcome<T>>;
};

interface Written<T> {
  readonly value: T;
  /** Notes in the log that it was answered; for a caller that asked for `ownAnswer`. */
  noteAnswer(): void;
}

export interface Client {
  /**
   * A GET, also of the path of an operation that writes: a refusal then is one of that. Throws ServiceError for any
   * answer but success, ConnectionError when none came, and UsageError for a parameter that no path can carry.
   */
  read(call: Call): Promise<CallAnswer>;
  /** Undefined in a dry run: nothing was sent. Throws like `read`, and OrgctlError `outcome-unknown`. */
  write<T>(call: WriteCall<T>): Promise<Written<T> | undefined>;
  readonly seen: ServiceIdentity;
  /** Whether this error comes from a request of this client. */
  isOwn(error: ServiceError | ConnectionError): boolean;
}

export interface ClientOptions {
  readonly baseUrl: URL;
  readonly transport: Transport;
  readonly writeLog: WriteLog | undefined;
  readonly onlooker: Onlooker;
  readonly pace: Pace;
  readonly timeout: number;
  readonly maxRetries: number;
  readonly now: () => number;
  readonly random: () => number;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

// Milliseconds.
const PAUSE_BEFORE_SECOND_LOOK = 3_000;

export function createClient(options: ClientOptions): Client {
  const seen: Seen = {
    appName: undefined,
    enterpriseVersion: undefined,
    enterpriseNumber: undefined,
    apiVersion: undefined,
  };

  const requests = new WeakSet<RequestReference>();

  /** Said to who looks on, with the pauses between its requests. */
  async function saying<T>(wire: WireRequest, act: () => Promise<T>): Promise<T> {
    const over = options.onlooker.request(describeDoing(wire));
    try {
      return await act();
    } finally {
      over();
    }
  }

  async function send(
    request: WireRequest,
    kind: 'read' | 'write',
    maxRetries: number,
    departure: Departure = { left: false },
  ): Promise<Sent | undefined> {
    const said: Said = { over: () => undefined };
    try {
      return await sendUntilClear(request, kind, maxRetries, departure, said);
    } finally {
      said.over();
    }
  }

  async function sendUntilClear(
    request: WireRequest,
    kind: 'read' | 'write',
    maxRetries: number,
    departure: Departure,
    said: Said,
  ): Promise<Sent | undefined> {
    let before = '';
    let times = 0;
    for (let retriesSoFar = 0; ; retriesSoFar += 1) {
      const onStart = await options.pace.take(options.signal);
      if (before === '429') said.over();
      const started = options.now();
      let outcome: Answer | ConnectionError;
      departure.left = true;
      try {
        const answer = await options.transport.send({ ...request, onStart });
        if (answer === undefined) return undefined;
        requests.add(answer.request);
        // Another server says nothing of this one.
        if (request.address === undefined) {
          note(answer, seen);
          options.pace.learn(answer.headers);
        }
        outcome = answer;
      } catch (error) {
        if (!(error instanceof ConnectionError)) throw error;
        requests.add(error.request);
        outcome = error;
      }
      const result: Result = outcome;
      const came = outcome instanceof ConnectionError ? outcome.message : `${outcome.status}`;
      times = came === before ? times + 1 : 1;
      before = came;
      const delay = decideRetry({
        kind,
        result,
        retriesSoFar,
        maxRetries,
        random: options.random(),
        now: options.now(),
      });
      if (delay === undefined) {
        if (!(outcome instanceof ConnectionError)) return { answer: outcome, retries: retriesSoFar, times };
        throw times > 1 ? reword(outcome, { message: nameTimes(outcome.message, times) }) : outcome;
      }
      const { host } = request.address ?? options.baseUrl;
      const tries = { next: retriesSoFar + 2, most: maxRetries + 1 };
      const text = describeRetry({ result: outcome, host, timeout: request.timeout, delay, ...tries });
      said.over();
      said.over = options.onlooker.delay(text, options.now() - started + delay);
      if (!(outcome instanceof ConnectionError) && outcome.status === 429) options.pace.hold(delay);
      else await options.sleep(delay, options.signal);
    }
  }

  /** Looks once, and a second time where the write may still be on its way. */
  async function findOutcome<T>(call: WriteCall<T>, problem: ServiceError | ConnectionError): Promise<WriteOutcome<T>> {
    const outcome = await lookOnce(call, options.signal.reason);
    if (outcome === 'unknown' || outcome.happened || !isLate(problem)) return outcome;
    const over = options.onlooker.delay('No clear answer; checking whether it happened', PAUSE_BEFORE_SECOND_LOOK);
    try {
      await options.sleep(PAUSE_BEFORE_SECOND_LOOK, options.signal);
      return await lookOnce(call, options.signal.reason);
    } finally {
      over();
    }
  }

  return {
    seen,
    isOwn: ({ request }) => requests.has(request),
    async read(call) {
      const request = { ...toRequest(call), method: 'GET' } as const;
      const wire = toWireRequest(request, call, undefined, call.timeout ?? options.timeout);
      const sent = await saying(wire, () => send(wire, 'read', call.maxRetries ?? options.maxRetries));
      if (sent === undefined) throw new Error('a read was taken for a write');
      return takeSuccess(sent, request, call);
    },
    async write(call) {
      const request = toRequest(call);
      const body = call.text ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
      const effect = call.effect ?? request.what;
      const { file } = call;
      const wire = { ...toWireRequest(request, call, body, call.timeout ?? options.timeout), effect, file };
      const departure: Departure = { left: false };
      const { ownConnection = false, ownAnswer = false } = call;
      const entry = options.writeLog?.open();
      try {
        const written = await saying(wire, () =>
          writeUntilClear(call, request, { ...wire, ownConnection, entry }, departure),
        );
        if (written === undefined) return undefined;
        const { value, answer } = written;
        const noteAnswer = (): void =>
          entry?.done({
            status: answer?.status,
            requestId: answer?.request.id,
            secret: request.answersWithToken ? readNewToken(answer?.text ?? '') : undefined,
          });
        if (!ownAnswer) noteAnswer();
        return { value, noteAnswer };
      } catch (error) {
        const isStopped = departure.left && error === options.signal.reason;
        entry?.failed(error, isStopped);
        throw isStopped ? toStoppedWrite(request.what, error) : error;
      }
    },
  };

  async function writeUntilClear<T>(
    call: WriteCall<T>,
    request: OperationRequest,
    wire: WireRequest,
    departure: Departure,
  ): Promise<{ readonly value: T; readonly answer?: Answer } | undefined> {
    const maxRetries = call.maxRetries ?? options.maxRetries;
    for (let tries = 0; ; tries += 1) {
      let problem: ServiceError | ConnectionError;
      try {
        const sent = await send(wire, 'write', maxRetries, departure);
        if (sent === undefined) return undefined;
        return { value: call.read(takeSuccess(sent, request, call)), answer: sent.answer };
      } catch (error) {
        // A write that is sent again may be refused because the first one took effect late.
        if (!isAmbiguous(error) && !(tries > 0 && error instanceof ServiceError)) throw error;
        problem = error;
      }
      const outcome = await findOutcome(call, problem);
      if (outcome !== 'unknown' && outcome.happened) return { value: outcome.value };
      if (!isAmbiguous(problem)) throw problem;
      if (outcome === 'unknown' || isLate(problem)) throw toUnknown(request.what, problem);
      if (tries >= maxRetries) throw problem;
      await options.sleep(backoffDelay(tries, options.random()), options.signal);
    }
  }
}

type Seen = { -readonly [Name in keyof ServiceIdentity]: ServiceIdentity[Name] };

interface Said {
  over(): void;
}

interface Departure {
  left: boolean;
}

interface Sent {
  readonly answer: Answer;
  /** How often it was sent again before. */
  readonly retries: number;
  /** How often in a row this was what came. */
  readonly times: number;
}

function toWireRequest(
  { operation, what, method, path, atOrigin, address, mediaType, query, answersWithToken }: OperationRequest,
  call: Call,
  body: string | undefined,
  timeout: number,
): WireRequest {
  return {
    operation,
    organization: call.organization ?? findOrganization(path),
    effect: what,
    method,
    path,
    atOrigin,
    address,
    mediaType,
    answersWithToken,
    query: toQueryText([...query, ...(call.query ?? [])]),
    body,
    timeout,
  };
}

/** One GET, sent once, whatever its status. Throws ConnectionError. */
export async function readOnce(transport: Transport, call: Call, timeout: number): Promise<Answer> {
  const request = { ...toRequest(call), method: 'GET' } as const;
  const answer = await transport.send(toWireRequest(request, call, undefined, timeout));
  if (answer === undefined) throw new Error('a read was taken for a write');
  return answer;
}

function takeSuccess({ answer, retries, times }: Sent, request: OperationRequest, call: Call): CallAnswer {
  if (answer.status < 200 || answer.status > 299) {
    const query = [...request.query, ...(call.query ?? [])];
    throw toServiceError(answer, { ...request, query, organization: call.organization, retries, times });
  }
  return { ...answer, what: request.what, answersWithToken: request.answersWithToken };
}

function note(answer: Answer, seen: Seen): void {
  const { appName, enterpriseVersion, enterpriseNumber, apiVersion } = readIdentity(answer);
  seen.appName = appName ?? seen.appName;
  seen.enterpriseVersion = enterpriseVersion ?? seen.enterpriseVersion;
  seen.enterpriseNumber = enterpriseNumber ?? seen.enterpriseNumber;
  seen.apiVersion = apiVersion ?? seen.apiVersion;
}

/** A write whose answer was not waited for, by us or by a gateway: it may be acted on any time, so that not finding it proves nothing. */
function isLate(problem: ServiceError | ConnectionError): boolean {
  return problem instanceof ConnectionError ? problem.failure === 'timeout' : problem.status === 504;
}

function toStoppedWrite(what: string, reason: unknown): unknown {
  if (!(reason instanceof OrgctlError)) return reason;
  return new OrgctlError(reason.exit, reason.message, {
    reasons: [`Unknown whether this happened: ${what}.`],
    hint: 'Check before you run it again.',
    cause: reason,
  });
}

/** A write that may have been acted on although no usable answer says so. */
function isAmbiguous(error: unknown): error is ServiceError | ConnectionError {
  if (error instanceof ConnectionError) return error.acted === 'maybe';
  return error instanceof ServiceError && error.status >= 500;
}

async function lookOnce<T>(call: WriteCall<T>, reason: unknown): Promise<WriteOutcome<T>> {
  if (call.findOutcome === undefined) return 'unknown';
  try {
    return await call.findOutcome();
  } catch (error) {
    // Whatever keeps us from looking leaves the question open.
    if (error instanceof OrgctlError && error !== reason) return 'unknown';
    throw error;
  }
}

function toUnknown(what: string, problem: ServiceError | ConnectionError): OrgctlError {
  return new OrgctlError('outcome-unknown', `unknown whether this happened: ${what}`, {
    reasons: [describeError(problem)],
    hint: 'Check before you run it again.',
    cause: problem,
  });
}

/** The document of an answer that must hold exactly one resource. */
export function readResource(answer: CallAnswer): ResourceDocument {
  const document = parseJson(answer.text);
  if (!isObject(document) || !isResource(document['data']) || !isResourceList(document['included'] ?? [])) {
    throw toUnreadableError(answer, 'the body is not a JSON:API document with one resource');
  }
  return document as unknown as ResourceDocument;
}

/** Reads one resource, with one request, for callers that can do without it. */
export async function readOrNothing(client: Client, call: Call): Promise<Resource | undefined> {
  try {
    return readResource(await client.read({ ...call, maxRetries: 0 })).data;
  } catch (error) {
    if (error instanceof OrgctlError) return undefined;
    throw error;
  }
}

export function readList(answer: CallAnswer): ListDocument {
  const document = parseJson(answer.text);
  if (!isObject(document) || !isResourceList(document['data']) || !isResourceList(document['included'] ?? [])) {
    throw toUnreadableError(answer, 'the body is not a JSON:API document with a list of resources');
  }
  return document as unknown as ListDocument;
}

/** A plain JSON object, for the routes that are not JSON:API. */
export function readObject(answer: CallAnswer): Readonly<Record<string, unknown>> {
  const body = parseJson(answer.text);
  if (!isObject(body)) throw toUnreadableError(answer, 'the body is not a JSON object');
  return body;
}

/** For an answer that needs no body. A page from elsewhere does not prove that anything was done. */
export function readNothing(answer: CallAnswer): undefined {
  if (answer.text.trim() !== '' && parseJson(answer.text) === undefined) {
    throw toUnreadableError(answer, 'the body is not JSON');
  }
}

function isResourceList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isResource);
}

/** Type and id, and what is read without another look: attributes by name, and who or what it is related to. */
function isResource(value: unknown): boolean {
  if (!isIdentifier(value)) return false;
  const { attributes = {}, relationships = {} } = value;
  return isObject(attributes) && isObject(relationships) && Object.values(relationships).every(isRelationship);
}

function isIdentifier(value: unknown): value is Record<string, unknown> {
  return isObject(value) && typeof value['type'] === 'string' && typeof value['id'] === 'string' && value['id'] !== '';
}

/** One that only says where to ask has no data. */
function isRelationship(value: unknown): boolean {
  if (value === null) return true;
  if (!isObject(value)) return false;
  const { data = null } = value;
  return data === null || (Array.isArray(data) ? data.every(isIdentifier) : isIdentifier(data));
}
