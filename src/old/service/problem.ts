import { ConnectionError, type ErrorDetails, ServiceError } from '../errors.ts';
import type { ExitName } from '../exit-codes.ts';
import { parseJsonText, toText } from '../json-object.ts';
import { askMeant, findNear } from '../text/near.ts';
import { type ErrorObject, TOKENS_PAGE } from '../wire/json-api.ts';
import { ASKS_FOR_CLIENT, CLIENT_NOT_ACCEPTED } from './failure.ts';
import type { Answer } from './http.ts';
import {
  findOrganization,
  INVALID,
  isGeneric,
  listCallers,
  OPERATIONS,
  type Operation,
  type OperationName,
} from './operations.ts';
import type { Query } from './query.ts';
import { nameTimes } from './retry.ts';

interface AnsweredCall {
  readonly operation: OperationName;
  readonly what: string;
  readonly path: string;
  readonly query?: Query;
  /** What it is about, where the path does not say. */
  readonly organization?: string | undefined;
  /** How often it was sent again. */
  readonly retries?: number;
  /** How often in a row this was the answer. */
  readonly times?: number;
}

/** An answer that is not success, in words: what it means, and the service's own. */
export function toServiceError(answer: Answer, call: AnsweredCall): ServiceError {
  const { operation, what, path, query = [] } = call;
  const { status, request } = answer;
  const errors = readErrors(answer.text);
  const said = errors.length > 0 ? errors.map(describeError) : describeForeignBody(answer);
  const { exit, message, isClear, ...details } = explainStatus(answer, said, call);
  const refusal = { status, errors, request, said, isClear, asked: { operation, what, path, query } };
  return new ServiceError(exit, message, refusal, details);
}

type Explanation = ErrorDetails & { readonly exit: ExitName; readonly message: string; readonly isClear: boolean };

function explainStatus(answer: Answer, said: readonly string[], call: AnsweredCall): Explanation {
  const operation: Operation = OPERATIONS[call.operation];
  const certificate = explainCertificatePage(answer);
  if (certificate !== undefined) return certificate;
  const asIs = answer.status === 400 || answer.status === 422 ? checkOptions(said, call) : {};
  const usual = { isClear: false, ...explainUsual(answer, call, operation), ...asIs };
  const own = operation.refusals?.[answer.status];
  if (own === undefined) return usual;
  const { toFinding, toHint, ...details } = own;
  const words = said.join(' ');
  const organization = findOrganization(call.path) ?? call.organization ?? '';
  const finding = toFinding?.({ organization, said: words });
  const hint = toHint?.(words) ?? details.hint;
  return { ...details, hint, exit: usual.exit, message: finding ?? usual.message, isClear: finding !== undefined };
}

/**
 * Assumed: nginx answers a request without the client certificate that it asks for with a page whose title is the same
 * in every language.
 */
function explainCertificatePage(answer: Answer): Explanation | undefined {
  if (answer.status !== 400 || !isHtml(answer)) return undefined;
  const title = toTitle(answer.text, '', '');
  const failure = CERTIFICATE_PAGES.find(([words]) => title.includes(words))?.[1];
  if (failure === undefined) return undefined;
  return { exit: 'rejected', message: failure.of(toHost(answer)), hint: failure.hint, isClear: true };
}

const CERTIFICATE_PAGES = [
  ['No required SSL certificate was sent', ASKS_FOR_CLIENT],
  ['The SSL certificate error', CLIENT_NOT_ACCEPTED],
] as const;

function explainUsual(
  answer: Answer,
  { what, retries = 0, times = 1 }: AnsweredCall,
  operation: Operation,
): Omit<Explanation, 'isClear'> {
  const { status, origin } = answer;
  const toRejected = (message: string): string => (isHtml(answer) ? describePage(answer) : message);
  switch (status) {
    // Assumed: the service answers 401 to a token that it doesn't accept; its document does not mention 401.
    case 401:
      return {
        exit: 'not-authenticated',
        message: toRejected(`${toHost(answer)} rejected your token`),
        hint: `It is wrong, expired or replaced. Create a new one at ${origin}${TOKENS_PAGE}.`,
      };
    case 403:
      return {
        exit: 'forbidden',
        message: toRejected(`you don't have permission to ${what}`),
        reasons: listCallers(operation),
        ...(listCallers(operation).length > 0 ? {} : { hint: 'Use the token of a member of the organization.' }),
      };
    case 404:
      return {
        exit: 'not-found',
        message: toRejected(`can't ${what}: not found, or no permission`),
        ...(isGeneric(operation)
          ? { reasons: describeAbsence(operation), hint: 'Check the path.' }
          : {
              reasons: [...describeAbsence(operation), ...listCallers(operation)],
              hint: 'Check the names, the base URL and which token you use.',
            }),
      };
    case 400:
      return {
        exit: 'rejected',
        message: toRejected(REJECTED),
        hint: "Check the values you gave: the service didn't accept one.",
      };
    case 422:
      return { exit: 'rejected', message: toRejected(REJECTED), ...INVALID };
    case 429:
      return {
        exit: 'rate-limited',
        message: `can't ${what}: too many requests`,
        reasons: [
          `The service ${retries === 0 ? '' : 'still '}limits your requests${retries === 0 ? '' : ` after ${retries} ${retries === 1 ? 'retry' : 'retries'}`}.`,
        ],
        hint: 'Wait a minute, or run fewer commands with the same token at once.',
      };
    default:
      return status < 500
        ? {
            exit: 'rejected',
            message: toRejected(REJECTED),
            hint: 'Fix what the service names, and run the command again.',
          }
        : {
            exit: 'unavailable',
            message: nameTimes(`can't ${what}: the service answered ${status}`, times),
            hint: 'The service has a problem. Try again later.',
          };
  }
}

