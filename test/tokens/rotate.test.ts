import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Fault } from '../../src/sandbox/faults.ts';
import { createFolder } from '../support/files.ts';
import {
  change,
  hideAuditToken,
  listNames,
  readState,
  type State,
  startRotations,
  type Token,
  writeState,
} from '../support/rotations.ts';
import { NOW } from '../support/run.ts';
import { hide, type ServiceOptions } from '../support/service.ts';
import { addTeamToken, listDescribed } from '../support/team-tokens.ts';

type Alter = NonNullable<ServiceOptions['alter']>;

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const at = (minutes: number): string => new Date(NOW + minutes * MINUTE).toISOString();
/** Of the second POST. */
const fault = (action: Fault['action']): Fault => ({ method: 'POST', words: 'authentication-token', nth: 2, action });
/** What comes of the POST. */
const ANSWERS: Record<string, { faults?: Fault[]; alter?: Alter }> = {
  none: { faults: [fault({ kind: 'reset-before' })] },
  'none, but it was done': { faults: [fault({ kind: 'reset-after-commit' })] },
  half: { faults: [fault({ kind: 'truncate' })] },
  500: { faults: [fault({ kind: 'status', status: 500 })] },
  '500, but it was done': { alter: () => Response.json({ errors: [] }, { status: 500 }) },
  429: { faults: [fault({ kind: 'status', status: 429 })] },
  401: { faults: [fault({ kind: 'status', status: 401 })] },
  404: { faults: [fault({ kind: 'status', status: 404 })] },
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

const OF_ALL: Record<string, Ends> = {
  429: [0, 1, 'delivered', 0, 0],
  401: [4, 0, 'delivered', 0, 0],
  404: [5, 0, 'delivered', 0, 0],
  'no id': [0, 1, 'delivered', 0, 0],
};
const ANOTHER: Ends = [0, 2, 'delivered', 0, 0];
const OF_SHOWN: Record<string, Ends> = {
  ...OF_ALL,
  none: [11, 0, 'sent delivered', 0, 0],
  'none, but it was done': ANOTHER,
  half: ANOTHER,
  500: [11, 0, 'sent delivered', 0, 0],
  '500, but it was done': ANOTHER,
  "another token's id": [12, 1, 'pending delivered', 0, 1],
  'no token': ANOTHER,
  'none in time': ANOTHER,
};
const UNKNOWN: Ends = [11, 1, 'sent delivered', 0, 1];
const OF_HIDDEN: Record<string, Ends> = {
  ...OF_ALL,
  none: [11, 0, 'sent delivered', 0, 1],
  'none, but it was done': UNKNOWN,
  half: UNKNOWN,
  500: [11, 0, 'sent delivered', 0, 1],
  '500, but it was done': UNKNOWN,
  "another token's id": [0, 1, 'delivered', 0, 0],
  'no token': UNKNOWN,
  'none in time': UNKNOWN,
};
const OF_DESCRIBED: Record<string, Ends> = {
  ...OF_SHOWN,
  none: [11, 0, 'sent delivered', 0, 1],
  500: [11, 0, 'sent delivered', 0, 1],
  // The one that the answer should have named stays: nothing says that it is ours.
  "another token's id": [12, 1, 'pending delivered retiring', 13, 1],
};

/** Where clocks differ only what was lost might be judged by them. */
const LOST = ['none', 'none, but it was done'];

describe.each(Object.keys(SERVICES))('a token that is %s', (service) => {
  const ofAudit = service === 'not shown' ? OF_HIDDEN : OF_SHOWN;
  const cases = (service.includes('clock') ? LOST : Object.keys(ANSWERS)).flatMap((answer) => [
    ['audit-trail', answer, ofAudit[answer]] as const,
    ...(service === 'not shown' ? [] : [['team:platform/ci', answer, OF_DESCRIBED[answer]] as const]),
  ]);
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
    else expect(Object.keys(await listDescribed(asked))).toHaveLength(next.code === 13 ? 3 : 2);
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
      return when === hidden && url.includes('/authentication-token') ? new Response('{}', { status }) : given;
    },
  });
  expect(await rotate('audit-trail')).toMatchObject({ code: 11, created: 1 });
  expect(listNames(readState(home))).toBe('sent');
});

