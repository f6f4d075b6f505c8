import fc from 'fast-check';
import { OrgctlError } from '../../../src/old/errors.ts';
import { toMembers } from '../../../src/old/people/member.ts';
import { compareNewestFirst } from '../../../src/old/resources/version-order.ts';
import { toTokenFacts } from '../../../src/old/rotation/current-token.ts';
import { findSecrets, findTokens } from '../../../src/old/secrets/find.ts';
import { createSecrets } from '../../../src/old/secrets/secrets.ts';
import { readList, readResource } from '../../../src/old/service/client.ts';
import type { Answer } from '../../../src/old/service/http.ts';
import { toPageFacts } from '../../../src/old/service/lists.ts';
import { OPERATIONS, type OperationName } from '../../../src/old/service/operations.ts';
import { createPace } from '../../../src/old/service/pace.ts';
import type { Listed, Page } from '../../../src/old/service/page.ts';
import { createList } from '../../../src/old/service/pages.ts';
import { toServiceError } from '../../../src/old/service/problem.ts';
import { decideRetry } from '../../../src/old/service/retry.ts';
import { toPlainText } from '../../../src/old/text/plain-text.ts';
import { listWords } from '../../support/text.ts';
import { toBytes } from './bytes.ts';
import { body, errorBody, listDocument, resourceDocument } from './documents.ts';
import { onlyKnownErrors, onlyKnownErrorsNow, refuseControls, refusePollution } from './laws.ts';
import { reader, type Target, Violation } from './target.ts';
import { words } from './words.ts';

/** What the service sends, as text: no socket is between. */

const NOW = Date.UTC(2026, 10, 21, 9);

function toAnswer(latin: string, status = 200, headers: Answer['headers'] = {}): Answer {
  return {
    status,
    headers,
    text: toBytes(latin).toString('utf8'),
    origin: 'https://tfe.example.com',
    request: { method: 'GET', path: '/things' },
  };
}

const listAnswers = reader('list-answer', fc.record({ body: body(listDocument) }), async ({ body: latin }) => {
  await onlyKnownErrors(async () => {
    const { data, included = [], meta } = readList({ ...toAnswer(latin), what: 'list the members of acme' });
    toMembers({ items: data, included, document: { data, included }, pagination: toPageFacts(meta?.pagination) });
  });
  refusePollution();
});

const resourceAnswers = reader(
  'resource-answer',
  fc.record({ body: body(resourceDocument) }),
  async ({ body: latin }) => {
    await onlyKnownErrors(async () => {
      const facts = toTokenFacts(readResource({ ...toAnswer(latin), what: 'show membership ou-1' }));
      if (Object.values(facts).some((fact) => fact !== null && typeof fact !== 'string'))
        throw new Violation(`facts that are no texts: ${JSON.stringify(facts)}`);
    });
    refusePollution();
  },
);

const OPERATION_NAMES = Object.keys(OPERATIONS) as OperationName[];

const errorBodies = reader(
  'error-body',
  fc.record({
    body: errorBody,
    status: fc.constantFrom(400, 401, 403, 404, 409, 415, 422, 429, 499, 500, 502, 503, 599),
    type: words(['application/vnd.api+json', 'application/json', 'text/html; charset=utf-8']),
    operation: fc.constantFrom(...OPERATION_NAMES),
  }),
  ({ body: latin, status, type, operation }) => {
    const answer = toAnswer(latin, status, { 'content-type': type });
    const error = onlyKnownErrorsNow(() => {
      throw toServiceError(answer, { operation, what: 'list things', path: '/things' });
    });
    if (!(error instanceof OrgctlError) || ['failure', 'ok', 'usage'].includes(error.exit))
      throw new Violation('no error of the service');
    for (const reason of error.reasons) refuseControls(toPlainText(reason), 'a reason');
    refusePollution();
  },
  500,
);

const header = words([
  ...listWords('0 1 30 0.5 1.5 120 121 -1 1e3'),
  'Sat, 21 Nov 2026 09:00:05 GMT',
  'in 5',
  'Sat, GMT',
  ' GMT',
]);

const retryHeaders = reader(
  'retry-headers',
  fc.record({
    headers: fc.record(
      { 'retry-after': header, 'x-ratelimit-reset': header, 'x-ratelimit-limit': header },
      { requiredKeys: [] },
    ),
    status: fc.constantFrom(200, 404, 429, 500, 503, 599),
    kind: fc.constantFrom('read' as const, 'write' as const),
    retriesSoFar: fc.nat(120),
    random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  }),
  async ({ headers, status, kind, retriesSoFar, random }) => {
    const delay = decideRetry({ kind, result: { status, headers }, retriesSoFar, maxRetries: 100, random, now: NOW });
    if (delay !== undefined && !(delay >= 0 && delay <= 120_000)) throw new Violation(`waits ${delay} ms`);
    if (delay !== undefined && status < 500 && status !== 429) throw new Violation(`asks again after ${status}`);
    let time = 0;
    const pace = createPace({
      now: () => time,
      async sleep(milliseconds) {
        if (!(milliseconds >= 0 && milliseconds < 10_000)) throw new Violation(`paces by ${milliseconds} ms`);
        time += milliseconds;
      },
    });
    pace.learn(headers);
    const { signal } = new AbortController();
    for (let request = 0; request < 3; request += 1) (await pace.take(signal))();
  },
  500,
);

