import { ConnectionError, type ErrorObject, type OrgctlError, ServiceError } from '../lib/errors.ts';
import type { ExitName } from '../lib/exit-codes.ts';
import { isObject, type JsonObject, parseJson } from '../lib/json.ts';
import type { HttpResponse } from './http.ts';
import type { Call } from './operations.ts';
import type { Resource, ResourceDocument } from './types.ts';

const MAX_EXCERPT = 200;
/** A refusal of a shorter address is not about its length. */
const LONG_ADDRESS = 1_000;
const TRY_LATER = 'Try again later.';

/** `service` is its name in messages. */
export function createServiceError(response: HttpResponse, call: Call, service: string): OrgctlError {
  const { status, text: answer, request } = response;
  const body = parseJson(answer);
  if (isTooLong(response, body)) return createTooLongError(response, call);
  if (isHtml(response) || !isFromService(status, answer, body, call)) return createUnexpectedResponseError(response);
  const errors = isObject(body) ? parseErrors(body) : [];
  const texts = errors.length > 0 ? errors.map(formatError) : formatPlainBody(body, answer);
  const documented = call.refusals?.[status];
  const refusal =
    documented?.words?.test(texts.join('\n') || documented.message || '') === false ? undefined : documented;
  const { exit, message, hint } = { ...explainStatus(status, service, call), ...refusal };
  // The message already says the others.
  const said = texts
    .map(response.redact)
    .filter((text) => !/^(not found|forbidden)$|curation of .* is disabled$/i.test(text));
  const isAboutPermission = said.length === 0 && !refusal && (status === 403 || status === 404);
  const isUnexplained = exit === 'rejected' && texts.length === 0 && refusal?.message === undefined;
  if (isUnexplained) said.push(`the service answered ${status}`);
  const reasons = call.who && isAboutPermission ? [call.who] : said;
  const text = message.replace(':org', call.org ?? '');
  return new ServiceError(exit, text, { status, errors, request, call }, { code: refusal?.code, reasons, hint });
}

/**
 * The one place that decides whether a 403, 404 or 405 is the service's: an error document is. Other services answer routes
 * that they don't have, which can only be those outside the document, with plain text or nothing.
 */
