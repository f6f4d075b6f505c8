import { expect, test } from 'vitest';
import { type Json, listFlaws, NOW, openTestSandbox, type Sandbox, TOKEN, TRAIL } from './harness.ts';

const POLICIES = '/organizations/acme/token-ttl-policies';
const DAY = 86_400_000;
const TWO_YEARS = 63_113_904_000;
const TYPES = ['organization', 'team', 'user', 'audit_trails', 'metrics'];

const toChange = (...policies: Json[]): Json => ({
  data: { type: 'organization-token-ttl-policies', attributes: { 'token-ttl-policies': policies } },
});
const toLimit = (maximum: number, type = 'audit_trails'): Json => ({ 'token-type': type, 'max-ttl-ms': maximum });
const toRequest = (expiry?: string | null): Json => ({
  data: { type: 'authentication-token', attributes: expiry === undefined ? {} : { 'expired-at': expiry } },
});
const readLimits = ({ body }: { body: Json }): Json[] =>
  body.data.map(({ attributes }: Json) => [attributes['token-type'], attributes['max-ttl-ms']]);
/** Policies limit nothing before this. */
const switchOn = async (sandbox: Sandbox): Promise<void> => {
  const body = { data: { type: 'organizations', attributes: { 'max-ttl-enabled': true } } };
  expect((await sandbox.ask('PATCH', '/organizations/acme', { body })).body.data.attributes).toMatchObject({
    'max-ttl-enabled': true,
  });
};
const inDays = (days: number): string => new Date(NOW + days * DAY).toISOString();

test('each kind of token has the default of two years, which limits nothing', async () => {
  const sandbox = openTestSandbox();
  const reply = await sandbox.ask('GET', POLICIES);
  expect([reply.status, readLimits(reply)]).toEqual([200, TYPES.map((type) => [type, TWO_YEARS])]);
  const [first] = reply.body.data;
  expect(first.id).toMatch(/^ttl-organization-\w{16}$/);
  expect(first.attributes).toMatchObject({ 'created-at': inDays(-90), 'updated-at': inDays(-90) });
  expect(new Set(reply.body.data.map(({ id }: Json) => id)).size).toBe(5);
  const made = await sandbox.ask('POST', TOKEN, { body: toRequest('2040-01-01T00:00:00Z') });
  expect([made.status, made.body.data.attributes['expired-at']]).toEqual([201, '2040-01-01T00:00:00.000Z']);
});

test('an owner changes those that are named, again too, and the others stay', async () => {
  const sandbox = openTestSandbox();
  const body = toChange(toLimit(90 * DAY), toLimit(3_600_000, 'metrics'));
  const reply = await sandbox.ask('PATCH', POLICIES, { body });
  const limits = TYPES.map((type) => [type, { audit_trails: 90 * DAY, metrics: 3_600_000 }[type] ?? TWO_YEARS]);
  expect([reply.status, readLimits(reply)]).toEqual([200, limits]);
  await sandbox.ask('PATCH', POLICIES, { body: toChange(toLimit(30 * DAY)) });
  expect(readLimits(await sandbox.ask('GET', POLICIES))[3]).toEqual(['audit_trails', 30 * DAY]);
  expect(readLimits(await sandbox.ask('GET', POLICIES.replace('acme', 'globex')))[3]).toEqual([
    'audit_trails',
    TWO_YEARS,
  ]);
  const trail = await sandbox.ask('GET', TRAIL, { as: 'org-token' });
  expect(trail.body.data[0].resource).toMatchObject({ type: 'organization', action: 'update' });
});

test('a new audit trail token expires within the limit', async () => {
  const sandbox = openTestSandbox();
  await sandbox.ask('PATCH', POLICIES, { body: toChange(toLimit(90 * DAY)) });
  const make = async (expiry?: string | null): Promise<Json> => {
    const { status, body } = await sandbox.ask('POST', TOKEN, { body: toRequest(expiry) });
    return status === 201 ? body.data.attributes['expired-at'] : body;
  };
  expect(await make(inDays(91))).toBe(inDays(91));
  await switchOn(sandbox);
  expect(await make()).toBe(inDays(90));
  expect(await make(null)).toBe(inDays(90));
  expect(await make(inDays(90))).toBe(inDays(90));
  expect(await make(inDays(91))).toEqual(
    listFlaws(['Expired at must be at most 7776000000 ms from now', 'attributes/expired-at']),
  );
});

test('a limit ends older tokens at once, also the one that sets it, but no tokens of people', async () => {
  let now = NOW;
  const sandbox = openTestSandbox({ now: () => now });
  const readStatus = async (as: 'audit-token' | 'org-token' | 'owner'): Promise<number> =>
    (await sandbox.ask('GET', as === 'owner' ? POLICIES : TRAIL, { as })).status;
  // They are 20 days old.
  const change = { as: 'owners-team', body: toChange(...TYPES.map((type) => toLimit(20 * DAY + 1, type))) } as const;
  expect((await sandbox.ask('PATCH', POLICIES, change)).status).toBe(200);
  expect([await readStatus('audit-token'), await readStatus('org-token')]).toEqual([200, 200]);
  now += 1;
  expect([await readStatus('audit-token'), await readStatus('org-token')]).toEqual([200, 200]);
  await switchOn(sandbox);
  expect([await readStatus('audit-token'), await readStatus('org-token'), await readStatus('owner')]).toEqual([
    401, 401, 200,
  ]);
  expect((await sandbox.ask('PATCH', POLICIES, change)).status).toBe(401);
});

test('what is wrong is refused as a whole', async () => {
  const sandbox = openTestSandbox();
  const send = async (body: Json): Promise<Json> => {
    const reply = await sandbox.ask('PATCH', POLICIES, { body });
    return [reply.status, reply.body];
  };
  const at = 'attributes/token-ttl-policies';
  const range = 'Max ttl ms must be a whole number from 3600000 to 63113904000';
  const body = toChange(toLimit(DAY), toLimit(DAY, 'audit-trails'), toLimit(3_599_999), toLimit(TWO_YEARS + 1), '1y');
  expect(await send(body)).toEqual([
    422,
    listFlaws(
      [`Token type must be one of: ${TYPES.join(', ')}`, `${at}/1/token-type`],
      [range, `${at}/2/max-ttl-ms`],
      [range, `${at}/3/max-ttl-ms`],
      [`Token type must be one of: ${TYPES.join(', ')}`, `${at}/4/token-type`],
      [range, `${at}/4/max-ttl-ms`],
    ),
  ]);
  expect(readLimits(await sandbox.ask('GET', POLICIES))[3]).toEqual(['audit_trails', TWO_YEARS]);
});
