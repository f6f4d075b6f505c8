import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { UsageError } from '../../src/lib/errors.ts';
import { openDatabase } from '../../src/lib/sqlite.ts';
import { isSeed } from '../../src/sandbox/seed.ts';
import { createFolder } from '../support/files.ts';
import {
  createInvitation,
  type Json,
  MEMBERSHIPS,
  openTestSandbox,
  type Sandbox,
  TOKEN,
  TOKEN_REQUEST,
  TRAIL,
} from './harness.ts';

let folder: string;
beforeEach(() => {
  folder = createFolder();
});

function open(state: string, seed = 'demo'): Sandbox {
  const sandbox = openTestSandbox({ state, seed });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** Whether any file of the state holds the text. */
const holds = (state: string, text: string): boolean =>
  readdirSync(folder)
    .filter((name) => join(folder, name).startsWith(state))
    .some((name) => readFileSync(join(folder, name)).includes(text));

describe('seeds', () => {
  test.each([
    [true, ['demo', 'empty', 'members=0', 'members=100000']],
    [false, ['members=1000001', 'members=', 'members=-1', 'Demo', '']],
  ])('%j: %j', (expected, texts) => {
    expect(texts.map(isSeed)).toEqual(texts.map(() => expected));
  });

  test('empty has the callers, teams and feature sets', async () => {
    const sandbox = openTestSandbox({ seed: 'empty' });
    const sizes = { members: 4, invited: 0, providers: 0, teams: 4, 'audit-token': false };
    expect(sandbox.info().organizations.map(({ name: _name, note: _note, ...rest }) => rest)).toEqual([
      sizes,
      { ...sizes, teams: 6 },
      sizes,
    ]);
    expect((await sandbox.ask('GET', '/feature-sets')).body.data).toHaveLength(6);
  });

  test('members=1000 adds them to the demo, pages join into the whole list', async () => {
    const sandbox = openTestSandbox({ seed: 'members=1000', randomBytes });
    expect(sandbox.info()).toMatchObject({
      seed: 'members=1000',
      organizations: [{ members: 905, invited: 101 }, {}, {}],
    });
    const ids = new Set<string>();
    for (let page: number | null = 1; page !== null; ) {
      const path = `${MEMBERSHIPS}?include=teams&page[size]=100&page[number]=${page}`;
      const { body }: { body: Json } = await sandbox.ask('GET', path);
      for (const member of body.data) {
        ids.add(member.id);
        // Clients tell ids from names by these 58 signs: neither 0, O, I nor l.
        expect(member.id).toMatch(/^ou-[1-9A-HJ-NP-Za-km-z]{16}$/);
        expect(member.relationships.teams.data.length).toBeGreaterThan(0);
      }
      page = body.meta.pagination['next-page'];
    }
    expect(ids.size).toBe(1006);
    const { body } = await sandbox.ask('GET', `${MEMBERSHIPS}?q=MEMBER-00099&filter%5Bstatus%5D=active`);
    expect(body.meta.pagination['total-count']).toBe(10 - 1);
    const last = await sandbox.ask('GET', `${MEMBERSHIPS}?filter%5Bemail%5D=member-001000@example.com&include=user`);
    expect(last.body.included[0].attributes.username).toBeNull();
  });

  test.each([
    ['none', 'acme', undefined],
    ['owner', 'acme', 'sandbox.owner'],
    ['org-token', 'GLOBEX', 'sandbox.org-token.globex'],
    ['org-token', 'umbrella', undefined],
    ['audit-token', 'initech', undefined],
  ] as const)('the token of %s in %s', (kind, organization, token) => {
    expect(openTestSandbox().tokenFor(kind, organization)).toBe(token);
  });
});

describe('accepting', () => {
  test('gives the user a name and activates the membership', async () => {
    const sandbox = openTestSandbox();
    const [accepted] = sandbox.accept('IVAN.invitee@example.com');
    expect(accepted).toEqual({
      id: expect.stringMatching(/^ou-/),
      organization: 'acme',
      email: 'ivan.invitee@example.com',
      status: 'active',
    });
    const { body } = await sandbox.ask('GET', `${MEMBERSHIPS}?q=ivan-invitee&include=user`);
    expect(body.data[0].attributes.status).toBe('active');
    expect(body.meta['status-counts']).toEqual({ total: 6, active: 6, invited: 0 });
    expect(() => sandbox.accept('ivan.invitee@example.com')).toThrow(UsageError);
  });

  test('finds a free name, in every organization that invites', async () => {
    const sandbox = openTestSandbox();
    for (const organization of ['acme', 'globex']) {
      const body = createInvitation('olive.owner@other.example', await sandbox.teamId('audit', organization));
      await sandbox.ask('POST', `/organizations/${organization}/organization-memberships`, { body });
    }
    expect(sandbox.accept('olive.owner@other.example', 'globex').map((one) => one.organization)).toEqual(['globex']);
    expect(sandbox.accept('olive.owner@other.example').map((one) => one.organization)).toEqual(['acme']);
    const { body } = await sandbox.ask('GET', `${MEMBERSHIPS}?filter[email]=olive.owner@other.example&include=user`);
    expect(body.included[0].attributes.username).toBe('olive-owner-2');
  });
});

describe('a state on disk', () => {
  test('is created with its folder, for its owner only, and kept', async () => {
    const state = join(folder, 'new', 'deep', 'state.db');
    const first = open(state);
    const { body } = await first.ask('POST', TOKEN, { body: TOKEN_REQUEST });
    first.close();
    expect(statSync(state).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'new')).mode & 0o777).toBe(0o700);
    const second = open(state, 'empty');
    const token = body.data.attributes.token;
    expect((await second.ask('GET', '/organization/audit-trail', { token })).status).toBe(200);
    expect(second.info().seed).toBe('demo');
  });

  test('a reset refills it for everyone who has it open', async () => {
    const state = join(folder, 'state.db');
    const [first, second] = [open(state), open(state)];
    await first.ask('DELETE', '/organizations/acme/registry-providers/public/hashicorp/aws');
    expect(second.info().organizations[0]?.providers).toBe(4);
    first.reset('empty');
    expect(second.info().organizations[0]?.providers).toBe(0);
    second.reset();
    expect(first.info().organizations[0]?.providers).toBe(5);
    expect((await first.ask('GET', MEMBERSHIPS)).body.data).toHaveLength(6);
  });

  test.each<[name: string, script: string, message: RegExp]>([
    ['a database of another program', 'CREATE TABLE things (a)', /is not a state of the sandbox/],
    ['another application id', 'PRAGMA application_id = 7', /is not a state of the sandbox/],
    ...[4, 99].map((version): [string, string, RegExp] => {
      const script = `PRAGMA application_id = 1869768547; PRAGMA user_version = ${version}`;
      return [`a state of version ${version}`, script, /was written by another version of orgctl/];
    }),
  ])('%s is left alone', (_name, script, message) => {
    const state = join(folder, 'other.db');
    const database = openDatabase(state, 5_000);
    database.exec(script);
    database.close();
    const before = readFileSync(state);
    expect(() => open(state)).toThrow(message);
    expect(readFileSync(state)).toEqual(before);
  });

  test('a folder is refused, and a place where no folder can be created', () => {
    expect(() => open(folder)).toThrow(UsageError);
    const state = '/dev/null/state.db';
    expect(() => open(state)).toThrow(`the sandbox state ${state} cannot be used`);
    expect(() => open(state)).toThrow(expect.objectContaining({ code: 'unusable' }));
  });
});

