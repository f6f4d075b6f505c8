import type { Context } from '../../context/context.ts';
import { reword, ServiceError, UsageError } from '../../errors.ts';
import { decode } from '../../files/read-file.ts';
import { readInput } from '../../files/read-text.ts';
import type { Host } from '../../host.ts';
import { parseWholeNumber } from '../../input/whole-number.ts';
import { ORGANIZATION_MARK } from '../../names.ts';
import { collect } from '../../reading.ts';
import { findSecrets, withoutAddresses } from '../../secrets/find.ts';
import { type FirstPage, type GenericAnswer, type GenericWrite, PAGE_NUMBER } from '../../service/generic-request.ts';
import type { ListReading } from '../../service/pages.ts';
import { renderJson } from '../../stdout/json.ts';
import { afterwards } from '../../stdout/output.ts';
import { formatCount } from '../../text/count.ts';
import { toPlainBlock, toPlainJson } from '../../text/plain-text.ts';
import { API_PATH } from '../../wire/json-api.ts';
import { flag, listGiven, repeated, text, type Values } from '../param.ts';
import { toUsage } from '../usage.ts';
import { type Line, verb } from '../verb.ts';
import { mergePages } from './merge-pages.ts';
import { parseApiPath } from './path.ts';

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;
const PAGE_SIZE = 'page[size]';

type Method = (typeof METHODS)[number];

const ARGS = {
  method: text('<method>', `${METHODS.join(', ')}; a path alone means GET`, { complete: METHODS }),
  path: text(
    '[path]',
    'A path below the base URL, such as /organizations/{org} ({org} becomes the name of the organization), or /api/registry/… of the registry; a query can follow',
  ),
};

const OPTIONS = {
  fields: repeated('-f, --field <key=value>', 'A query parameter (repeatable)'),
  body: text('--input <file>', 'The body, as JSON (- is stdin)', { complete: 'files' }),
  all: flag('--all', 'Read every page of a list, as one document (100 rows a page, unless -f says otherwise)'),
};

type Given = Target & Values<typeof OPTIONS>;

interface Target {
  readonly method: Method;
  readonly path: string;
}

type Request = ReturnType<typeof toRequest>;

/** Calls any route of the API, also one that orgctl has no command for. */
export const registerApi = verb({
  name: 'api',
  effect: 'any',
  topic: 'environment',
  args: ARGS,
  options: OPTIONS,
  examples: [
    'orgctl api /account/details',
    "orgctl api GET /organizations/acme/teams -f 'page[size]=5'",
    'orgctl api GET /organizations/acme/registry-providers --all',
    "orgctl api GET /api/registry/private/v2/gpg-keys -f 'filter[namespace]=acme'",
    'orgctl api DELETE /organizations/acme/registry-providers/public/hashicorp/aws --dry-run',
  ],
  async run(context, { method, path, ...options }, line) {
    const { identity } = context;
    const given = { ...readTarget(method, path, options, line), ...options };
    const basePath =
      identity.serviceOrigin() === 'sandbox' ? API_PATH : new URL(identity.settings['base-url'].value).pathname;
    const hasMark = given.path.includes(ORGANIZATION_MARK);
    const name = hasMark ? identity.organization() : '';
    const written = given.path.replaceAll(ORGANIZATION_MARK, encodeURIComponent(name));
    await callApi(context, toRequest({ ...given, path: written }, basePath));
  },
});

/** A path alone is read. Throws UsageError. */
function readTarget(first: string, second: string | undefined, options: Values<typeof OPTIONS>, line: Line): Target {
  if (second === undefined && findMethod(first) !== undefined) {
    throw new UsageError('missing <path>', { hint: toUsage(line.command) });
  }
  const method = second === undefined ? 'GET' : parseMethod(first);
  const path = second ?? first;
  if (path !== '' && !'/.\\#?'.includes(path.slice(0, 1)) && !/^[a-z][a-z0-9+.-]*:/i.test(path)) {
    throw new UsageError(`the path '${path}' doesn't begin with a slash`, {
      hint: 'Paths begin at the base URL. With a slash:',
      next: [['orgctl', 'api', method, `/${path}`, ...listGiven(OPTIONS, options, true)]],
    });
  }
  return { method, path };
}

function findMethod(given: string): Method | undefined {
  return METHODS.find((each) => each === given.toUpperCase());
}

function parseMethod(given: string): Method {
  const known = findMethod(given);
  if (known !== undefined) return known;
  if (given.startsWith('/')) {
    const hint = 'The path comes last, behind the method. What to look for in the answer is given with --query.';
    throw new UsageError(`${given} stands where the method does`, { hint });
  }
  throw new UsageError(`unknown method: ${given}`, { hint: `It takes ${METHODS.join(', ')}.` });
}

/** Throws UsageError for options that exclude each other, or do not go with the method. */
function toRequest({ method, path: written, fields, body, all }: Given, basePath: string) {
  const { path, query: inPath } = parseApiPath(written, basePath);
  const query = [...inPath, ...fields.map(parseField)];
  if (method === 'GET' && body !== undefined) {
    throw new UsageError("--input doesn't work with GET, which has no body", {
      hint: 'Use -f for query parameters.',
    });
  }
  if (!all) return { method, path, query, body, all: undefined };
  if (method !== 'GET') {
    throw new UsageError(`--all works only with GET, not with ${method}`, { hint: 'Leave out --all.' });
  }
  if (query.some(([name]) => name === PAGE_NUMBER)) {
    throw new UsageError(`use --all or ${PAGE_NUMBER}, not both`, {
      hint: '--all reads every page.',
    });
  }
  const number = { name: PAGE_SIZE, from: 1, hint: `For example: -f '${PAGE_SIZE}=50'` };
  const sizes = query.filter(([name]) => name === PAGE_SIZE).map(([, value]) => parseWholeNumber(value, number));
  const rest = query.filter(([name]) => name !== PAGE_SIZE);
  return { method, path, query: rest, body, all: { pageSize: sizes.at(-1) } };
}

