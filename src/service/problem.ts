import { ConnectionError, ServiceError } from '../errors.ts';
import type { ExitName } from '../exit-codes.ts';
import { parseJsonText, toText } from '../json-object.ts';
import type { ErrorObject } from '../wire/json-api.ts';
import type { Answer } from './http.ts';
import { INVALID, OPERATIONS, type Operation, type OperationRequest } from './operations.ts';

/** An answer that is not success, in words: the service's own, then what the document says they mean. */
export function toServiceError(
  answer: Answer,
  call: Pick<OperationRequest, 'operation' | 'what' | 'path'>,
): ServiceError {
  const { operation, what, path } = call;
  const { status, request } = answer;
  const errors = readErrors(answer.text);
  const said = errors.length > 0 ? errors.map(describeError) : describeForeignBody(answer);
  const explained = explainStatus(status, OPERATIONS[operation]);
  const refusal = { status, errors, request, said, asked: { operation, path } };
  return new ServiceError(explained.exit, `cannot ${what}: the service answered ${status}`, refusal, {
    ...(explained.code === undefined ? {} : { code: explained.code }),
    reasons: [...said, ...explained.reasons],
    ...(explained.hint === undefined ? {} : { hint: explained.hint }),
  });
}

interface Explanation {
  readonly exit: ExitName;
  readonly code?: string;
  readonly reasons: readonly string[];
  readonly hint?: string;
}

function explainStatus(status: number, operation: Operation): Explanation {
  const usual = explainUsual(status, operation);
  const own = operation.refusals?.[status];
  if (own === undefined) return usual;
  return { exit: usual.exit, ...own, reasons: own.meaning === undefined ? [] : [own.meaning] };
}

function explainUsual(status: number, operation: Operation): Explanation {
  switch (status) {
    // Assumed: 401 is not in the service's document.
    case 401:
      return {
        exit: 'not-authenticated',
        reasons: ['the token is missing, wrong, expired or replaced'],
        hint: 'Set ORGCTL_TOKEN to a valid token of this service, or store one with auth login.',
      };
    case 403:
      return { exit: 'forbidden', reasons: [describeCallers(operation)], hint: 'Use a token that may do this.' };
    case 404:
      return {
        exit: 'not-found',
        reasons: [...describeAbsence(operation), describeCallers(operation)],
        hint: 'Check the names, the base URL and which token is in use.',
      };
    case 400:
      return {
        exit: 'rejected',
        reasons: [],
        hint: 'Check the values of the options: the service did not accept one.',
      };
    case 429:
      return {
        exit: 'rate-limited',
        reasons: ['the service takes no more requests for now'],
        hint: 'Wait a minute, or run fewer commands with the same token at once.',
      };
    default:
      return status < 500
        ? { exit: 'rejected', reasons: [], ...INVALID }
        : { exit: 'unavailable', reasons: [], hint: 'The service has a fault of its own: try again later.' };
  }
}

function describeAbsence({ absent, assumedAbsent }: Operation): readonly string[] {
  if (absent === undefined) {
    return [`you don't have permission, or, as far as is known, ${assumedAbsent} (the service answers 404 to both)`];
  }
  return [
    `either ${absent}, or you don't have permission (the service answers 404 to both)`,
    ...(assumedAbsent === undefined ? [] : [`as far as is known, it can also mean that ${assumedAbsent}`]),
  ];
}

/** Who may do it, and whether the document says so. */
export function describeCallers({ allowed, assumedAllowed }: Operation): string {
  return allowed === undefined ? `allowed, as far as is known: ${assumedAllowed}` : `allowed: ${allowed}`;
}

/**
 * The entries of `errors`, as sent; empty when the body is no error document.
 * Assumed: the members they have are JSON:API's; the service's document does not show them.
 */
function readErrors(text: string): readonly (ErrorObject | string)[] {
  const body = parseJson(text);
  if (typeof body !== 'object' || body === null || !('errors' in body) || !Array.isArray(body.errors)) return [];
  return body.errors.filter((entry) => typeof entry === 'string' || (typeof entry === 'object' && entry !== null));
}

function describeError(error: ErrorObject | string): string {
  if (typeof error === 'string') return error;
  const said = [error.title, error.detail].filter((part) => typeof part === 'string' && part !== '').join(': ');
  const place = error.source?.pointer ?? error.source?.parameter;
  const status: unknown = error.status;
  return `${said === '' ? `status ${typeof status === 'number' ? status : (toText(status) ?? 'unknown')}` : said}${typeof place === 'string' ? ` (${place})` : ''}`;
}

const LONGEST_EXCERPT = 200;

function describeForeignBody(answer: Answer): readonly string[] {
  const text = answer.text.trim();
  if (text === '') return [];
  if (isHtml(answer)) return [describeHtml(text)];
  const body = parseJson(text);
  if (typeof body === 'object' && body !== null) {
    const said = ['error', 'message', 'error_description']
      .map((name) => (body as Record<string, unknown>)[name])
      .filter((value) => typeof value === 'string');
    if (said.length > 0) return said;
  }
  return [text.length > LONGEST_EXCERPT ? `${text.slice(0, LONGEST_EXCERPT)}…` : text];
}

function isHtml(answer: Answer): boolean {
  return /html/i.test(answer.headers['content-type'] ?? '') || /^\s*<(!doctype|html)/i.test(answer.text);
}

/** Whether a body that is not JSON is none of the service's: a web page, or what calls itself JSON. */
export function isForeign(answer: Answer): boolean {
  return answer.text.trim() !== '' && (isHtml(answer) || /\bjson\b/i.test(answer.headers['content-type'] ?? ''));
}

function describeHtml(text: string): string {
  const title = /<title[^<>]*>([^<]{0,200})/i.exec(text)?.[1]?.replace(/\s+/g, ' ').trim() ?? '';
  return `the answer is a web page${title === '' ? '' : ` (“${title}”)`}, not the service's`;
}

/** A success that is not the service's: a portal's page, a proxy's text, or half a document. */
export function toUnreadableError(
  answer: Answer & { readonly what: string; readonly answersWithToken?: boolean },
  why: string,
): ConnectionError {
  // A token that is not known yet may stand in the title, written in any way.
  const seen = isHtml(answer) ? describeHtml(answer.answersWithToken === true ? '' : answer.text) : why;
  return new ConnectionError(
    'not-the-service',
    'maybe',
    answer.request,
    `cannot ${answer.what}: status ${answer.status}, but ${seen}`,
    { hint: 'Check the base URL (it usually ends in /api/v2), and any proxy or portal in between.' },
  );
}

/** Undefined for what is no JSON, or is nested beyond all use. */
export function parseJson(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}
