import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findFormer } from '../../src/rotation/former.ts';
import type { OpenRotation } from '../../src/rotation/journal.ts';
import type { TokenService } from '../../src/rotation/order.ts';
import type { PresentToken } from '../../src/rotation/present-token.ts';
import { createRecoveryFile } from '../../src/rotation/recovery.ts';

const ORDER = { organization: 'acme', origin: 'https://tfe.example', settle: 0 };
const found = (id: string): PresentToken => ({ kind: 'found', facts: { id } });
const UNTOLD: PresentToken = { kind: 'untold' };

/** What is open: a run that died before its request, with secrets of runs before it that were doubtful then. */
async function leave(ids: readonly string[], last: Partial<OpenRotation> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'orgctl-former-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const keep = async (id: string): Promise<string> => {
    const file = await createRecoveryFile(folder, id);
    await file.keep(`secret-of-${id}`, { id, ...ORDER });
    return file.path;
  };
  const doubtful: string[] = [];
  for (const id of ids) doubtful.push(await keep(id));
  const open: OpenRotation = {
    run: 'ab',
    startedAt: '2026-01-01T00:00:00Z',
    phase: 'preflight',
    posts: 0,
    recovery: join(folder, 'undelivered-token-ab'),
    temporaries: [],
    doubtful,
    ...last,
  };
  return { open, doubtful, keep };
}

function ask(open: OpenRotation, present: PresentToken, accepted: readonly string[] = []) {
  const token: Pick<TokenService, 'read' | 'tryOut'> = {
    read: async () => present,
    tryOut: async (secret) => (accepted.includes(secret) ? 'accepted' : 'untold'),
  };
  const silent = (): void => undefined;
  const { signal } = new AbortController();
  const world = {
    token: token as TokenService,
    now: Date.now,
    sleep: async () => undefined,
    signal,
    note: silent,
    warn: silent,
  };
  return findFormer(open, ORDER, world);
}

test('what was doubtful is doubtful still, where nothing tells more', async () => {
  const { open, doubtful } = await leave(['aa', 'bb']);
  const former = await ask(open, UNTOLD);
  expect(former).toMatchObject({ kind: 'doubtful', doubtful: doubtful.map((path) => ({ path })) });
  expect(doubtful.every((path) => existsSync(path))).toBe(true);
});

test.each([
  ['the metadata', found('bb'), []],
  ['the audit trail', UNTOLD, ['secret-of-bb']],
])('the one in force is delivered, by the word of %s, and the others go', async (_name, present, accepted) => {
  const { open, doubtful, keep } = await leave(['aa', 'bb', 'cc']);
  const last = await keep('dd');
  const former = await ask({ ...open, recovery: last, phase: 'minted', posts: 1 }, present, accepted);
  expect(former).toMatchObject({
    kind: 'deliverable',
    made: { secret: 'secret-of-bb' },
    recovery: { path: doubtful[1] },
  });
  expect([...doubtful, last].filter((path) => existsSync(path))).toEqual([doubtful[1]]);
});

test('those of the last run come first', async () => {
  const { open, doubtful, keep } = await leave(['aa']);
  const last = await keep('dd');
  const former = await ask({ ...open, recovery: last, phase: 'minted', posts: 1 }, found('dd'));
  expect(former).toMatchObject({ kind: 'deliverable', made: { secret: 'secret-of-dd' } });
  expect(doubtful.some((path) => existsSync(path))).toBe(false);
});

test('none is left where somebody else replaced the token', async () => {
  const { open, doubtful } = await leave(['aa', 'bb']);
  expect(await ask(open, found('zz'))).toEqual({ kind: 'none' });
  expect(doubtful.some((path) => existsSync(path))).toBe(false);
});

test('a loss stays known when the run after it dies early', async () => {
  const { open } = await leave([], { lost: true });
  expect(await ask(open, found('zz'))).toEqual({ kind: 'lost', doubtful: [] });
});

test('a loss stays a loss, with what may be in force all the same', async () => {
  const { open, doubtful } = await leave(['aa'], { phase: 'unknown', posts: 1 });
  expect(await ask(open, UNTOLD)).toMatchObject({ kind: 'lost', doubtful: [{ path: doubtful[0] }] });
});

test.each([
  [1, 'none'],
  [2, 'lost'],
])('where another token is in force after %i requests, what they left is: %s', async (posts, kind) => {
  const { open, keep } = await leave([]);
  const recovery = await keep('dd');
  expect(await ask({ ...open, recovery, phase: 'minted', posts }, found('zz'))).toMatchObject({ kind });
  expect(existsSync(recovery)).toBe(false);
});