describe('a secret that a request created', () => {
  test('is in no file, is not shown again, and works as long as it is the current one', async () => {
    const state = join(folder, 'state.db');
    const first = open(state);
    const { body } = await first.ask('POST', TOKEN, { body: TOKEN_REQUEST });
    const secret = body.data.attributes.token;
    expect(holds(state, secret)).toBe(false);
    expect(JSON.stringify(first.tokens())).not.toContain(secret);
    expect(first.tokens().filter(({ kind }) => kind === 'audit-token')).toEqual([
      { kind: 'audit-token', organization: 'acme', token: null },
      { kind: 'audit-token', organization: 'globex', token: 'sandbox.audit-token.globex' },
    ]);
    const second = open(state);
    expect((await second.ask('GET', TRAIL, { token: secret })).status).toBe(200);
    await second.ask('POST', TOKEN, { body: TOKEN_REQUEST });
    expect((await first.ask('GET', TRAIL, { token: secret })).status).toBe(401);
  });

  test('is not needed to call as that token: this one sandbox accepts a stand-in', async () => {
    const state = join(folder, 'state.db');
    const [first, second] = [open(state), open(state)];
    const { body } = await first.ask('POST', TOKEN, { body: TOKEN_REQUEST });
    const pass = first.tokenFor('audit-token', 'ACME') ?? '';
    expect(pass).not.toBe(body.data.attributes.token);
    expect(first.tokenFor('audit-token', 'acme')).toBe(pass);
    const { body: trail } = await first.ask('GET', TRAIL, { token: pass });
    expect(trail.data[0].resource.id).toBe(body.data.id);
    expect((await second.ask('GET', TRAIL, { token: pass })).status).toBe(401);
    expect(holds(state, pass)).toBe(false);
    // It stands for that one token, and not for what replaces it.
    await second.ask('DELETE', TOKEN);
    expect((await first.ask('GET', TRAIL, { token: pass })).status).toBe(401);
    expect(first.tokenFor('audit-token', 'acme')).toBeUndefined();
  });
});