function isFromService(status: number, text: string, body: unknown, call: Call): boolean {
  const isErrorDocument = isObject(body) && Array.isArray(body.errors);
  if (isErrorDocument || ![403, 404, 405].includes(status) || call.secretUrl) return true;
  return status !== 403 && !call.isDocumented && /^\s*(\{\s*\}\s*$|[^\s{["<]|$)/.test(text);
}

/** Servers and proxies refuse a long address in their own ways. */
function isTooLong({ status, url }: HttpResponse, body: unknown): boolean {
  const isLong = url.href.length > LONG_ADDRESS;
  return status === 414 || (isLong && (status === 431 || (status === 400 && !isObject(body))));
}

function createTooLongError({ status, url, request }: HttpResponse, call: Call): ServiceError {
  const length = url.href.length.toLocaleString('en-US');
  const refusal = { status, errors: [], request, call };
  return new ServiceError('rejected', `can't ${call.action}: the request is too long`, refusal, {
    code: 'too-long',
    reasons: [`Its address has ${length} characters, and ${url.host} answered ${status}.`],
    hint: 'Name fewer at once.',
  });
}

function explainStatus(
  status: number,
  service: string,
  { action }: Call,
): { exit: ExitName; message: string; hint?: string } {
  if (status === 401) return { exit: 'not-authenticated', message: `${service} rejected your token` };
  if (status === 403) return { exit: 'forbidden', message: `you don't have permission to ${action}` };
  if (status === 404) return { exit: 'not-found', message: `can't ${action}: not found, or you don't have permission` };
  if (status === 429) {
    return {
      exit: 'rate-limited',
      message: `can't ${action}: too many requests`,
      hint: 'Wait a minute, and run it again.',
    };
  }
  if (status >= 500)
    return { exit: 'unavailable', message: `can't ${action}: ${service} answered ${status}`, hint: TRY_LATER };
  return { exit: 'rejected', message: 'the service rejected the request' };
}

/** Throws ConnectionError for text that is not an object. */
export function readObject(response: HttpResponse): JsonObject {
  const document = parseJson(response.text);
  if (isObject(document)) return document;
  throw createUnexpectedResponseError(response);
}

/** Reads a resource, without secrets of tokens. Throws ConnectionError for text that is none, or not the one that was asked for. */
export function readResource(response: HttpResponse, isAsked?: (resource: Resource) => boolean): ResourceDocument {
  return readDocument(response, (data): data is Resource => isResource(data) && isAsked?.(data) !== false);
}

/** Reads a list, without secrets of tokens. Throws ConnectionError for text that is none. */
export function readList(response: HttpResponse): ResourceDocument<Resource[]> {
  return readDocument(response, (data) => Array.isArray(data) && data.every(isResource));
}

function readDocument<Data extends Resource | Resource[]>(
  response: HttpResponse,
  isData: (data: unknown) => data is Data,
): ResourceDocument<Data> {
  const document = readObject(response);
  if (!isData(document.data)) throw createUnexpectedResponseError(response);
  const included = Array.isArray(document.included) ? document.included.filter(isResource) : undefined;
  // Some answers have the secret (facts).
  for (const { type, attributes } of [document.data, included ?? []].flat()) {
    if (/^authentication-tokens?$/.test(type)) delete attributes?.token;
  }
  return { ...document, data: document.data, included };
}

export function isResource(value: unknown): value is Resource {
  if (!isObject(value) || typeof value.id !== 'string' || typeof value.type !== 'string') return false;
  const { attributes = {}, relationships = {} } = value;
  const isRelationship = (one: unknown): boolean => isObject(one) && [one.data ?? []].flat().every(isObject);
  return isObject(attributes) && isObject(relationships) && Object.values(relationships).every(isRelationship);
}

/** For an answer that is not the service's, such as the page of a login portal, the text of a proxy or half a document. */
export function createUnexpectedResponseError(response: HttpResponse): ConnectionError {
  const { status, url, request, text, redact } = response;
  const title = isHtml(response) ? redact(/<title[^<>]*>([^<]{1,200})/i.exec(text)?.[1]?.trim() ?? '') : '';
  const content = isHtml(response) ? `a web page${title && ` ("${title}")`}` : "something the service doesn't send";
  // Whoever refused the request, the write was not done.
  const sent = status >= 400 && status < 500 ? 'no' : 'maybe';
  const error = new ConnectionError(
    'not-the-service',
    sent,
    request,
    `${url.host} answered ${status} with ${content}`,
    {
      hint: status >= 500 ? TRY_LATER : 'Check the base URL, which usually ends in /api/v2, and any proxy in between.',
    },
  );
  error.status = status;
  return error;
}

export function isHtml({ headers, text }: HttpResponse): boolean {
  return /html/i.test(headers['content-type'] ?? '') || /^\s*<(!doctype|html)/i.test(text);
}

/** Reads error objects of JSON:API (facts: the document shows none). */
function parseErrors({ errors }: JsonObject): (ErrorObject | string)[] {
  if (Array.isArray(errors)) return errors.filter((entry) => typeof entry === 'string' || isObject(entry));
  // Services in Rails send texts by attribute.
  return Object.entries(isObject(errors) ? errors : {}).map(([name, texts]) => `${name}: ${[texts].flat().join(', ')}`);
}

function formatError(error: ErrorObject | string): string {
  if (typeof error === 'string') return error;
  const [title, detail] = [error.title, error.detail].map((part) => (typeof part === 'string' ? part : ''));
  const place = error.source?.pointer ?? error.source?.parameter;
  if (typeof place === 'string') return `${place}: ${detail || title}`;
  return [title, detail].filter(Boolean).join(': ') || `status ${error.status}`;
}

function formatPlainBody(body: unknown, text: string): string[] {
  const said = isObject(body) ? (body.error ?? body.message) : text.trim();
  return typeof said === 'string' && said !== '' ? [said.slice(0, MAX_EXCERPT)] : [];
}