const MOST_ASKED = 400;

/** A service whose pages do not fit together; after the last of them it sends the last one again, or nothing. */
const pageSequences = reader(
  'pages',
  fc.record({
    pages: fc.array(
      fc.record({
        ids: fc.array(fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { nil: null, freq: 6 }), {
          maxLength: 3,
        }),
        meta: fc.option(
          fc.record({
            'current-page': fc.constantFrom(null, 0, 1, 2, 3, -1, 1.5, 1e9, 'x'),
            'next-page': fc.constantFrom(null, 0, 1, 2, 3, 4, 1e9, 'x'),
            'total-pages': fc.constantFrom(null, 0, 1, 2, 3, 1e9, 9007199254740992, 'x'),
            'total-count': fc.constantFrom(null, 0, 1, 2, 3, 4, 5, 1e9, 9007199254740992, 'x'),
          }),
          { nil: null, freq: 4 },
        ),
      }),
      { minLength: 1, maxLength: 6 },
    ),
    size: fc.constantFrom(null, 1, 2, 3, 100),
    limit: fc.constantFrom(null, 1, 2, 3, 50),
    partial: fc.boolean(),
    stream: fc.boolean(),
    again: fc.boolean(),
  }),
  async ({ pages, size, limit, partial, stream, again }) => {
    let asked = 0;
    const fetch = async (query: readonly (readonly [string, unknown])[]): Promise<() => Page<Listed>> => {
      asked += 1;
      if (asked > MOST_ASKED)
        throw new Violation(`asks for pages without end: ${asked} requests for ${pages.length} pages`);
      const number = Number(query.find(([name]) => name === 'page[number]')?.[1] ?? 1);
      const page = pages[number - 1] ?? (again ? pages.at(-1) : { ids: [], meta: null });
      const items = (page?.ids ?? []).map((id) => (id === null ? { text: 'without an id' } : { id, type: 'things' }));
      const facts = page?.meta as Parameters<typeof toPageFacts>[0] | null;
      return () => ({ items, included: [], document: { data: items }, pagination: toPageFacts(facts ?? undefined) });
    };
    const list = createList({
      what: 'list things',
      fetch,
      defaultSize: size ?? undefined,
      options: { ...(limit === null ? {} : { limit }), ...(partial ? { allowPartial: true } : {}) },
      warn: () => undefined,
    });
    let given = 0;
    await onlyKnownErrors(async () => {
      const counts = list.read(stream ? 'as it comes' : 'whole', ({ items }) => items.length);
      for await (const count of counts) given += count;
    });
    if (limit !== null && given > limit) throw new Violation(`gave ${given} where ${limit} were asked for`);
  },
  500,
);

const SECRETS = ['a-secret-of-some-length', 'sandbox.AbCdEfGh/+=\\"\n', 'aaaaaaaaaaaa'];

const redaction = reader(
  'redaction',
  fc.record({ body: body(resourceDocument), secret: words(SECRETS) }),
  ({ body: latin, secret }) => {
    const text = toBytes(latin).toString('utf8');
    const secrets = createSecrets(secret.slice(0, 200));
    const shown = secrets.redactBody(text);
    const answer = secrets.redactAnswer(text);
    secrets.hide(...findSecrets(text), ...findTokens(text));
    secrets.redactText(text);
    // A token has no quotes or brackets in it.
    const isToken = secret.length >= 8 && secret.length <= 200 && /^[\w.-]+$/.test(secret);
    if (isToken && isJson(text) && !(isJson(shown) && isJson(answer)))
      throw new Violation('what was JSON is none any more');
    if (isToken && shown.toLowerCase().includes(secret.toLowerCase())) {
      throw new Violation(`the secret is shown: ${shown}`);
    }
    refusePollution();
  },
);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const versionText = words(listWords('1.2.3 1.2.4 1.2.3-rc.1 1.2.3-rc.2 1.2.3-1 v1.2.3 1.2.3+build 01.2.3 10.0.0 1.2'));

const versions = reader(
  'versions',
  fc.tuple(versionText, versionText, versionText),
  ([one, two, three]) => {
    const [forth, back] = [compareNewestFirst(one, two), compareNewestFirst(two, one)];
    if (Number.isNaN(forth) || Math.sign(forth) !== -Math.sign(back))
      throw new Violation(`${forth} one way and ${back} the other`);
    if (compareNewestFirst(one, one) !== 0) throw new Violation('not the same as itself');
    if (forth < 0 && compareNewestFirst(two, three) < 0 && compareNewestFirst(one, three) >= 0) {
      throw new Violation('goes round in a circle');
    }
  },
  1_000,
);

export const ANSWER_TARGETS: readonly Target[] = [
  listAnswers,
  resourceAnswers,
  errorBodies,
  retryHeaders,
  pageSequences,
  redaction,
  versions,
];
