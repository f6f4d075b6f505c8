import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { CurrentToken } from '../../../src/old/rotation/current-token.ts';
import type { OpenRotation } from '../../../src/old/rotation/journal.ts';
import { findPreviousRun, listUnremoved } from '../../../src/old/rotation/previous-run.ts';
import { createRecoveryFile } from '../../../src/old/rotation/recovery.ts';
import type { TokenService } from '../../../src/old/rotation/types.ts';
import { createFolder } from '../../support/files.ts';

const OWNER = { organization: 'acme', origin: 'https://tfe.example' };
const found = (id: string): CurrentToken => ({ kind: 'found', facts: { id } });
const UNKNOWN: CurrentToken = { kind: 'unknown' };
const ABSENT: CurrentToken = { kind: 'absent' };
const DELIVERED_NOW = 'Delivering the token of an unfinished rotation.';
const WAITING = 'An unfinished rotation ended moments ago. Waiting';
const toNotWhole = (path: string): string =>
  `warning: the secret in the recovery file ${path} is not complete; it was not changed`;

/** What is open: a run that died before its request, with unverified secrets of runs before it. */
async function leave(ids: readonly string[], last: Partial<OpenRotation> = {}) {
  const folder = createFolder();
  const keep = async (id: string, owner: typeof OWNER | undefined = OWNER, isKnown = true): Promise<string> => {
    const file = await createRecoveryFile(folder, id);
    await file.keep(`secret-of-${id}`, isKnown ? { id, ...owner } : undefined);
    return file.path;
  };
  const unverified: string[] = [];
  for (const id of ids) unverified.push(await keep(id));
  const open: OpenRotation = {
    run: 'ab',
    startedAt: '2026-01-01T00:00:00Z',
    phase: 'preflight',
    posts: 0,
    recovery: join(folder, 'undelivered-token-ab'),
    temporaries: [],
    doubtful: unverified,
    ...last,
  };
  return { open, unverified, keep };
}

const NOW = Date.parse('2026-01-01T00:01:00Z');
const signal = new AbortController().signal;

/** `messages`: notes, warnings and waits. */
function ask(
  open: OpenRotation | undefined,
  current: CurrentToken,
  accepted: readonly string[] = [],
  more: { readonly settle?: number; readonly messages?: string[]; readonly tryOut?: TokenService['tryOut'] } = {},
) {
  const say = (text: string): void => void more.messages?.push(text);
  const token: Pick<TokenService, 'read' | 'tryOut'> = {
    read: async () => current,
    async tryOut(secret, isNew) {
      // One that is shown is tried as a new one is: the service may not know it everywhere yet.
      expect(isNew).toBe(current.kind === 'found');
      return accepted.includes(secret) ? 'accepted' : 'unknown';
    },
    ...(more.tryOut === undefined ? {} : { tryOut: more.tryOut }),
  };
  const world = {
    token: token as TokenService,
    now: () => NOW,
    async sleep(milliseconds: number, stop?: AbortSignal) {
      expect(stop).toBe(signal);
      say(`slept ${milliseconds}`);
    },
    signal,
    note: say,
    warn: (text: string) => say(`warning: ${text}`),
  };
  return findPreviousRun(open, { ...OWNER, settle: more.settle ?? 0 }, world);
}

test('what was unverified stays so, where nothing proves more', async () => {
  const { open, unverified } = await leave(['aa', 'bb']);
  const previous = await ask(open, UNKNOWN);
  expect(previous).toMatchObject({ kind: 'unverified', unverified: unverified.map((path) => ({ path })) });
  expect(unverified.every((path) => existsSync(path))).toBe(true);
});

test.each([
  ['the metadata', found('bb'), []],
  ['the audit trail', UNKNOWN, ['secret-of-bb']],
])('the one in force is delivered, by the word of %s, and the others go', async (_name, current, accepted) => {
  const { open, unverified, keep } = await leave(['aa', 'bb', 'cc']);
  const last = await keep('dd');
  const previous = await ask({ ...open, recovery: last, phase: 'minted', posts: 1 }, current, accepted);
  const [, bb] = unverified;
  expect(previous).toMatchObject({ kind: 'deliverable', token: { secret: 'secret-of-bb' }, recovery: { path: bb } });
  expect([...unverified, last].filter((path) => existsSync(path))).toEqual([bb]);
});

test('one that is shown, and that the service rejects, is not delivered, and kept until there is another', async () => {
  const { open, keep } = await leave([]);
  const last = await keep('dd');
  const messages: string[] = [];
  const previous = await ask({ ...open, recovery: last, phase: 'minted', posts: 1 }, found('dd'), [], {
    messages,
    tryOut: async () => 'refused',
  });
  expect(previous).toMatchObject({ kind: 'secret-lost', unverified: [{ path: last }] });
  expect([existsSync(last), messages]).toEqual([
    true,
    ['The service rejects the token of an unfinished rotation, dd, so another is created.'],
  ]);
});

