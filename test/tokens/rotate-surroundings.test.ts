import { EventEmitter } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createFolder } from '../support/files.ts';
import { CAN_MOUNT, createDisk, fillDisk } from '../support/mounts.ts';
import {
  change,
  findState,
  hideAuditToken,
  listNames,
  readState,
  startRotations,
  writeState,
} from '../support/rotations.ts';
import { NOW } from '../support/run.ts';
import { hide } from '../support/service.ts';
import { addTeamToken, listDescribed } from '../support/team-tokens.ts';

const DAY = 86_400_000;
const at = (milliseconds: number): string => new Date(NOW + milliseconds).toISOString();

test.each([
  ['shown', 'audit-trail', 0],
  ['shown', 'team:platform/ci', 0],
  ['not shown', 'audit-trail', 13],
])('with commands alone, a token that is %s and not due: %s, exit %i', async (shown, token, code) => {
  const { rotate } = await startRotations(shown === 'shown' ? {} : { alter: hideAuditToken });
  const words = `${token} --to exec:/bin/true`;
  expect(await rotate(words)).toMatchObject({ code: 0, created: 1 });
  expect(await rotate(`${words} --if-expires-within 1d`)).toMatchObject({ code, created: 0 });
});

describe('two at once', () => {
  test('on one machine: the second is refused, or waits with --lock-wait', async () => {
    const others: ReturnType<typeof rotate>[] = [];
    const { rotate, place } = await startRotations({
      async alter(given, { method }) {
        if (method !== 'POST' || others.length > 0) return given;
        others.push(rotate(`audit-trail --to file:${place}`));
        expect(await others[0]).toMatchObject({ code: 14, created: 0 });
        others.push(rotate(`audit-trail --lock-wait 1m`, { host: { sleep: async () => setImmediate() } }));
        return given;
      },
    });
    expect(await rotate('audit-trail')).toMatchObject({ code: 0 });
    expect(await others[1]).toMatchObject({ code: 0, created: 1 });
  });

  test('on two machines: what was replaced in the meantime is not delivered', async () => {
    const other = createFolder();
    const ends: { code: number }[] = [];
    const { rotate, home, held, service } = await startRotations({
      async alter(given, { method }) {
        if (method === 'POST' && ends.length === 0) {
          ends.push({ code: 99 });
          ends.push(await rotate('audit-trail', { home: other }));
        }
        return given;
      },
    });
    expect(await rotate('audit-trail')).toMatchObject({ code: 12 });
    expect(ends[1]).toMatchObject({ code: 0 });
    expect(held()).toBe(service.secretOf());
    expect(await rotate('audit-trail --if-expires-within 1d')).toMatchObject({ code: 0, created: 0 });
    expect(listNames(readState(home))).toBe('pending');
  });

  test('on two machines, side by side: the second token is named, exit 13', async () => {
    const other = createFolder();
    const ends: { code: number; stderr: string }[] = [];
    const { rotate, service } = await startRotations({
      async alter(given, { url }) {
        if (url.includes('/team-tokens') && ends.length === 0) {
          ends.push({ code: 99, stderr: '' });
          ends.push(await rotate('team:platform/ci', { home: other }));
        }
        return given;
      },
    });
    const { code, stdout, stderr } = await rotate('team:platform/ci -o json');
    const { ci: _, 'laptop of rex': _rex, ...both } = await listDescribed(service);
    const { id, changed } = JSON.parse(stdout);
    const [stranger] = Object.values(both).filter((one) => one !== id);
    expect([ends[1]?.code, code, changed]).toEqual([0, 13, true]);
    expect(stderr).toContain(stranger);
    const next = await rotate('team:platform/ci --if-expires-within 1d', { home: other });
    // Its place has the token of the first one.
    expect([next.code, next.created, next.stderr]).toEqual([13, 1, expect.stringContaining(id)]);
  });
});

