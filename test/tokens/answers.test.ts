import { describe, expect, test } from 'vitest';
import { change, hideAuditToken, listNames, readState, startRotations } from '../support/rotations.ts';
import { NOW } from '../support/run.ts';
import type { ServiceOptions } from '../support/service.ts';
import { listDescribed } from '../support/team-tokens.ts';

type Alter = NonNullable<ServiceOptions['alter']>;

const MINUTE = 60_000;
/** Of the second POST. */
const fault = (action: string | number) => `POST authentication-token: nth=2 ${action}`;
/** What comes of the POST. */
const ANSWERS: Record<string, { faults?: string[]; alter?: Alter }> = {
  none: { faults: [fault('reset-before')] },
  'none, but it was done': { faults: [fault('reset-after-commit')] },
  half: { faults: [fault('truncate')] },
  500: { faults: [fault(500)] },
  '500, but it was done': { alter: () => Response.json({ errors: [] }, { status: 500 }) },
  429: { faults: [fault(429)] },
  401: { faults: [fault(401)] },
  404: { faults: [fault(404)] },
  "another token's id": { alter: change((made) => Object.assign(made, { id: 'at-AAAAAAAAAAAAAAAA' })) },
  'no id': { alter: change((made) => delete made.id) },
  'no token': { alter: change(({ attributes }) => delete attributes.token) },
  'none in time': { alter: () => new Promise(() => undefined) },
};

/** The audit trail token is shown, or not. */
const SERVICES: Record<string, { now?: () => number; isHidden?: boolean }> = {
  shown: {},
  'not shown': { isHidden: true },
  'shown by a clock 10 minutes behind': { now: () => NOW - 10 * MINUTE },
  'shown by a clock 10 minutes ahead': { now: () => NOW + 10 * MINUTE },
};

function startAnswering(answer: string, service: string) {
  const { faults = [], alter } = ANSWERS[answer] ?? {};
  const { isHidden, ...options } = SERVICES[service] ?? {};
  let posts = 0;
  return startRotations({
    ...options,
    faults,
    async alter(given, request, body) {
      if (request.method !== 'POST') return isHidden ? hideAuditToken(given, request, body) : given;
      posts += 1;
      return posts === 2 && alter ? alter(given, request, body) : given;
    },
  });
}

/** Exit code, tokens created, what is left; and then the same of the next run, where no token is due. */
type Ends = [code: number, created: number, left: string, nextCode: number, nextCreated: number];

const WELL: Ends = [0, 1, 'delivered', 0, 0];
const ANOTHER: Ends = [0, 2, 'delivered', 0, 0];
const REFUSED: Ends = [4, 0, 'delivered', 0, 0];
const MISSING: Ends = [5, 0, 'delivered', 0, 0];
const NOTHING: Ends = [11, 0, 'sent delivered', 0, 0];
const ANOTHER_LATER: Ends = [11, 0, 'sent delivered', 0, 1];
const UNKNOWN: Ends = [11, 1, 'sent delivered', 0, 1];
/** Of the audit trail token where it is shown, where it is not, and of a token with a description. */
const ENDS: Record<string, [shown: Ends, hidden: Ends, described: Ends]> = {
  none: [NOTHING, ANOTHER_LATER, ANOTHER_LATER],
  'none, but it was done': [ANOTHER, UNKNOWN, ANOTHER],
  half: [ANOTHER, UNKNOWN, ANOTHER],
  500: [NOTHING, ANOTHER_LATER, ANOTHER_LATER],
  '500, but it was done': [ANOTHER, UNKNOWN, ANOTHER],
  429: [WELL, WELL, WELL],
  401: [REFUSED, REFUSED, REFUSED],
  404: [MISSING, MISSING, MISSING],
  // Nothing says that the current one is ours, but the account of a new secret with a description names its id.
  "another token's id": [[12, 1, 'pending delivered', 13, 1], WELL, WELL],
  'no id': [WELL, WELL, WELL],
  'no token': [ANOTHER, UNKNOWN, ANOTHER],
  'none in time': [ANOTHER, UNKNOWN, ANOTHER],
};