test('those of the last run come first', async () => {
  const { open, unverified, keep } = await leave(['aa']);
  const last = await keep('dd');
  const previous = await ask({ ...open, recovery: last, phase: 'minted', posts: 1 }, found('dd'));
  expect(previous).toMatchObject({ kind: 'deliverable', token: { secret: 'secret-of-dd' } });
  expect(unverified.some((path) => existsSync(path))).toBe(false);
});

test('none is left where somebody else replaced the token', async () => {
  const { open, unverified } = await leave(['aa', 'bb']);
  expect(await ask(open, found('zz'))).toEqual({ kind: 'none' });
  expect(unverified.some((path) => existsSync(path))).toBe(false);
});

test('a loss stays known when the run after it dies early, and beside what is unverified', async () => {
  const { open } = await leave([], { lost: true });
  expect(await ask(open, found('zz'))).toEqual({ kind: 'secret-lost', unverified: [] });
  const later = await leave(['aa'], { phase: 'unknown', posts: 1 });
  const unverified = [{ path: later.unverified[0] }];
  expect(await ask(later.open, UNKNOWN)).toMatchObject({ kind: 'secret-lost', unverified });
});

test.each([
  ['another token is in force after one', 1, found('zz'), 'none'],
  ['another token is in force after two', 2, found('zz'), 'secret-lost'],
  ['the token of the second is in force', 2, found('dd'), 'deliverable'],
  ['nothing tells of the token of the second', 2, UNKNOWN, 'unverified'],
])('of a run that ended after its requests, where %s', async (_name, posts, current, kind) => {
  const { open, keep } = await leave([]);
  const recovery = await keep('dd');
  expect(await ask({ ...open, recovery, phase: 'minted', posts }, current)).toMatchObject({ kind });
  expect(existsSync(recovery)).toBe(['deliverable', 'unverified'].includes(kind));
});

test('nothing is left where nothing is open', async () => {
  expect(await ask(undefined, UNKNOWN)).toEqual({ kind: 'none' });
});

describe('a run that died', () => {
  test('leaves nothing unverified where it names no such file', async () => {
    const { open } = await leave([]);
    const { doubtful: _none, ...rest } = open;
    expect(await ask(rest, UNKNOWN)).toEqual({ kind: 'none' });
    expect(await ask({ ...rest, lost: true }, UNKNOWN)).toEqual({ kind: 'secret-lost', unverified: [] });
  });

  const sent = { phase: 'minting', posts: 1, mintingSince: '2026-01-01T00:00:00Z' } as const;

  test('before its request left nothing that matters, whatever changed the token since', async () => {
    const { open } = await leave([]);
    const temporary = join(dirname(open.recovery), '.token.orgctl-ab');
    for (const path of [temporary, open.recovery]) writeFileSync(path, '', { mode: 0o600 });
    expect(listUnremoved({ ...open, temporaries: [temporary] })).toEqual([temporary]);
    expect(await ask({ ...open, temporaries: [temporary] }, found('at-1'))).toEqual({ kind: 'none' });
    expect([temporary, open.recovery].filter((path) => existsSync(path))).toEqual([]);
    expect(listUnremoved({ ...open, temporaries: [temporary] })).toEqual([]);
    expect(listUnremoved(undefined)).toEqual([]);
  });

  test.each<[string, OpenRotation['before'], CurrentToken, 'none' | 'secret-lost']>([
    ['with the token it found still there', { id: 'at-1' }, found('at-1'), 'none'],
    ['with no token before, and none now', null, ABSENT, 'none'],
    ['with another token', { id: 'at-1' }, found('at-2'), 'secret-lost'],
    ['with a token where none was', null, found('at-2'), 'secret-lost'],
    ['with none where one was', { id: 'at-1' }, ABSENT, 'secret-lost'],
    ['with a token that is not shown', { id: 'at-1' }, UNKNOWN, 'secret-lost'],
    ['with a token that could not be read before', undefined, found('at-1'), 'secret-lost'],
    ['with one that was never shown', undefined, UNKNOWN, 'secret-lost'],
  ])('after its request, %s', async (_name, before, current, kind) => {
    const { open } = await leave([], { ...sent, ...(before === undefined ? {} : { before }) });
    const previous = await ask(open, current);
    expect(previous).toEqual(kind === 'none' ? { kind } : { kind, unverified: [] });
  });

  test.each<[string, string | undefined, readonly string[]]>([
    ['a minute ago, no longer waited for', '2026-01-01T00:00:00Z', []],
    ['just now', '2026-01-01T00:01:00Z', [`${WAITING} 60 s for its request.`, 'slept 60000']],
    ['a while ago', '2026-01-01T00:00:18.500Z', [`${WAITING} 19 s for its request.`, 'slept 18500']],
    ['by a clock that goes ahead of ours', '2026-01-01T00:01:00.001Z', []],
    ['nobody knows when', undefined, []],
  ])('its request may take effect after it: sent %s', async (_name, mintingSince, expected) => {
    const when = mintingSince === undefined ? {} : { mintingSince };
    const { open } = await leave([], { phase: 'minting', posts: 1, ...when, before: null });
    const messages: string[] = [];
    await ask(open, ABSENT, [], { settle: 60_000, messages });
    expect(messages).toEqual(expected);
  });

  test('while it wrote the secret has lost it, and its file is left for the user', async () => {
    const { open, keep } = await leave([], sent);
    const path = await keep('dd');
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, -10));
    const messages: string[] = [];
    const previous = await ask({ ...open, recovery: path }, found('at-1'), [], { messages });
    expect(previous).toEqual({ kind: 'secret-lost', unverified: [] });
    expect(messages).toEqual([toNotWhole(path)]);
    expect(existsSync(path)).toBe(true);
  });

  const REPLACED = 'The token of an unfinished rotation, dd, was replaced since.';

  test.each<[string, object, CurrentToken, string, string]>([
    ['that is in force, by its id', {}, found('dd'), 'deliverable', DELIVERED_NOW],
    ['that was replaced since', {}, found('zz'), 'none', REPLACED],
    ['that is not shown, though the service shows tokens', {}, ABSENT, 'unverified', ''],
    ['of another service', { origin: 'https://other.example' }, found('dd'), 'unverified', ''],
    ['of another organization', { organization: 'globex' }, found('dd'), 'unverified', ''],
  ])('with a secret %s', async (_name, facts, current, kind, note) => {
    const { open, keep } = await leave([], sent);
    const recovery = await keep('dd', { ...OWNER, ...facts });
    const messages: string[] = [];
    expect(await ask({ ...open, recovery }, current, [], { messages })).toMatchObject({
      kind,
      ...(kind === 'deliverable' ? { token: { kind: 'created', secret: 'secret-of-dd', facts: { id: 'dd' } } } : {}),
      ...(kind === 'unverified' ? { unverified: [{ path: recovery }] } : {}),
    });
    expect(messages).toEqual(note === '' ? [] : [note]);
    expect(existsSync(recovery)).toBe(kind !== 'none');
  });

  test('with a secret that was kept without saying whose it is leaves it unverified', async () => {
    const { open, keep } = await leave([], sent);
    const recovery = await keep('dd', OWNER, false);
    const previous = await ask({ ...open, recovery }, UNKNOWN, ['secret-of-dd']);
    expect(previous).toMatchObject({ kind: 'unverified', unverified: [{ path: recovery }] });
  });

  test.each([
    ['works all the same', 'accepted', 'deliverable'],
    ['is refused', 'refused', 'none'],
  ] as const)('with a secret that is not shown and %s', async (_name, trial, kind) => {
    const { open, keep } = await leave([], sent);
    const recovery = await keep('dd');
    const tryOut = async () => trial;
    expect(await ask({ ...open, recovery }, ABSENT, [], { tryOut })).toMatchObject({ kind });
    expect(existsSync(recovery)).toBe(kind !== 'none');
  });

  test('and whose file others may read stops the next one', async () => {
    const { open, keep } = await leave([], sent);
    const recovery = await keep('dd');
    chmodSync(recovery, 0o644);
    await expect(ask({ ...open, recovery }, found('dd'))).rejects.toThrow('others can read the recovery file');
    expect(existsSync(recovery)).toBe(true);
  });
});