describe('the state', () => {
  test('needs a folder that can be created', async () => {
    const { rotate } = await startRotations();
    const env = { ORGCTL_STATE_DIR: '/dev/null/state' };
    const stderr = expect.stringMatching(
      /can't create \/dev\/null\/state.*\n {2}→ Set ORGCTL_STATE_DIR to a folder that you can write to\.\n/,
    );
    expect(await rotate('audit-trail', { env })).toMatchObject({ code: 2, created: 0, stderr });
  });

  test.skipIf(!CAN_MOUNT)("exits with 2 before the POST if it can't be written", async () => {
    const home = createDisk();
    const { rotate } = await startRotations();
    fillDisk(home);
    expect(await rotate('audit-trail', { home })).toMatchObject({ code: 2, created: 0 });
  });

  // A page of the disk holds what it held before, and no more.
  test.skipIf(!CAN_MOUNT).each([
    ['in place', 10, { code: 0 }, 'delivered retiring', 0],
    ['not at all', 3_750, { code: 1, stderr: expect.stringContaining('It was delivered.') }, 'sent retiring', 1],
  ])('can be written %s after the POST', async (_how, size, expected, left, created) => {
    const home = createDisk();
    const { rotate, held, service } = await startRotations({
      alter(given, { method }) {
        if (method === 'POST' && held() === undefined) fillDisk(home);
        return given;
      },
    });
    await rotate('audit-trail --to file:/', { home });
    writeState(home, { retiring: [{ id: 'a'.repeat(size), from: at(0) }] });
    expect(await rotate('audit-trail', { home })).toMatchObject({ ...expected, created: 1 });
    expect(held()).toBe(service.secretOf());
    expect(listNames(readState(home))).toBe(left);
    rmSync(join(home, 'filler'));
    const next = await rotate('audit-trail --if-expires-within 1d', { home });
    expect(next).toMatchObject({ code: 0, created });
  });

  test.each(['audit-trail', 'team:platform/ci'])(
    "of %s that can't be put back after a refusal is said beside the service's words",
    async (token) => {
      const { rotate, home } = await startRotations({
        alter(given, { method }) {
          if (method !== 'POST') return given;
          rmSync(findState(home));
          mkdirSync(findState(home));
          return Response.json({ errors: [{ status: '422', title: 'refused', detail: 'no more' }] }, { status: 422 });
        },
      });
      const { code, stderr } = await rotate(token);
      expect(code).toBe(7);
      expect(stderr).toMatch(/refused: no more\n.*can't write \S+rotation\.json: /);
    },
  );

  test.each([
    ['damaged', 'is damaged', '{"version":1,"pending":{}}', 0o600],
    ['no JSON', 'is damaged', '{', 0o600],
    ['of a newer version', 'is damaged', '{"version":2}', 0o600],
    ['readable by others', 'other users can read', '{"version":1}', 0o640],
  ])('is %s: exit 2, and it stays as it is', async (_what, message, text, mode) => {
    const { rotate, home } = await startRotations();
    await rotate('audit-trail --to file:/');
    writeFileSync(findState(home), text);
    chmodSync(findState(home), mode);
    expect(await rotate('audit-trail')).toMatchObject({
      code: 2,
      created: 0,
      stderr: expect.stringContaining(message),
    });
    expect(readFileSync(findState(home), 'utf8')).toBe(text);
  });

  test('leaves no temporary file, and one that a killed run left is removed by a run that writes nothing', async () => {
    const { rotate, home } = await startRotations();
    await rotate('audit-trail');
    const folder = dirname(findState(home));
    expect(readdirSync(folder)).toEqual(['rotation.json', 'rotation.lock']);
    writeFileSync(join(folder, '.rotation.json.0123456789abcdef.orgctl'), 'secret', { mode: 0o600 });
    expect(await rotate('audit-trail --if-expires-within 1d')).toMatchObject({ code: 0, created: 0 });
    expect(readdirSync(folder)).toEqual(['rotation.json', 'rotation.lock']);
  });
});

test('another id once it is delivered contradicts it: 12, and the secret stays', async () => {
  const other = change((shown) => Object.assign(shown, { id: 'at-AAAAAAAAAAAAAAAA' }));
  const { rotate, home, held } = await startRotations({
    alter: (given, request, body) =>
      held() && request.url.includes('/authentication-token') ? other(given, request, body) : given,
  });
  expect(await rotate('audit-trail --verify-command /bin/true')).toMatchObject({ code: 12, created: 1 });
  expect(listNames(readState(home))).toBe('pending');
});

test('an old token is deleted only when something confirms the new one', async () => {
  const { rotate, home, service } = await startRotations({ alter: hide(/account.details/) });
  const first = await rotate('team:platform/ci --allow-self');
  expect([first.code, listNames(readState(home))]).toEqual([13, 'pending retiring']);
  expect(await rotate('team:platform/ci --allow-self')).toMatchObject({ code: 13, created: 0, deleted: 0 });
  const words = 'team:platform/ci --allow-self --verify-command /bin/true';
  expect(await rotate(words)).toMatchObject({ code: 0, created: 0, deleted: 1 });
  expect(await listDescribed(service)).not.toHaveProperty('ci');
});

test("the caller's token is not deleted by a later run without --allow-self, which creates none", async () => {
  const { rotate, service } = await startRotations();
  const { secret } = await addTeamToken(service, 'owners', 'bot');
  const env = { ORGCTL_TOKEN: secret };
  await rotate('team:owners/bot --allow-self --keep-old 1d', { env });
  const later = { env, now: NOW + 2 * DAY };
  expect(await rotate('team:owners/bot', later)).toMatchObject({ code: 2, created: 0, deleted: 0 });
  expect(await rotate('team:owners/bot --allow-self', later)).toMatchObject({ code: 0, created: 1, deleted: 2 });
});

test.each(['--if-expires-within 5d', '--if-older-than 85d'])(
  '%s counts by the metadata, else by the state',
  async (condition) => {
    for (const alter of [undefined, hideAuditToken]) {
      const { rotate } = await startRotations({ ...(alter && { alter }) });
      await rotate('audit-trail');
      const after = (days: number) => rotate(`audit-trail ${condition}`, { now: NOW + days * DAY });
      expect([await after(84), await after(85)]).toMatchObject([{ created: 0 }, { created: 1 }]);
    }
  },
);

test('counts an expiry that a policy sets later', async () => {
  const { rotate, service } = await startRotations();
  await rotate('audit-trail');
  const words = 'audit-trail --if-expires-within 5d';
  expect(await rotate(words)).toMatchObject({ code: 0, created: 0 });
  const patch = (path: string, type: string, attributes: object) =>
    service.ask('PATCH', `/organizations/acme${path}`, 'owner', { data: { type, attributes } });
  const policies = [{ 'token-type': 'audit_trails', 'max-ttl-ms': 3 * DAY }];
  await patch('/token-ttl-policies', 'organization-token-ttl-policies', { 'token-ttl-policies': policies });
  await patch('', 'organizations', { 'max-ttl-enabled': false });
  expect(await rotate(words)).toMatchObject({ code: 0, created: 0 });
  await patch('', 'organizations', { 'max-ttl-enabled': true });
  expect(await rotate(`${words} --dry-run --fields result`)).toMatchObject({ code: 0, stdout: 'planned\n' });
});

test.each<[string, string | undefined, string, { code: number; created: number }]>([
  ['a valid token', undefined, '', { code: 0, created: 0 }],
  ['no token', '', '', { code: 0, created: 1 }],
  ['a token that is refused', 'sandbox.old', '', { code: 0, created: 1 }],
  ['a place that can not be read', undefined, ' --to exec:/bin/true', { code: 13, created: 0 }],
])('a job without a state, with %s, which is not due', async (_name, text, to, expected) => {
  for (const [token, options] of [
    ['audit-trail', {}],
    ['audit-trail', { alter: hideAuditToken }],
    ['team:platform/ci', {}],
  ] as const) {
    const { rotate, place } = await startRotations(options);
    await rotate(token);
    if (text !== undefined) writeFileSync(place, text);
    const run = { home: createFolder() };
    expect(await rotate(`${token} --if-expires-within 1d${to}`, run), token).toMatchObject(expected);
  }
});

test.each([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s waits from the POST until the secret is delivered', async (name, code) => {
  const signals = new EventEmitter();
  const { rotate, home, held } = await startRotations({
    alter(given, { method }) {
      if (method === 'POST') signals.emit(name);
      return given;
    },
  });
  const interrupted = await rotate('team:platform/ci -o json', { signals });
  expect(interrupted).toMatchObject({ code, created: 1, deleted: 0 });
  const id = expect.stringMatching(/^at-/);
  expect(JSON.parse(interrupted.stdout)).toMatchObject({ id, changed: true, result: 'rotated' });
  expect([held(), listNames(readState(home))]).toEqual([expect.stringMatching(/^sandbox/), 'delivered retiring']);
  expect(await rotate('team:platform/ci --if-expires-within 1d')).toMatchObject({ code: 0, created: 0, deleted: 1 });
  expect(await rotate('audit-trail --to stdout', { signals })).toMatchObject({ code, created: 1 });
});

test('tokens that begin alike are told apart', async () => {
  const ends = ['.2', '.1'];
  const { rotate, held } = await startRotations({
    alter: (given, request, body) => {
      const edit = change(({ attributes }) =>
        Object.assign(attributes, { token: 'eyJ'.padEnd(200, 'x') + ends.pop() }),
      );
      return request.method === 'POST' ? edit(given, request, body) : given;
    },
  });
  const first = await rotate('audit-trail -o json');
  expect(held()).toMatch(/x\.1$/);
  const second = await rotate('audit-trail -o json');
  expect(held()).toMatch(/x\.2$/);
  expect(JSON.parse(second.stdout).fingerprint).not.toBe(JSON.parse(first.stdout).fingerprint);
});

test('a secret is nowhere but in state and places, and on stdin of commands', async () => {
  const secrets: string[] = [];
  const { rotate, home, folder, place } = await startRotations({
    async alter(given, { method }) {
      if (method !== 'POST') return given;
      const text = await given.text();
      secrets.push(/sandbox\.\w+/.exec(text)?.[0] ?? '');
      // The first is torn.
      return new Response(secrets.length === 1 ? text.slice(0, -3) : text, { status: 201 });
    },
  });
  const script = join(folder, 'script');
  writeFileSync(script, '#!/bin/sh\nenv > env\ntr "\\0" " " < /proc/$$/cmdline > argv\ncat\n', { mode: 0o755 });
  const env = { ORGCTL_LOG_FILE: join(home, 'log'), PATH: process.env.PATH };
  const sleeps: number[] = [];
  const onSleep = (milliseconds: number) => sleeps.push(milliseconds);
  const { code, created, stdout, stderr } = await rotate(
    `audit-trail --debug --to file:${place} --to exec:${script} --verify-command ${script}`,
    { env, onSleep },
  );
  expect([code, created, secrets.length, sleeps]).toEqual([0, 2, 2, [5_000]]);
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const texts = files.map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'));
  expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(['log', 'env', 'argv']));
  expect(stderr).toContain('[removed]');
  for (const secret of secrets) expect([stdout, stderr, ...texts].join('\n')).not.toContain(secret);
});