test('after a second POST without an answer nothing more is sent', async () => {
  const faults = [1, 2].map((nth) => ({ ...fault({ kind: 'reset-after-commit' }), nth }));
  const { rotate, held, service } = await startRotations({ faults });
  expect(await rotate('audit-trail')).toMatchObject({ code: 11, created: 2 });
  expect(await rotate('audit-trail --if-expires-within 1d')).toMatchObject({ code: 0, created: 1 });
  expect(held()).toBe(service.secretOf());
});

test('a new token with a description that the service rejects is no success, and the old one stays', async () => {
  const { rotate, service, home } = await startRotations({
    alter: (given, { url, headers }) =>
      url.endsWith('/account/details') &&
      headers.get('authorization') !== `Bearer ${service.sandbox.tokenFor('owner', 'acme')}`
        ? new Response('{}', { status: 401 })
        : given,
  });
  expect(await rotate('team:platform/ci')).toMatchObject({ code: 12, created: 1, deleted: 0 });
  expect(listNames(readState(home))).toBe('pending retiring');
});

describe('what an earlier run left of the audit trail token', () => {
  const sent = (minutes: number, before?: string | null) => ({
    at: at(-minutes),
    ...(before !== undefined && { before }),
  });

  /** `old` was replaced by `current`. Not due, and the place has the current one: only what was left creates another. */
  test.each<[string, boolean, (old: Token, current: Token) => State, string, string]>([
    ['pending, current', true, (_, now) => ({ pending: now }), 'delivered', 'delivered'],
    ['pending, another is current', true, (old) => ({ pending: old }), 'unchanged', 'pending'],
    ['pending, not shown, accepted', false, (_, now) => ({ pending: now }), 'delivered', 'delivered'],
    ['pending, not shown, refused', false, (old) => ({ pending: old }), 'unchanged', 'pending'],
    ['pending without an id, accepted', true, (_, { secret }) => ({ pending: { secret } }), 'delivered', 'delivered'],
    ['pending without an id, refused', true, ({ secret }) => ({ pending: { secret } }), 'unchanged', 'pending'],
    ['sent, another is current', true, ({ id }) => ({ sent: sent(1, id) }), 'rotated', 'delivered'],
    ['sent, another is current since long', true, ({ id }) => ({ sent: sent(99, id) }), 'rotated', 'delivered'],
    ['sent, there was none', true, () => ({ sent: sent(1, null) }), 'rotated', 'delivered'],
    ['sent, the old one was not shown', true, () => ({ sent: sent(99) }), 'rotated', 'delivered'],
    ['sent, the new one is not shown', false, ({ id }) => ({ sent: sent(99, id) }), 'rotated', 'delivered'],
    ['sent 10 minutes ago, the same is current', true, (_, { id }) => ({ sent: sent(10, id) }), 'unchanged', 'sent'],
    ['sent 11 minutes ago, the same is current', true, (_, { id }) => ({ sent: sent(11, id) }), 'unchanged', ''],
    [
      'pending and sent, current',
      true,
      (old, now) => ({ pending: now, sent: sent(1, old.id) }),
      'delivered',
      'sent delivered',
    ],
    [
      'pending and sent, another is current',
      true,
      (old) => ({ pending: old, sent: sent(1, old.id) }),
      'rotated',
      'delivered',
    ],
    [
      'pending and sent, not shown, accepted',
      false,
      (_, now) => ({ pending: now, sent: sent(1) }),
      'delivered',
      'sent delivered',
    ],
    ['pending and sent, not shown, refused', false, (old) => ({ pending: old, sent: sent(1) }), 'rotated', 'delivered'],
  ])('%s', async (_name, isShown, create, result, left) => {
    const { rotate, replace, service, home, place, held } = await startRotations(
      isShown ? {} : { alter: hideAuditToken },
    );
    const [old, current] = [await replace(), await replace()];
    writeFileSync(place, current.secret);
    await rotate('audit-trail --to file:/');
    writeState(home, create(old, current));
    const { code, stdout, created } = await rotate('audit-trail --if-expires-within 1d --fields result');
    expect([code, stdout, created]).toEqual([0, `${result}\n`, result === 'rotated' ? 1 : 0]);
    expect(listNames(readState(home))).toBe(left);
    expect(held()).toBe(service.secretOf());
  });

  test.each<[string, object, number]>([
    ['delivered', {}, 0],
    ['dropped after a later POST', { sent: sent(1) }, 1],
  ])('pending is %s if the service says nothing of it', async (_what, more, created) => {
    const { rotate, replace, home } = await startRotations({
      // The trail is empty to other tokens, and to a new organization.
      alter: async (given, request, body) =>
        request.url.includes('/organization/audit-trail')
          ? Response.json({ ...((await given.json()) as object), data: [] })
          : hideAuditToken(given, request, body),
    });
    await rotate('audit-trail --to file:/');
    writeState(home, { pending: await replace(), ...more });
    expect(await rotate('audit-trail')).toMatchObject({ code: 0, created });
  });

  test('pending is kept until the secret of another is saved', async () => {
    let seen: State = {};
    const { rotate, replace, home } = await startRotations({
      alter(given, { method }) {
        if (method === 'POST') seen = readState(home);
        return given;
      },
    });
    await rotate('audit-trail --to file:/');
    writeState(home, { pending: await replace() });
    await replace();
    expect(await rotate('audit-trail')).toMatchObject({ code: 0, created: 1 });
    expect(listNames(seen)).toBe('sent pending');
  });

  test.each<[string, (old: Token) => State]>([
    ['sent', ({ id }) => ({ sent: sent(1, id) })],
    ['pending', (old) => ({ pending: old })],
  ])('%s is as it was after a POST that was refused', async (_name, create) => {
    const { rotate, replace, home } = await startRotations({
      faults: [{ ...fault({ kind: 'status', status: 403 }), nth: 1 }],
    });
    const [old] = [await replace(), await replace()];
    await rotate('audit-trail --dry-run');
    writeState(home, create(old));
    expect(await rotate('audit-trail')).toMatchObject({ code: 6 });
    expect(readState(home)).toEqual({ version: 1, shown: true, ...create(old) });
  });

  test('that the service showed it: without one, another is due', async () => {
    const { rotate, service } = await startRotations();
    await rotate('audit-trail');
    await service.ask('DELETE', '/organizations/acme/authentication-token?token=audit-trails');
    const words = 'audit-trail --if-expires-within 1d --to exec:/bin/true';
    expect(await rotate(`${words} --dry-run`, { home: createFolder() })).toMatchObject({ code: 13 });
    expect(await rotate(words)).toMatchObject({ code: 0, created: 1 });
  });

  test('sent remembers the first token that may be lost', async () => {
    const { rotate, replace, service, home, place, held } = await startRotations({
      faults: [{ ...fault({ kind: 'reset-before' }), nth: 1 }],
    });
    const [old, current] = [await replace(), await replace()];
    writeFileSync(place, current.secret);
    await rotate('audit-trail --to file:/');
    writeState(home, { sent: sent(1, old.id) });
    expect(await rotate('audit-trail')).toMatchObject({ code: 11, created: 0 });
    expect(readState(home)).toMatchObject({ sent: { at: at(0), before: old.id } });
    expect(await rotate('audit-trail --if-expires-within 1d')).toMatchObject({ code: 0, created: 1 });
    expect(held()).toBe(service.secretOf());
  });
});