/** Where clocks differ only what was lost might be judged by them. */
const LOST = ['none', 'none, but it was done'];

describe.each(Object.keys(SERVICES))('a token that is %s', (service) => {
  const rows = Object.entries(ENDS).filter(([answer]) => !service.includes('clock') || LOST.includes(answer));
  const cases = rows.flatMap(([answer, [shown, hidden, described]]) =>
    service === 'not shown'
      ? [['audit-trail', answer, hidden] as const]
      : [['audit-trail', answer, shown] as const, ['team:platform/ci', answer, described] as const],
  );
  test.each(cases)('%s, an answer with %s', async (token, answer, expected) => {
    const { rotate, home, held, service: asked } = await startAnswering(answer, service);
    expect(await rotate(token)).toMatchObject({ code: 0 });
    const first = await rotate(`${token} --timeout ${answer === 'none in time' ? '1s' : '30s'}`);
    const left = listNames(readState(home));
    const next = await rotate(`${token} --if-expires-within 1d`);
    expect([first.code, first.created, left, next.code, next.created]).toEqual(expected);
    const secret = held() ?? '';
    expect(JSON.stringify(readState(home))).not.toContain(secret);
    if (token === 'audit-trail') expect(secret).toBe(asked.secretOf());
    else expect(Object.keys(await listDescribed(asked))).toHaveLength(2);
  });
});

test.each([
  ['before', 404],
  ['after', 403],
])('a token that is not shown %s a POST without a clear answer proves nothing', async (hidden, status) => {
  let when = 'before';
  const { rotate, home } = await startRotations({
    alter(given, { method, url }) {
      if (method === 'POST') when = 'after';
      if (method === 'POST') return new Response('', { status: 500 });
      const isHidden = when === hidden && /authentication-token|organizations.acme$/.test(url);
      return isHidden ? new Response('{"errors":[]}', { status }) : given;
    },
  });
  expect(await rotate('audit-trail')).toMatchObject({ code: 11, created: 1 });
  expect(listNames(readState(home))).toBe('sent');
});

test.each([
  ['without an answer', 'reset-after-commit', 2],
  ['that is refused', 403, 1],
])('after a second POST %s nothing more is sent, and the state names what was lost', async (_what, action, created) => {
  const faults = ['POST authentication-token: nth=1 reset-after-commit', fault(action)];
  const { rotate, held, home, service } = await startRotations({ faults });
  expect(await rotate('audit-trail')).toMatchObject({ code: 11, created });
  expect(listNames(readState(home))).toBe('sent');
  expect(await rotate('audit-trail --if-expires-within 1d')).toMatchObject({ code: 0, created: 1 });
  expect(held()).toBe(service.secretOf());
});

test('a new token with a description that the service refuses is not delivered', async () => {
  let isRefusing = true;
  const { rotate, service, home, held } = await startRotations({
    alter: (given, { url, headers }) =>
      isRefusing &&
      url.endsWith('/account/details') &&
      headers.get('authorization') !== `Bearer ${service.sandbox.tokenFor('owner', 'acme')}`
        ? new Response('{"errors":[]}', { status: 401 })
        : given,
  });
  expect(await rotate('team:platform/ci')).toMatchObject({ code: 13, created: 1, deleted: 0 });
  expect([held(), listNames(readState(home))]).toEqual([undefined, 'pending retiring']);
  // What was refused is deleted as soon as the next secret is saved.
  expect(await rotate('team:platform/ci --if-expires-within 1d')).toMatchObject({ code: 13, created: 1, deleted: 1 });
  isRefusing = false;
  expect(await rotate('team:platform/ci --if-expires-within 1d')).toMatchObject({ code: 0, created: 0, deleted: 1 });
  expect(Object.keys(await listDescribed(service))).toHaveLength(2);
});