test('of the unverified ones, the one that is gone and the one that is damaged are passed over', async () => {
  const { open, unverified } = await leave(['aa', 'bb', 'cc']);
  const [gone = '', damaged = '', good = ''] = unverified;
  rmSync(gone);
  writeFileSync(damaged, 'secret-of-bb\n{"id":"bb"');
  const messages: string[] = [];
  const previous = await ask(open, UNKNOWN, ['secret-of-cc'], { messages });
  expect(previous).toMatchObject({ kind: 'deliverable', recovery: { path: good } });
  expect(messages[0]).toBe(toNotWhole(damaged));
  expect(existsSync(damaged)).toBe(true);
});

test('what cannot be removed is a warning, and the current token delivered all the same', async () => {
  const { open, unverified } = await leave(['aa', 'bb']);
  const [first = '', second = ''] = unverified;
  // A folder cannot be removed as a file is, also by root.
  rmSync(second);
  mkdirSync(second);
  const messages: string[] = [];
  const previous = await ask(open, UNKNOWN, ['secret-of-aa'], { messages });
  expect(previous).toMatchObject({ kind: 'deliverable', recovery: { path: first } });
  expect(messages).toEqual([DELIVERED_NOW, expect.stringMatching(`^warning: can't remove ${second}: .`)]);
});

test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
  'what cannot be removed, and would be forgotten, stops the run',
  async () => {
    const { open, keep } = await leave([], { phase: 'minted', posts: 1 });
    const recovery = await keep('dd');
    const folder = dirname(recovery);
    chmodSync(folder, 0o500);
    onTestFinished(() => chmodSync(folder, 0o700));
    await expect(ask({ ...open, recovery }, found('zz'))).rejects.toMatchObject({
      exit: 'usage',
      message: `can't remove ${recovery}, which an unfinished rotation left`,
      hint: expect.stringContaining('Nothing was sent.'),
    });
  },
);