describe('what an earlier run left of a token with a description', () => {
  const NEW = 'ci 2026-11-20-0123456789abcdef';
  const CI = 'team:platform/ci';
  const DELIVERED = { fingerprint: 'sha256:0123456789abcdef' };
  const sent = { at: at(-99), description: NEW };
  const retire = (id: string, from = -1) => ({ retiring: [{ id, from: at(from) }] });

  /** The service has `old` and, if that is meant, `made`. Not due: only what was left creates another. */
  test.each<[string, boolean, (made: Token, old: string) => State, object]>([
    ['pending', true, (made, old) => ({ pending: made, ...retire(old) }), { code: 0, created: 0, deleted: 1 }],
    [
      'pending, deleted by hand, beside the delivered one',
      false,
      (made, id) => ({ pending: made, delivered: { id, ...DELIVERED }, ...retire(id) }),
      { code: 0, created: 1, deleted: 1 },
    ],
    [
      'pending, deleted by hand',
      false,
      (made, old) => ({ pending: made, ...retire(old) }),
      { code: 0, created: 1, deleted: 1 },
    ],
    [
      'pending, refused',
      true,
      ({ id }, old) => ({ pending: { id, secret: 'gone' }, ...retire(old) }),
      { created: 1, deleted: 2 },
    ],
    ['sent, listed: nobody has its secret', true, () => ({ sent }), { code: 0, created: 1, deleted: 2 }],
    ['sent, not listed', false, () => ({ sent }), { code: 0, created: 1, deleted: 1 }],
    [
      'retiring',
      true,
      ({ id }, old) => ({ delivered: { id, ...DELIVERED }, ...retire(old) }),
      { created: 0, deleted: 1 },
    ],
    [
      'retiring later',
      true,
      ({ id }, old) => ({ delivered: { id, ...DELIVERED }, ...retire(old, 1) }),
      { created: 0, deleted: 0 },
    ],
    [
      'retiring the delivered one',
      true,
      ({ id }) => ({ delivered: { id, ...DELIVERED }, ...retire(id) }),
      { code: 13, deleted: 0 },
    ],
    [
      'retiring, and the delivered one was deleted by hand',
      false,
      ({ id }, old) => ({ delivered: { id, ...DELIVERED }, ...retire(old) }),
      { code: 0, created: 1, deleted: 1 },
    ],
  ])('%s', async (name, isMade, create, expected) => {
    const { rotate, service, home, place, held } = await startRotations();
    await rotate(`${CI} --to file:/`);
    const { ci: old = '' } = await listDescribed(service);
    const made = isMade ? await addTeamToken(service, 'platform', NEW) : { id: 'at-AAAAAAAAAAAAAAAA', secret: 'gone' };
    writeFileSync(place, made.secret);
    writeState(home, create(made, old));
    expect(await rotate(`${CI} --if-expires-within 1d`)).toMatchObject(expected);
    const listed = Object.keys(await listDescribed(service)).filter((one) => one.startsWith('ci'));
    if (name === 'sent, not listed') expect(listed).toEqual([NEW]);
    if (!name.includes('retiring')) expect(listed).toHaveLength(1);
    expect(listNames(readState(home))).toBe(listed.length > 1 ? 'delivered retiring' : 'delivered');
    expect(held()).toMatch(/^sandbox/);
  });

  test.each(['pending', 'sent'])('%s, and the list can not be read: exit 11, nothing changes', async (name) => {
    const { rotate, home } = await startRotations({ alter: hide(/team-tokens/) });
    expect(await rotate(CI)).toMatchObject({ code: 5 });
    const state = { version: 1, ...(name === 'sent' ? { sent } : { pending: { secret: 'gone', description: NEW } }) };
    writeState(home, state);
    expect(await rotate(CI)).toMatchObject({ code: 11, created: 0 });
    expect(readState(home)).toEqual(state);
  });

  test('retiring, and the delivered one has expired: it stays', async () => {
    const { rotate, service } = await startRotations();
    const words = `${CI} --to exec:/bin/true`;
    expect(await rotate(`${words} --keep-old 1d`)).toMatchObject({ code: 0, deleted: 0 });
    expect(await rotate(`${words} --if-older-than 1y`, { now: NOW + 91 * DAY })).toMatchObject({
      code: 13,
      created: 0,
      deleted: 0,
    });
    expect(await listDescribed(service)).toHaveProperty('ci');
  });

  test('retiring, the delivered one was deleted by hand, and no other can be created: it stays', async () => {
    const { rotate, service } = await startRotations({ faults: [fault({ kind: 'status', status: 422 })] });
    await rotate(`${CI} --keep-old 1d`);
    const { ci, 'laptop of rex': _, ...made } = await listDescribed(service);
    await service.ask('DELETE', `/authentication-tokens/${Object.values(made)[0]}`);
    expect(await rotate(CI, { now: NOW + 2 * DAY })).toMatchObject({ code: 7, deleted: 0 });
    expect(await listDescribed(service)).toMatchObject({ ci });
  });
});