const REJECTED = 'the service rejected the request';

interface SentOption {
  readonly option: string;
  /** Those that are known. */
  readonly values?: readonly string[];
  /** What people call them elsewhere. */
  readonly words?: Readonly<Record<string, string>>;
  readonly hint?: string;
}

/** By their names in a query: options whose values are sent as they were given. */
const OPTIONS: Readonly<Record<string, SentOption>> = {
  'filter[status]': {
    option: '--status',
    values: ['invited', 'active', 'inactive'],
    words: { pending: 'invited', accepted: 'active', disabled: 'inactive', suspended: 'inactive' },
  },
  include: { option: '--include', values: ['user', 'teams'] },
  'page[size]': { option: '--page-size', hint: 'Most services allow 1 to 100 rows for each request.' },
  'page[number]': { option: '--page', hint: 'Pages are counted from 1.' },
};

/** Names the option that the service's words name, or where they name none, one with known values. */
function checkOptions(
  said: readonly string[],
  { operation, query = [] }: AnsweredCall,
): { readonly message?: string; readonly hint?: string } {
  if (operation === 'generic') return {};
  const sent = query.flatMap(([name, value]) => (value === undefined || !(name in OPTIONS) ? [] : [{ name, value }]));
  const named = sent.filter(({ name }) => said.some((text) => text.includes(name)));
  const meant = named.length > 0 || said.length > 0 ? named : sent.filter(({ name }) => OPTIONS[name]?.values);
  const [first] = meant;
  const { option, values = [], words = {}, hint } = OPTIONS[first?.name ?? ''] ?? {};
  if (first === undefined || option === undefined) return {};
  const unknown = `${first.value}`.split(',').filter((text) => !values.includes(text));
  const [word = ''] = unknown;
  const near = words[word.toLowerCase()];
  const known = values.length === 0 ? [] : [askMeant(near === undefined ? findNear(word, values) : [near])];
  return {
    message: `the service doesn't accept ${option} ${(unknown.length === 0 ? [`${first.value}`] : unknown).join(',')}`,
    hint: [...known, hint ?? `Known values: ${values.join(', ')}.`].filter((text) => text !== undefined).join(' '),
  };
}

function toHost({ origin }: Answer): string {
  return new URL(origin).host;
}

function describeAbsence({ assumedAbsence }: Operation): readonly string[] {
  return [
    'It may not exist, or you may lack permission: the service answers 404 to both.',
    ...(assumedAbsence === undefined ? [] : [`As far as is known, it can also mean that ${assumedAbsence}.`]),
  ];
}

/**
 * The entries of `errors`, as sent; empty when the body is no error document. Assumed: errors have the members of
 * JSON:API's error objects; the service's document does not show them.
 */
function readErrors(text: string): readonly (ErrorObject | string)[] {
  const body = parseJson(text);
  if (typeof body !== 'object' || body === null || !('errors' in body) || !Array.isArray(body.errors)) return [];
  return body.errors.filter((entry) => typeof entry === 'string' || (typeof entry === 'object' && entry !== null));
}

function describeError(error: ErrorObject | string): string {
  if (typeof error === 'string') return error;
  const [title, detail] = [error.title, error.detail].map((part) => (typeof part === 'string' ? part : ''));
  const place = error.source?.pointer ?? error.source?.parameter;
  const status: unknown = error.status;
  const unnamed = `status ${typeof status === 'number' ? status : (toText(status) ?? 'unknown')}`;
  if (typeof place === 'string') return `${place}: ${detail || title || unnamed}`;
  return [title, detail].filter((part) => part !== '').join(': ') || unnamed;
}

const LONGEST_EXCERPT = 200;

function describeForeignBody(answer: Answer): readonly string[] {
  const text = answer.text.trim();
  if (text === '') return [];
  if (isHtml(answer)) return [`web page${toTitle(text, ' "', '"')}`];
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

const WITH_PAGE = ' answered with a web page';

/** Whether the error says that a web page came. */
export function isAboutPage({ message }: Error): boolean {
  return message.includes(WITH_PAGE);
}

function describePage(answer: Answer, mayShowTitle = true): string {
  return `${toHost(answer)}${WITH_PAGE}${toTitle(mayShowTitle ? answer.text : '', ' ("', '")')}`;
}

function toTitle(text: string, before: string, after: string): string {
  const title = /<title[^<>]*>([^<]{0,200})/i.exec(text)?.[1]?.replace(/\s+/g, ' ').trim() ?? '';
  return title === '' ? '' : `${before}${title}${after}`;
}

/** A success that is not the service's: a portal's page, a proxy's text, or half a document. */
export function toUnreadableError(
  answer: Answer & { readonly what: string; readonly answersWithToken?: boolean },
  why: string,
): ConnectionError {
  const isPage = isHtml(answer);
  return new ConnectionError(
    'not-the-service',
    'maybe',
    answer.request,
    // A token that is not known yet may stand in the title, written in any way.
    isPage
      ? describePage(answer, answer.answersWithToken !== true)
      : `can't ${answer.what}: status ${answer.status}, but ${why}`,
    { hint: `Check the ${isPage ? 'host name' : 'base URL (it usually ends in /api/v2)'}; ${IN_BETWEEN}.` },
  );
}

export const IN_BETWEEN = 'a proxy or login portal may be in between';

/** Undefined for what is no JSON, or is nested beyond all use. */
export function parseJson(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}
