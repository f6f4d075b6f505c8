import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createFingerprint } from '../../src/lib/fingerprint.ts';
import { createFolder } from '../support/files.ts';
import {
  hideAuditToken,
  listNames,
  readState,
  type State,
  startRotations,
  type Token,
  writeState,
} from '../support/rotations.ts';
import { NOW } from '../support/run.ts';
import { hide } from '../support/service.ts';
import { addTeamToken, listDescribed } from '../support/team-tokens.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const at = (minutes: number): string => new Date(NOW + minutes * MINUTE).toISOString();
const fault = (action: string | number, nth = 1) => `POST authentication-token: nth=${nth} ${action}`;

describe('what an earlier run left of the audit trail token', () => {
  const sent = (minutes: number, before?: string | null) => ({
    at: at(-minutes),
    ...(before !== undefined && { before }),
  });

  /** `old` was replaced by `current`. Not due, and the place has the current one: only what was left creates another. */
  test.each<[string, (old: Token, current: Token) => State, result: string, left: string]>([
    ['pending, current', (_, now) => ({ pending: now }), 'delivered', 'delivered'],
    ['pending, another is current', (old) => ({ pending: old }), 'unchanged', 'pending'],
    ['pending, not shown, accepted', (_, now) => ({ pending: now }), 'delivered', 'delivered'],
    ['pending, not shown, refused', (old) => ({ pending: old }), 'unchanged', 'pending'],
    ['pending without an id, accepted', (_, { secret }) => ({ pending: { secret } }), 'delivered', 'delivered'],
    ['pending without an id, refused', ({ secret }) => ({ pending: { secret } }), 'unchanged', 'pending'],
    ['sent, another is current', ({ id }) => ({ sent: sent(1, id) }), 'rotated', 'delivered'],
    ['sent, another is current since long', ({ id }) => ({ sent: sent(99, id) }), 'rotated', 'delivered'],
    ['sent, there was none', () => ({ sent: sent(1, null) }), 'rotated', 'delivered'],
    ['sent, the old one was hidden', () => ({ sent: sent(99) }), 'rotated', 'delivered'],
    ['sent, the new one is not shown', ({ id }) => ({ sent: sent(99, id) }), 'rotated', 'delivered'],
    ['sent 10 minutes ago, the same is current', (_, { id }) => ({ sent: sent(10, id) }), 'unchanged', 'sent'],
    ['sent 11 minutes ago, the same is current', (_, { id }) => ({ sent: sent(11, id) }), 'unchanged', ''],
    ['both, current', (old, now) => ({ pending: now, sent: sent(1, old.id) }), 'delivered', 'sent delivered'],
    ['both, another is current', (old) => ({ pending: old, sent: sent(1, old.id) }), 'rotated', 'delivered'],
    ['both, not shown, accepted', (_, now) => ({ pending: now, sent: sent(1) }), 'delivered', 'sent delivered'],
    ['both, not shown, refused', (old) => ({ pending: old, sent: sent(1) }), 'rotated', 'delivered'],
  ])('%s', async (name, create, result, left) => {
    const { rotate, replace, service, home, place, held } = await startRotations(
      name.includes('not shown') ? { alter: hideAuditToken } : {},
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
    const { rotate, replace, home } = await startRotations({ faults: [fault(403)] });
    const [old] = [await replace(), await replace()];
    await rotate('audit-trail --to file:/');
    writeState(home, create(old));
    expect(await rotate('audit-trail')).toMatchObject({ code: 6 });
    expect(readState(home)).toEqual({ version: 1, shown: true, ...create(old) });
  });

  test('that the service showed it: without one, another is due', async () => {
    const { rotate, service } = await startRotations({ alter: hide(/organizations.acme$/) });
    await rotate('audit-trail');
    await service.ask('DELETE', '/organizations/acme/authentication-token?token=audit-trails');
    const words = 'audit-trail --if-expires-within 1d --to exec:/bin/true';
    expect(await rotate(`${words} --dry-run`, { home: createFolder() })).toMatchObject({ code: 13 });
    expect(await rotate(words)).toMatchObject({ code: 0, created: 1 });
  });

  test('sent remembers the first token that may be lost', async () => {
    const { rotate, replace, service, home, place, held } = await startRotations({
      faults: [fault('reset-before')],
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
  const deliver = ({ id, secret }: Token) => ({ delivered: { id, fingerprint: createFingerprint(secret) } });
  const sent = { at: at(-99), description: NEW };
  const retire = (id: string, from = -1) => ({ retiring: [{ id, from: at(from) }] });

  const ANOTHER = { code: 0, created: 1, deleted: 2 };

  /** The service has `old` and, if that is meant, `made`. Not due: only what was left creates another. */
  test.each<[string, (made: Token, old: string) => State, object]>([
    ['pending', (made, old) => ({ pending: made, ...retire(old) }), { code: 0, created: 0, deleted: 1 }],
    [
      'pending, deleted by hand, and delivered',
      (made, old) => ({ pending: made, ...deliver({ id: old, secret: 'old' }), ...retire(old) }),
      ANOTHER,
    ],
    ['pending, deleted by hand', (made, old) => ({ pending: made, ...retire(old) }), ANOTHER],
    [
      'pending, refused',
      ({ id }, old) => ({ pending: { id, secret: 'gone' }, ...retire(old) }),
      { created: 1, deleted: 2 },
    ],
    ['sent, listed: nobody has its secret', () => ({ sent }), ANOTHER],
    ['sent, not there', () => ({ sent }), { code: 0, created: 1, deleted: 1 }],
    ['retiring', (made, old) => ({ ...deliver(made), ...retire(old) }), { created: 0, deleted: 1 }],
    ['retiring later', (made, old) => ({ ...deliver(made), ...retire(old, 1) }), { created: 0, deleted: 0 }],
    ['retiring the delivered one', (made) => ({ ...deliver(made), ...retire(made.id) }), { code: 13, deleted: 0 }],
    ['retiring, the delivered one deleted by hand', (made, old) => ({ ...deliver(made), ...retire(old) }), ANOTHER],
  ])('%s', async (name, create, expected) => {
    const { rotate, service, home, place, held } = await startRotations();
    await rotate(`${CI} --to file:/`);
    const { ci: old = '' } = await listDescribed(service);
    const isGone = /by hand|not there/.test(name);
    const made = isGone ? { id: 'at-AAAAAAAAAAAAAAAA', secret: 'gone' } : await addTeamToken(service, 'platform', NEW);
    writeFileSync(place, made.secret);
    writeState(home, create(made, old));
    expect(await rotate(`${CI} --if-expires-within 1d`)).toMatchObject(expected);
    const listed = Object.keys(await listDescribed(service)).filter((one) => one.startsWith('ci'));
    if (name === 'sent, not there') expect(listed).toEqual([NEW]);
    if (!name.includes('retiring')) expect(listed).toHaveLength(1);
    expect(listNames(readState(home))).toBe(listed.length > 1 ? 'delivered retiring' : 'delivered');
    expect(held()).toMatch(/^sandbox/);
  });

  test.each<[string, State, object, string]>([
    ['pending, refused', { pending: { secret: 'gone', description: NEW } }, { code: 13 }, 'delivered retiring'],
    ['sent', { sent }, { code: 0 }, 'delivered'],
  ])('%s, and the list can not be read: another is created, due or not', async (_name, state, expected, left) => {
    const { rotate, home } = await startRotations({ alter: hide(/team-tokens/) });
    const words = `${CI} --if-expires-within 1d`;
    expect(await rotate(words)).toMatchObject({ code: 5, created: 0 });
    writeState(home, state);
    expect(await rotate(words)).toMatchObject({ ...expected, created: 1 });
    expect(listNames(readState(home))).toBe(left);
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
    const { rotate, service } = await startRotations({ faults: [fault(422, 2)] });
    await rotate(`${CI} --keep-old 1d`);
    const { ci, 'laptop of rex': _, ...made } = await listDescribed(service);
    await service.ask('DELETE', `/authentication-tokens/${Object.values(made)[0]}`);
    expect(await rotate(CI, { now: NOW + 2 * DAY })).toMatchObject({ code: 7, deleted: 0 });
    expect(await listDescribed(service)).toMatchObject({ ci });
  });
});
