import { ConnectionError, type ErrorObject, type OrgctlError, ServiceError } from '../lib/errors.ts';
import type { ExitName } from '../lib/exit-codes.ts';
import { isObject, parseJson } from '../lib/json.ts';
import type { HttpResponse } from './http.ts';
import type { Call } from './operations.ts';
import type { ListDocument, Resource, ResourceDocument } from './types.ts';

const MAX_EXCERPT = 200;

/** The refusal in an answer without success. */
export function createServiceError(response: HttpResponse, call: Call): OrgctlError {
  const { status, url, request } = response;
  if (isHtml(response)) return createForeignError(response);
  const errors = parseErrors(response.text);
  const refusal = call.refusals?.[status];
  const { exit, message, hint } = { ...explainStatus(status, url.host, call), ...refusal };
  const words = errors.length > 0 ? errors.map(formatError) : formatForeignBody(response.text);
  // Alone these say nothing that the message doesn't.
  const said = words.filter((text) => !/^(not found|forbidden)$/i.test(text));
  const isAboutPermission = said.length === 0 && !refusal && (status === 403 || status === 404);
  const reasons = call.who && isAboutPermission ? [call.who] : said;
  return new ServiceError(exit, message, { status, errors, request, call }, { code: refusal?.code, reasons, hint });
}

function explainStatus(
  status: number,
  host: string,
  { what }: Call,
): { exit: ExitName; message: string; hint?: string } {
  if (status === 401) return { exit: 'not-authenticated', message: `${host} rejected your token` };
  if (status === 403) return { exit: 'forbidden', message: `you don't have permission to ${what}` };
  if (status === 404) return { exit: 'not-found', message: `can't ${what}: not found, or you don't have permission` };
  if (status === 429) {
    return {
      exit: 'rate-limited',
      message: `can't ${what}: too many requests`,
      hint: 'Wait a minute, and run it again.',
    };
  }
  if (status >= 500)
    return { exit: 'unavailable', message: `can't ${what}: ${host} answered ${status}`, hint: 'Try again later.' };
  return { exit: 'rejected', message: 'the service rejected the request' };
}

/** The resource of a success. Throws ConnectionError for anything else. */
export function readResource(response: HttpResponse): ResourceDocument {
  const document = parseJson(response.text);
  if (isObject(document) && isResource(document.data)) return document as unknown as ResourceDocument;
  throw createForeignError(response);
}

/** The list of a success. Throws ConnectionError for anything else. */
export function readList(response: HttpResponse): ListDocument {
  const document = parseJson(response.text);
  const isList = isObject(document) && Array.isArray(document.data) && document.data.every(isResource);
  if (isList) return document as unknown as ListDocument;
  throw createForeignError(response);
}

function isResource(value: unknown): value is Resource {
  return isObject(value) && typeof value.id === 'string' && typeof value.type === 'string';
}

/** An answer that is not the service's: a login portal's page, a proxy's text, half a document. */
export function createForeignError(response: HttpResponse): ConnectionError {
  const { status, url, request, text } = response;
  const title = isHtml(response) ? (/<title[^<>]*>([^<]{1,200})/i.exec(text)?.[1]?.trim() ?? '') : '';
  const what = isHtml(response) ? `a web page${title && ` ("${title}")`}` : 'something else than the service does';
  // A refusal did nothing, whoever it came from.
  const sent = status >= 400 && status < 500 ? 'no' : 'maybe';
  return new ConnectionError('not-the-service', sent, request, `${url.host} answered ${status} with ${what}`, {
    hint: 'Check the base URL, which usually ends in /api/v2, and any proxy in between.',
  });
}

export function isHtml({ headers, text }: HttpResponse): boolean {
  return /html/i.test(headers['content-type'] ?? '') || /^\s*<(!doctype|html)/i.test(text);
}

/** The members of JSON:API's error objects (facts: the document shows none). Empty if the body is no error document. */
function parseErrors(text: string): (ErrorObject | string)[] {
  const body = parseJson(text);
  const errors = isObject(body) && Array.isArray(body.errors) ? body.errors : [];
  return errors.filter((entry) => typeof entry === 'string' || isObject(entry));
}

function formatError(error: ErrorObject | string): string {
  if (typeof error === 'string') return error;
  const [title, detail] = [error.title, error.detail].map((part) => (typeof part === 'string' ? part : ''));
  const place = error.source?.pointer ?? error.source?.parameter;
  if (typeof place === 'string') return `${place}: ${detail || title}`;
  return [title, detail].filter(Boolean).join(': ') || `status ${error.status}`;
}

function formatForeignBody(text: string): string[] {
  const body = parseJson(text);
  const said = isObject(body) ? (body.error ?? body.message) : text.trim();
  return typeof said === 'string' && said !== '' ? [said.slice(0, MAX_EXCERPT)] : [];
}