function parseField(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1) {
    throw new UsageError(`-f takes key=value, not '${text}'`, { hint: "For example: -f 'filter[status]=active'" });
  }
  return [text.slice(0, at), text.slice(at + 1)];
}

async function callApi(context: Context, request: Request): Promise<void> {
  const { method, path, query, all } = request;
  refuseShapes(context);
  if (method !== 'GET') return await sendWrite(context, request, method);
  const { generic } = await context.services.current();
  if (all === undefined) {
    const answer = await generic.read(path, query);
    if (answer.firstPage !== undefined) context.screen.note(describeFirstPage(answer.firstPage));
    return await printAnswer(context, answer);
  }
  const text = `Reading ${path}`;
  const progress = context.screen.progress(text);
  const reading = generic.list(path, query, all.pageSize);
  const whole = readWhole(reading, (count) => progress.update(`${text}: ${formatCount(count)}`));
  await printDocument(context, await whole.finally(progress.stop));
}

function describeFirstPage({ rows, totalPages, totalCount }: FirstPage): string {
  const pages = totalPages === undefined ? 'Page 1' : `Page 1 of ${formatCount(totalPages)}`;
  const part = totalCount === undefined ? '' : ` (${formatCount(rows)} of ${formatCount(totalCount)})`;
  return `${pages}${part}. ${REST}`;
}

const REST = 'Add --all for all of them.';

/** What is printed is the service's own document, which has neither columns nor rows. */
function refuseShapes({ screen }: Context): void {
  const format = screen.requested.format;
  const hint = 'Leave it out for the body as it came, or pipe that to a program such as jq.';
  if (screen.requested.fields !== undefined) throw new UsageError("--fields doesn't work with api", { hint });
  if (format?.isDocument === false) {
    throw new UsageError(`-o ${format.name} doesn't work with api, which prints the service's own documents`, { hint });
  }
}

const IN_QUERY = 'What -f gives is a query parameter. A body comes from --input.';

async function sendWrite(context: Context, request: Request, method: GenericWrite['method']): Promise<void> {
  const { identity, screen, services, places } = context;
  const { path, query, body } = request;
  const text = body === undefined ? undefined : await readBody(body, places.host, places.interrupts.signal);
  // The body is shown by a dry run, and may be repeated by a trace or an error.
  screen.secrets.hide(...findSecrets(text ?? ''));
  const service = await services.current();
  await screen.confirm('send', {
    method,
    path,
    service: identity.isSandbox ? 'the sandbox' : identity.serviceHost(),
    consequences: ["orgctl can't say what this changes, or undo it."],
  });
  const isBodyless = text === undefined && query.length > 0 && method !== 'DELETE';
  const answer = await service.generic.write({ method, path, query, text }).catch((error: unknown) => {
    const isMalformed = error instanceof ServiceError && [400, 422].includes(error.status);
    throw isMalformed && isBodyless ? reword(error, { hint: IN_QUERY }) : error;
  });
  if (answer !== undefined) return await afterwards(() => printAnswer(context, answer));
  const [planned] = screen.listPlanned();
  if (isBodyless) screen.note(IN_QUERY);
  // At a terminal it is said in words.
  if (places.host.stdout.isTTY !== true || screen.requested.format !== undefined)
    await printDocument(context, { planned });
}

async function readWhole(reading: ListReading<object>, onCount?: (count: number) => void): Promise<object> {
  let count = 0;
  const pages = await collect(reading, (page) => {
    count += page.items.length;
    onCount?.(count);
    return page;
  });
  return mergePages(pages);
}

async function printAnswer(context: Context, { text, value }: GenericAnswer): Promise<void> {
  const { screen, places } = context;
  if (text.trim() === '') return;
  if (value === undefined) return await screen.print(toPlainBlock(text).trimEnd());
  // Programs get the text as it came; at a terminal, and where JSON was asked for, it is laid out.
  if (places.host.stdout.isTTY === true || screen.requested.format !== undefined)
    return await printDocument(context, value);
  await screen.print(toPlainJson(text).trimEnd());
}

async function printDocument({ screen }: Context, value: unknown): Promise<void> {
  const { query } = screen.requested;
  // Only the unchanged body has these addresses. Who uploads a file by hand takes them from there.
  const shown = withoutAddresses(value);
  let found = shown;
  if (query !== undefined) {
    const { parseQuery } = await import('../../stdout/query.ts');
    found = parseQuery(query)(shown);
  }
  for (const piece of renderJson(found)) await screen.stdout.write(piece);
}

/** The text of a body, from a file or, for `-`, from stdin. Throws UsageError for one that cannot be read or is no JSON. */
async function readBody(path: string, host: Host, signal: AbortSignal): Promise<string> {
  const source = { option: '--input', path, hint: 'Send less at a time.' };
  const { bytes, name } = await readInput(host, signal, source);
  try {
    const text = decode(bytes);
    JSON.parse(text);
    return text;
  } catch (error) {
    // The parser's own words repeat part of the text, which may hold a secret.
    throw new UsageError(`${name} (--input) is not JSON`, {
      ...(bytes.length === 0 ? { reasons: ['It is empty.'] } : {}),
      hint: 'The service takes only JSON, such as {"data": {"type": …, "attributes": {…}}}.',
      cause: error,
    });
  }
}
