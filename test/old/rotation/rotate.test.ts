import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OrgctlError } from '../../../src/old/errors.ts';
import type { CurrentToken } from '../../../src/old/rotation/current-token.ts';
import {
  createJournal,
  type JournalState,
  type OpenRotation,
  type TokenFacts,
  toLockPlace,
} from '../../../src/old/rotation/journal.ts';
import { createRecoveryFile } from '../../../src/old/rotation/recovery.ts';
import { previewRotation, rotate, type Seen } from '../../../src/old/rotation/rotate.ts';
import type { Sink } from '../../../src/old/rotation/sinks/sink.ts';
import type {
  CreateAnswer,
  RotationInput,
  RotationResult,
  RotationWorld,
  TokenService,
} from '../../../src/old/rotation/types.ts';
import { toFingerprint } from '../../../src/old/secrets/fingerprint.ts';
import { createFolder } from '../../support/files.ts';
import { takeLock } from '../../support/lock.ts';

const NOW = Date.parse('2026-11-21T09:00:00Z');
const OLD: TokenFacts = { id: 'at-old', createdAt: '2026-10-01T00:00:00Z', expiredAt: '2026-12-01T00:00:00Z' };
const NEW: TokenFacts = { id: 'at-new', createdAt: '2026-11-21T09:00:00Z', expiredAt: '2027-01-01T00:00:00Z' };
const MADE: CreateAnswer = { kind: 'created', secret: 'the-secret', facts: NEW };
const REASON = new OrgctlError('unavailable', 'the connection broke off');
const UNCLEAR: CreateAnswer = { kind: 'unclear', reason: REASON };
const REFUSED = new OrgctlError('forbidden', 'the service said no');
const DELIVERED = {
  ...NEW,
  fingerprint: toFingerprint('the-secret'),
  deliveredAt: '2026-11-21T09:00:00.000Z',
  verified: true,
};

interface Stage {
  readonly world: Partial<RotationWorld>;
  readonly input: Partial<RotationInput>;
  readonly token: Partial<TokenService>;
  readonly seen: Seen;
}

/**
 * A folder to rotate in, run after run, with real files and a service that is a table. `events` is what happened, and
 * `states` what was on disk when the request left and when the secret came to the first place.
 */
function createStage() {
  const directory = createFolder();
  const journal = createJournal(directory, { unique: 'ab', user: process.getuid?.() });
  const events: string[] = [];
  const results: RotationResult[] = [];
  const states: { readonly journal: JournalState; readonly kept: string }[] = [];
  const service = { current: { kind: 'found', facts: OLD } as CurrentToken, answers: [] as (CreateAnswer | Error)[] };
  let runs = 0;

  const listKept = (): readonly string[] =>
    readdirSync(directory).filter((name) => name.startsWith('undelivered-token-'));
  const look = (): void => {
    const [text = ''] = listKept().map((name) => readFileSync(join(directory, name), 'utf8').replaceAll('\0', ''));
    states.push({ journal: journal.read(), kept: text.split('\n')[0] ?? '' });
  };
  const token: TokenService = {
    async read() {
      return service.current;
    },
    findOurIds: async () => ['user-us'],
    async create(expiredAt) {
      events.push(`create ${expiredAt}`);
      look();
      const answer = service.answers.shift() ?? MADE;
      if (answer instanceof Error) throw answer;
      if (answer.kind === 'created') service.current = { kind: 'found', facts: answer.facts };
      return answer;
    },
    isShown: () => undefined,
    checkExpiry: async () => 'decided',
    tryOut: async () => 'accepted',
    async refuseOtherMeaning() {
      events.push('meaning');
    },
  };
  const toSink = (
    name: string,
    more: { readonly fails?: 'prepare' | 'deliver'; readonly holds?: string } = {},
  ): Sink => {
    const sink: Sink = {
      name,
      kind: name.split(':')[0] as Sink['kind'],
      label: name.startsWith('exec:') ? 'exec' : name,
      ready: `${name} can be written`,
      isReadable: /^(?:env-)?file:/.test(name),
      isLast: name === 'stdout',
      async check() {
        events.push(`check ${name}`);
      },
      temporaries: async (unique) => [join(directory, `.${name.replace(':', '-')}.orgctl-${unique}`)],
      async prepare() {
        if (more.fails === 'prepare') throw new OrgctlError('usage', `${name} cannot be made`);
        events.push(`prepare ${name}`);
        return {
          sink,
          async deliver(secret) {
            if (more.fails === 'deliver') throw new OrgctlError('not-delivered', `${name} took nothing`);
            look();
            events.push(`deliver ${secret} to ${name}`);
          },
          async discard() {
            events.push(`discard ${name}`);
          },
        };
      },
      read: async () => more.holds,
    };
    return sink;
  };
  const build = (sinks: readonly Sink[], { input = {}, world = {}, token: more = {} }: Partial<Stage>) => {
    runs += 1;
    const made: RotationInput = {
      organization: 'acme',
      noun: 'audit trail token',
      origin: 'https://tfe.example',
      sinks,
      expires: '2027-01-01T00:00:00Z',
      ifExpiresWithin: undefined,
      ifOlderThan: undefined,
      settle: 5_000,
      lockWait: 0,
      requireVerified: false,
      printsResult: false,
      ...input,
    };
    const around: RotationWorld = {
      now: () => NOW,
      async sleep(milliseconds) {
        events.push(`sleep ${milliseconds}`);
      },
      pid: 7,
      token: { ...token, ...more },
      journal,
      directory,
      unique: `a${runs}`,
      signal: new AbortController().signal,
      async defer(act) {
        events.push('signals wait');
        return await act();
      },
      step: () => undefined,
      isStopping: () => false,
      note: (text) => void events.push(`note: ${text}`),
      warn: (text) => void events.push(`warning: ${text}`),
      verifyCommand: undefined,
      async show(result) {
        events.push('show');
        results.push(result);
      },
      onResult: (result) => void events.push(`result ${result.id}`),
      ...world,
    };
    return [made, around] as const;
  };
  return {
    directory,
    journal,
    events,
    results,
    states,
    service,
    token,
    toSink,
    listKept,
    /** What it throws: also where that is undefined, an error. */
    run: (sinks: readonly Sink[], more: Partial<Stage> = {}) =>
      rotate(...build(sinks, more), more.seen).then(
        () => undefined,
        (error: unknown) => error ?? new Error('nothing was thrown, and that as an error'),
      ),
    /** An earlier run, of the name `aa`, that died before its request. */
    async leaveOpen(more: Partial<OpenRotation> = {}, last: Partial<JournalState> = {}) {
      const recovery = join(directory, 'undelivered-token-aa');
      const started = { run: 'aa', startedAt: '2026-11-21T08:00:00Z', phase: 'preflight', posts: 0 } as const;
      const open: OpenRotation = { ...started, recovery, temporaries: [], ...more };
      await journal.write({ open, ...last });
      return open;
    },
    /** The events of a kind, of all since the last time. */
    takeKind: (kind: string) => events.splice(0).filter((event) => new RegExp(`^(?:${kind})`).test(event)),
    preview: (sinks: readonly Sink[], more: Partial<Stage> = {}) => previewRotation(...build(sinks, more)),
    /** The events since the last time. */
    takeEvents: () => events.splice(0),
  };
}

test('a rotation: all is made ready, then one request, then delivery, and the journal knows each step', async () => {
  const stage = createStage();
  expect(await stage.run([stage.toSink('file:x'), stage.toSink('exec:store --key k')])).toBeUndefined();
  expect(stage.takeEvents()).toEqual([
    'meaning',
    'prepare file:x',
    'prepare exec:store --key k',
    'meaning',
    'signals wait',
    'create 2027-01-01T00:00:00Z',
    'deliver the-secret to file:x',
    'deliver the-secret to exec:store --key k',
    'result at-new',
    'discard file:x',
    'discard exec:store --key k',
    'show',
  ]);
  const [minting, minted] = stage.states;
  const open = {
    run: 'a1',
    startedAt: '2026-11-21T09:00:00.000Z',
    posts: 1,
    recovery: join(stage.directory, 'undelivered-token-a1'),
    temporaries: ['.file-x.orgctl-a1', '.exec-store --key k.orgctl-a1'].map((name) => join(stage.directory, name)),
    before: OLD,
  };
  expect(minting).toEqual({
    journal: { open: { ...open, phase: 'minting', mintingSince: '2026-11-21T09:00:00.000Z' } },
    kept: '',
  });
  expect(minted).toEqual({
    journal: { open: { ...open, phase: 'minted', minted: { ...NEW, fingerprint: DELIVERED.fingerprint } } },
    kept: 'the-secret',
  });
  // A command line may hold credentials.
  expect(stage.journal.read()).toEqual({ last: { ...DELIVERED, sinks: ['file:x', 'exec'] } });
  expect(stage.listKept()).toEqual([]);
  expect(stage.results).toEqual([
    {
      organization: 'acme',
      id: 'at-new',
      'created-at': NEW.createdAt,
      'expired-at': NEW.expiredAt,
      fingerprint: DELIVERED.fingerprint,
      changed: true,
      sinks: ['file:x', 'exec:store --key k'].map((sink) => ({ sink, delivered: true })),
      verified: true,
      checks: [expect.objectContaining({ check: 'metadata' }), expect.objectContaining({ check: 'audit-trail' })],
    },
  ]);
});

test('stdout is served when all else is known, where it prints the result, and in its turn where not', async () => {
  const stage = createStage();
  const sinks = [stage.toSink('stdout'), stage.toSink('file:x')];
  const orderOf = () => stage.takeEvents().filter((event) => /^(deliver|result)/.test(event));
  await stage.run(sinks, { input: { printsResult: true } });
  expect(orderOf()).toEqual(['deliver the-secret to file:x', 'result at-new', 'deliver the-secret to stdout']);
  await stage.run(sinks);
  expect(orderOf()).toEqual(['deliver the-secret to stdout', 'deliver the-secret to file:x', 'result at-new']);
});

describe('nothing is sent, and nothing is left,', () => {
  const untouched = (stage: ReturnType<typeof createStage>): void => {
    expect(stage.journal.read()).toEqual({});
    expect(stage.listKept()).toEqual([]);
    expect(stage.results).toEqual([]);
  };

  test('where a place cannot be made ready', async () => {
    const stage = createStage();
    const sinks = [stage.toSink('file:x'), stage.toSink('file:y', { fails: 'prepare' }), stage.toSink('file:z')];
    expect(await stage.run(sinks)).toMatchObject({ exit: 'usage', message: 'file:y cannot be made' });
    expect(stage.takeEvents()).toEqual(['meaning', 'prepare file:x', 'discard file:x']);
    untouched(stage);
  });

  test.each<[string, CurrentToken, CurrentToken]>([
    ['another token', { kind: 'found', facts: OLD }, { kind: 'found', facts: NEW }],
    ['none any more', { kind: 'found', facts: OLD }, { kind: 'absent' }],
    ['one where none was', { kind: 'absent' }, { kind: 'found', facts: NEW }],
    ['one that is no longer shown', { kind: 'found', facts: OLD }, { kind: 'unknown' }],
  ])('where there is %s, moments after the first look', async (_name, first, second) => {
    const stage = createStage();
    const looks = [first, second];
    const read = async (): Promise<CurrentToken> => looks.shift() ?? second;
    expect(await stage.run([stage.toSink('file:x')], { token: { read } })).toMatchObject({
      exit: 'busy',
      code: 'changed-meanwhile',
      message: "acme's audit trail token was just replaced elsewhere",
      hint: 'Nothing was changed. Find out what else rotates it, then run this again.',
    });
    expect(stage.takeEvents()).toEqual(['meaning', 'prepare file:x', 'meaning', 'discard file:x']);
    untouched(stage);
  });

  test('where a signal came', async () => {
    const stage = createStage();
    const reason = new Error('stop');
    expect(await stage.run([stage.toSink('file:x')], { world: { signal: AbortSignal.abort(reason) } })).toBe(reason);
    untouched(stage);
    const stop = new AbortController();
    const refuseOtherMeaning = async (): Promise<void> => {
      if (stage.events.includes('prepare file:x')) stop.abort(reason);
    };
    const more = { world: { signal: stop.signal }, token: { refuseOtherMeaning } };
    expect(await stage.run([stage.toSink('file:x')], more)).toBe(reason);
    expect(stage.takeEvents()).toEqual(['prepare file:x', 'discard file:x']);
    untouched(stage);
  });

  test('where the service refuses', async () => {
    const stage = createStage();
    stage.service.answers = [REFUSED];
    expect(await stage.run([stage.toSink('file:x')])).toBe(REFUSED);
    expect(stage.takeEvents().at(-1)).toBe('discard file:x');
    untouched(stage);
  });
});

describe('what cannot be removed after a refusal stays known:', () => {
  test('a temporary file of a place', async () => {
    const stage = createStage();
    const temporary = join(stage.directory, '.file-x.orgctl-a1');
    writeFileSync(temporary, '');
    stage.service.answers = [REFUSED];
    expect(await stage.run([stage.toSink('file:x')])).toBe(REFUSED);
    expect(stage.journal.read().open).toMatchObject({ run: 'a1', phase: 'preflight', temporaries: [temporary] });
    expect(stage.listKept()).toEqual([]);
  });

  test('the file for the secret', async () => {
    const stage = createStage();
    const path = join(stage.directory, 'undelivered-token-a1');
    const refuseOtherMeaning = async (): Promise<void> => {
      if (!existsSync(path)) return;
      // A folder cannot be removed as a file is, also by root.
      rmSync(path);
      mkdirSync(path);
      throw REFUSED;
    };
    expect(await stage.run([stage.toSink('file:x')], { token: { refuseOtherMeaning } })).toBe(REFUSED);
    expect(stage.takeEvents()).toContainEqual(expect.stringMatching(`^warning: can't remove ${path}: .`));
    expect(stage.journal.read().open).toMatchObject({ run: 'a1', phase: 'preflight', recovery: path });
  });
});

test('the same token, or one that is never shown, is no change by others', async () => {
  const stage = createStage();
  for (const current of [{ kind: 'absent' } as const, { kind: 'unknown' } as const]) {
    stage.service.current = current;
    expect(await stage.run([])).toBeUndefined();
    expect(stage.states.shift()?.journal.open?.before).toBe(current.kind === 'absent' ? null : undefined);
  }
});

test('one rotation at a time: the other says that the lock is taken, and a failure releases it', async () => {
  const stage = createStage();
  const options = { wait: 0, now: () => NOW, sleep: async () => undefined, unique: 'ff', describe: 'test' };
  const lock = await takeLock(toLockPlace(stage.directory), { ...options, signal: new AbortController().signal });
  expect(await stage.run([])).toMatchObject({ exit: 'busy', message: expect.stringContaining('rotation of acme') });
  expect(stage.takeEvents()).toEqual([]);
  await lock.release();
  expect(await stage.run([stage.toSink('file:x', { fails: 'prepare' })])).toMatchObject({ exit: 'usage' });
  expect(await stage.run([])).toBeUndefined();
});

describe('a request without a clear answer', () => {
  test('leaves the journal open, and the next run makes a token that arrives', async () => {
    const stage = createStage();
    stage.service.answers = [UNCLEAR];
    const theirs: CurrentToken = { kind: 'found', facts: { id: 'at-lost' } };
    const read = async (): Promise<CurrentToken> =>
      stage.events.some((event) => event.startsWith('create')) ? theirs : stage.service.current;
    expect(await stage.run([stage.toSink('file:x')], { token: { read } })).toMatchObject({ exit: 'outcome-unknown' });
    expect(stage.takeEvents().at(-1)).toBe('discard file:x');
    expect(stage.journal.read()).toMatchObject({ open: { run: 'a1', phase: 'unknown', posts: 1 } });
    expect(stage.listKept()).toEqual([]);

    stage.service.current = theirs;
    // Needed although it would live for long: its secret is lost.
    expect(await stage.run([stage.toSink('file:x')], { input: { ifExpiresWithin: 1 } })).toBeUndefined();
    expect(stage.takeEvents()).toContain(
      'note: Due: an unfinished rotation may have created a token whose secret is lost.',
    );
    expect(stage.states.at(-2)?.journal.open).toMatchObject({ run: 'a2', lost: true, phase: 'minting' });
    expect(stage.states.at(-1)?.journal.open?.lost).toBeUndefined();
    expect(stage.journal.read()).toEqual({ last: { ...DELIVERED, sinks: ['file:x'] } });
  });

  test('is sent once more where its token can be used by nobody; it may still take effect, which is waited for in spite of a signal', async () => {
    const stage = createStage();
    for (const isStopping of [false, true]) {
      stage.service.current = { kind: 'found', facts: OLD };
      stage.service.answers = [UNCLEAR, MADE];
      expect(await stage.run([stage.toSink('file:x')], { world: { isStopping: () => isStopping } })).toBeUndefined();
      const events = stage.takeEvents();
      // Between the second request and the delivery: the first could still end the token.
      const start = events.findLastIndex((event) => event.startsWith('create'));
      const end = events.indexOf('deliver the-secret to file:x');
      expect(events.slice(start + 1, end)).toEqual(['sleep 5000']);
      expect(events.some((event) => event.startsWith('warning'))).toBe(false);
      expect(stage.states.at(-1)?.journal.open?.posts).toBe(2);
    }
  });
});

describe('a place that takes nothing', () => {
  test('keeps the secret, and the next run delivers it without another request', async () => {
    const stage = createStage();
    const sinks = (fails?: 'deliver') => [
      stage.toSink('file:x', fails === undefined ? {} : { fails }),
      stage.toSink('exec:store', fails === undefined ? {} : { fails }),
      stage.toSink('file:z'),
    ];
    const error = await stage.run(sinks('deliver'));
    const kept = join(stage.directory, 'undelivered-token-a1');
    expect(error).toMatchObject({
      exit: 'not-delivered',
      message: 'the new token was not delivered to 2 of 3 places',
      reasons: [
        'Not delivered to file:x: file:x took nothing.',
        'Not delivered to exec:store: exec:store took nothing.',
        `The new token is the current one, and kept in ${kept}, only for this rotation`,
      ],
      hint: 'Fix the problem and run the same command again: it delivers this token, and creates no other.',
      cause: expect.objectContaining({ message: 'file:x took nothing' }),
    });
    const delivered = ['file:x', 'exec:store', 'file:z'].map((sink) => ({ sink, delivered: sink === 'file:z' }));
    expect(stage.results.at(-1)?.sinks).toEqual(delivered);
    expect(stage.journal.read().open).toMatchObject({ phase: 'minted', undelivered: ['file:x', 'exec'] });
    expect(existsSync(kept)).toBe(true);
    stage.takeEvents();

    const prepared = [stage.toSink('file:x'), stage.toSink('file:y', { fails: 'prepare' })];
    expect(await stage.run(prepared)).toMatchObject({ message: 'file:y cannot be made' });
    expect(stage.takeEvents().slice(-2)).toEqual(['prepare file:x', 'discard file:x']);
    expect(existsSync(kept)).toBe(true);

    expect(await stage.run([stage.toSink('file:x', { fails: 'deliver' })])).toMatchObject({
      message: 'the new token was not delivered to file:x: file:x took nothing',
      reasons: [`The new token is the current one, and kept in ${kept}, only for this rotation`],
    });
    stage.takeEvents();
    expect(await stage.run(sinks())).toBeUndefined();
    const events = stage.takeEvents();
    expect(events.filter((event) => event.startsWith('create'))).toEqual([]);
    expect(events).toContain('deliver the-secret to file:x');
    expect(events).toContain('signals wait');
    expect(stage.journal.read()).toMatchObject({ last: { ...DELIVERED, sinks: ['file:x', 'exec', 'file:z'] } });
    expect(stage.journal.read().open).toBeUndefined();
    expect(stage.results.at(-1)).toMatchObject({ id: 'at-new', changed: true });
    expect(existsSync(kept)).toBe(false);
  });

  /** The service creates the token, and something happens to the folder with the recovery file. */
  const losing = (stage: ReturnType<typeof createStage>, lose: () => void): Partial<Stage> => ({
    token: {
      async create() {
        lose();
        stage.service.current = { kind: 'found', facts: NEW };
        return MADE;
      },
    },
  });

  test('and a folder that is gone: the secret is written again, and the file that is named holds it', async () => {
    const stage = createStage();
    const kept = join(stage.directory, 'undelivered-token-a1');
    const lose = (): void => rmSync(stage.directory, { recursive: true });
    expect(await stage.run([stage.toSink('file:x', { fails: 'deliver' })], losing(stage, lose))).toMatchObject({
      message: 'the new token was not delivered to file:x: file:x took nothing',
      reasons: [`The new token is the current one, and kept in ${kept}, only for this rotation`],
      hint: 'Fix the problem and run the same command again: it delivers this token, and creates no other.',
    });
    expect(readFileSync(kept, 'utf8').split('\n')[0]).toBe('the-secret');
    expect(stage.takeEvents()).toContainEqual(
      expect.stringMatching(/^warning: can't keep the new token in .*undelivered-token-a1: /),
    );
    expect(await stage.run([stage.toSink('file:x')])).toBeUndefined();
    expect(stage.takeKind('create|deliver')).toEqual(['deliver the-secret to file:x']);
  });

  test('and nowhere to keep it: the error says that the secret is lost, and names no file that is not there', async () => {
    const stage = createStage();
    const lose = (): void => {
      rmSync(stage.directory, { recursive: true });
      writeFileSync(stage.directory, '');
    };
    expect(await stage.run([stage.toSink('file:x', { fails: 'deliver' })], losing(stage, lose))).toMatchObject({
      reasons: [
        expect.stringMatching(
          /^The new token is lost: can't write .*undelivered-token-a1: a part of its path is a file, not a folder$/,
        ),
      ],
      hint: 'Fix the problem and run the same command again: it creates another token.',
    });
  });

  test('says why', async () => {
    const stage = createStage();
    const sink = stage.toSink('file:x');
    const reasons = ['ENOSPC: no space left on device, write'];
    const cause = new OrgctlError('not-delivered', 'not delivered to file:x', { reasons });
    const deliver = (): Promise<never> => Promise.reject(cause);
    const prepare: Sink['prepare'] = async (unique) => ({ ...(await sink.prepare(unique)), deliver });
    expect(await stage.run([{ ...sink, prepare }])).toMatchObject({
      message: 'the new token was not delivered to file:x: ENOSPC: no space left on device, write',
      reasons: [expect.stringContaining('The new token is the current one, and kept in ')],
    });
  });

  test('leaves all as it was where a signal came', async () => {
    const stage = createStage();
    await stage.run([stage.toSink('file:x', { fails: 'deliver' })]);
    const reason = new Error('stop');
    const stop = new AbortController();
    const sink = stage.toSink('file:x');
    const prepare: Sink['prepare'] = (unique) => sink.prepare(unique).finally(() => stop.abort(reason));
    expect(await stage.run([{ ...sink, prepare }], { world: { signal: stop.signal } })).toBe(reason);
    expect(stage.takeEvents().slice(-2)).toEqual(['prepare file:x', 'discard file:x']);
    expect(stage.listKept()).toEqual(['undelivered-token-a1']);
  });
});

describe('what an earlier run left', () => {
  const leave = async (stage: ReturnType<typeof createStage>, isDoubtful: boolean) => {
    const recovery = await createRecoveryFile(stage.directory, 'aa');
    if (isDoubtful)
      await recovery.keep('another', { id: 'at-1', organization: 'acme', origin: 'https://other.example' });
    return await stage.leaveOpen();
  };
  const failing = (stage: ReturnType<typeof createStage>) => stage.run([stage.toSink('file:x', { fails: 'prepare' })]);

  test('and does not matter is not known any more, even where this run ends early', async () => {
    const stage = createStage();
    await leave(stage, false);
    expect(await failing(stage)).toMatchObject({ exit: 'usage' });
    expect(stage.journal.read()).toEqual({});
  });

  test('and may matter stays known until there is a newer secret', async () => {
    const stage = createStage();
    const open = await leave(stage, true);
    expect(await failing(stage)).toMatchObject({ exit: 'usage' });
    expect(stage.journal.read()).toEqual({ open });
    // Not due either.
    const holder = stage.toSink('file:x', { holds: 'secret' });
    expect(await stage.run([holder], { input: { ifExpiresWithin: 1 } })).toBeUndefined();
    expect(stage.journal.read()).toEqual({ open });
    expect(stage.listKept()).toEqual(['undelivered-token-aa']);

    expect(await stage.run([stage.toSink('file:x')])).toBeUndefined();
    expect(stage.states[0]?.journal.open).toMatchObject({ run: 'a3', doubtful: [open.recovery] });
    expect(stage.journal.read().open).toBeUndefined();
    expect(stage.listKept()).toEqual([]);
  });

  test('by the very name of this one is not overwritten, nor removed', async () => {
    const stage = createStage();
    const path = join(stage.directory, 'undelivered-token-a1');
    writeFileSync(path, 'the only copy', { mode: 0o600 });
    expect(await stage.run([])).toMatchObject({
      exit: 'usage',
      message: expect.stringContaining('keeps the new token until it is delivered'),
    });
    expect(readFileSync(path, 'utf8')).toBe('the only copy');
    expect(stage.takeKind('create')).toEqual([]);
    expect(stage.journal.read()).toEqual({});
  });
});

describe('a journal that cannot be written', () => {
  const failAt = (stage: ReturnType<typeof createStage>, posts: number): Partial<RotationWorld> => ({
    journal: {
      ...stage.journal,
      async write(state) {
        if (state.open?.phase === 'minting' && state.open.posts === posts) throw new OrgctlError('usage', 'disk full');
        await stage.journal.write(state);
      },
    },
  });

  test('keeps the first request from leaving', async () => {
    const stage = createStage();
    const error = await stage.run([stage.toSink('file:x')], { world: failAt(stage, 1) });
    expect(error).toMatchObject({ message: 'disk full' });
    expect(stage.takeKind('create')).toEqual([]);
    expect(stage.journal.read()).toEqual({});
    expect(stage.listKept()).toEqual([]);
  });

  test('is a warning before the second one, which leaves', async () => {
    const stage = createStage();
    stage.service.answers = [UNCLEAR, MADE];
    expect(await stage.run([stage.toSink('file:x')], { world: failAt(stage, 2) })).toBeUndefined();
    expect(stage.takeEvents()).toContain('warning: disk full');
    expect(stage.journal.read()).toEqual({ last: { ...DELIVERED, sinks: ['file:x'] } });
  });
});

describe('a token that was replaced again before it was delivered', () => {
  const theirs: CurrentToken = { kind: 'found', facts: { id: 'at-theirs' } };

  test.each([
    [1, [MADE]],
    [2, [UNCLEAR, MADE]],
  ])('reaches no place after %i requests: exit 12, and the secret is kept', async (posts, answers) => {
    const stage = createStage();
    stage.service.answers = [...answers];
    const sinks = [stage.toSink('file:x'), stage.toSink('stdout')];
    const read = async (): Promise<CurrentToken> =>
      stage.service.answers.length === 0 ? theirs : stage.service.current;
    expect(await stage.run(sinks, { token: { read } })).toMatchObject({
      exit: 'not-delivered',
      code: 'replaced',
      message: "acme's new token was replaced before it was delivered, so nothing was delivered",
      reasons: ['The current token is at-theirs.', expect.stringContaining('The new token is kept in')],
      hint: 'Find out what else rotates this token. Then run the same command again: it creates a token.',
    });
    expect(stage.takeKind('deliver')).toEqual([]);
    const checks = [{ check: 'metadata', passed: false, detail: 'the current token is at-theirs' }];
    const places = ['file:x', 'stdout'].map((sink) => ({ sink, delivered: false }));
    expect(stage.results).toMatchObject([{ id: 'at-new', changed: true, sinks: places, verified: false, checks }]);
    expect(stage.journal.read().open).toMatchObject({ phase: 'minted', posts, undelivered: [] });
    expect(stage.listKept()).toHaveLength(1);

    stage.service.current = theirs;
    stage.service.answers = [MADE];
    expect(await stage.run([stage.toSink('file:x')])).toBeUndefined();
    expect(stage.takeEvents()).toContain('deliver the-secret to file:x');
    expect(stage.listKept()).toEqual([]);
  });

  test('is delivered where the service does not show which token is current', async () => {
    for (const kind of ['absent', 'unknown'] as const) {
      const stage = createStage();
      const read = async (): Promise<CurrentToken> =>
        stage.events.some((event) => event.startsWith('create')) ? { kind } : stage.service.current;
      expect(await stage.run([stage.toSink('file:x')], { token: { read } })).toBeUndefined();
      expect(stage.results.at(-1)).toMatchObject({ sinks: [{ delivered: true }], verified: true });
    }
  });
});

test('what the answer leaves out is taken from the metadata, and what they leave out too is a warning', async () => {
  const stage = createStage();
  const { expiredAt: _left, ...bare } = NEW;
  const create = async (): Promise<CreateAnswer> => {
    stage.service.current = { kind: 'found', facts: NEW };
    return { ...MADE, facts: bare } as CreateAnswer;
  };
  await stage.run([stage.toSink('file:x')], { token: { create } });
  expect(stage.results.at(-1)).toMatchObject({ 'expired-at': NEW.expiredAt });
  expect(stage.takeKind('warning')).toEqual([]);

  const hidden = { create, read: async () => ({ kind: 'unknown' }) as const };
  await stage.run([stage.toSink('file:x')], { token: hidden });
  expect(stage.results.at(-1)).not.toHaveProperty('expired-at');
  expect(stage.takeEvents()).toContain("warning: the service doesn't say when the new token expires");
  expect(stage.journal.read().last).not.toHaveProperty('expiredAt');
});

describe('a delivered token', () => {
  const cannotTell = { tryOut: async () => 'unknown' as const };
  const hidden = { read: async () => ({ kind: 'unknown' }) as const };

  test('that is not the current one keeps its secret', async () => {
    const stage = createStage();
    const tryOut = async () => 'refused' as const;
    expect(await stage.run([stage.toSink('file:x')], { token: { tryOut } })).toMatchObject({
      exit: 'not-delivered',
      code: 'not-verified',
      message: 'the new token was delivered, but the service rejects it',
      reasons: [
        'The service rejects the new token.',
        expect.stringContaining('The new token is the current one, and kept in '),
      ],
      hint: 'Run the same command again: it finds out which token is current.',
    });
    expect(stage.journal.read()).toMatchObject({ open: { phase: 'minted', undelivered: [] } });
    expect(stage.results).toHaveLength(1);
    expect(stage.listKept()).toHaveLength(1);
  });

  test('that nothing could verify is well, or a failure where that was required', async () => {
    const stage = createStage();
    const unknown = { ...cannotTell, ...hidden };
    expect(await stage.run([stage.toSink('file:x')], { token: unknown })).toBeUndefined();
    expect(stage.results.at(-1)).toMatchObject({ verified: null });
    expect(stage.journal.read().last?.verified).toBeNull();
    const error = await stage.run([stage.toSink('file:x')], { token: unknown, input: { requireVerified: true } });
    expect(error).toMatchObject({
      code: 'not-verified',
      message: 'the new token was delivered, but not verified',
      reasons: [
        "The service doesn't show which token is current.",
        "The audit trail has no events yet, or can't be read.",
        expect.stringContaining('The new token is kept in'),
      ],
    });
  });

  test('that was verified is one, where it was required', async () => {
    const stage = createStage();
    expect(await stage.run([stage.toSink('file:x')], { input: { requireVerified: true } })).toBeUndefined();
    expect(stage.takeKind('warning')).toEqual([]);
  });

  test('whose recovery file cannot be removed is delivered all the same, with a warning about the file', async () => {
    const stage = createStage();
    const path = join(stage.directory, 'undelivered-token-a1');
    const onResult = (): void => {
      // A folder cannot be removed as a file is, also by root.
      rmSync(path);
      mkdirSync(path);
    };
    expect(await stage.run([stage.toSink('file:x')], { world: { onResult } })).toBeUndefined();
    expect(stage.takeEvents()).toContainEqual(expect.stringMatching(`^warning: can't remove ${path}: .`));
    expect(stage.journal.read()).toEqual({ last: { ...DELIVERED, sinks: ['file:x'] } });
  });

  test('is not verified where the run is to end', async () => {
    const stage = createStage();
    expect(await stage.run([stage.toSink('file:x')], { world: { isStopping: () => true } })).toBeUndefined();
    expect(stage.results.at(-1)).toMatchObject({ verified: null, checks: [] });
  });
});

describe('a condition', () => {
  const within = (days: number): Partial<Stage> => ({ input: { ifExpiresWithin: days * 86_400_000 } });

  test('that is not met leaves all as it is, and shows the token', async () => {
    const stage = createStage();
    expect(await stage.run([stage.toSink('file:x', { holds: 'secret' })], within(1))).toBeUndefined();
    expect(stage.takeEvents()).toEqual(['meaning', 'show']);
    expect(existsSync(stage.journal.path)).toBe(false);
    expect(stage.results).toEqual([
      {
        organization: 'acme',
        id: 'at-old',
        'created-at': OLD.createdAt,
        'expired-at': OLD.expiredAt,
        fingerprint: toFingerprint('secret'),
        changed: false,
        sinks: [],
        verified: null,
        checks: [],
      },
    ]);
  });

  test('that is met says why; without one nothing is said', async () => {
    const stage = createStage();
    await stage.run([stage.toSink('file:x')], within(30));
    expect(stage.takeEvents()).toContain('note: Due: the current token expires in 10 days (2026-12-01 00:00 UTC).');
    await stage.run([stage.toSink('file:x')], { input: { ifOlderThan: 0 } });
    expect(stage.takeEvents()).toContain('note: Due: the current token was created today (2026-11-21 09:00 UTC).');
    await stage.run([stage.toSink('file:x')]);
    expect(stage.takeKind('note')).toEqual([]);
  });

  test('that cannot be known is a finding', async () => {
    const stage = createStage();
    stage.service.current = { kind: 'unknown' };
    expect(await stage.run([], within(1))).toMatchObject({
      exit: 'attention',
      code: 'unknown',
      message: "unknown whether acme's audit trail token is due for rotation",
      reasons: ["The service doesn't show its token, and none was delivered from here before."],
      hint: 'Run it once without --if-expires-within and --if-older-than: later runs then know which token was delivered.',
    });
  });

  test('closes what an earlier run left that does not matter', async () => {
    const stage = createStage();
    const delivered = {
      fingerprint: toFingerprint('old'),
      deliveredAt: NEW.createdAt ?? '',
      verified: true,
      sinks: [],
    };
    await stage.leaveOpen({}, { last: { ...OLD, ...delivered } });
    await stage.run([stage.toSink('file:x', { holds: 'old' })], within(1));
    expect(stage.journal.read().open).toBeUndefined();
    expect(stage.journal.read().last?.id).toBe('at-old');
  });
});

test('what an earlier run could not remove stays known, although no token is needed', async () => {
  const stage = createStage();
  const temporary = join(stage.directory, '.file-x.orgctl-aa');
  mkdirSync(temporary);
  const open = await stage.leaveOpen({ temporaries: [temporary] });
  const holder = stage.toSink('file:x', { holds: 'secret' });
  expect(await stage.run([holder], { input: { ifExpiresWithin: 1 } })).toBeUndefined();
  expect(stage.journal.read()).toEqual({ open });
});

test('the lifetime of the current token, or of the one delivered last, is that of the new one', async () => {
  const stage = createStage();
  await stage.run([stage.toSink('file:x')], { input: { expires: 'same' } });
  expect(stage.takeEvents()).toContain('create 2027-01-21T09:00:00Z');
  stage.service.current = { kind: 'unknown' };
  const read = async (): Promise<CurrentToken> => ({ kind: 'unknown' });
  await stage.run([stage.toSink('file:x')], { input: { expires: 'same' }, token: { read } });
  expect(stage.takeEvents()).toContain('create 2027-01-01T00:00:00Z');
});

test('what a plan saw is not read again where nothing from here can have changed it, but just before the request', async () => {
  const stage = createStage();
  const reads = async (seen?: Partial<Seen>): Promise<number> => {
    let count = 0;
    const read = async (): Promise<CurrentToken> => {
      count += 1;
      return stage.service.current;
    };
    const known = { state: stage.journal.read(), current: stage.service.current, at: NOW, ...seen };
    expect(await stage.run([], { token: { read }, ...(seen === undefined ? {} : { seen: known }) })).toBeUndefined();
    return count;
  };
  const more = (await reads()) - (await reads({}));
  expect([more, await reads({ at: NOW - 60_000 }), await reads({ at: NOW + 1 }), await reads({ state: {} })]).toEqual([
    ...[1, 4, 4, 4],
  ]);
});

describe('a preview', () => {
  test('gives the expiry, looks at every place and leaves no trace', async () => {
    const stage = createStage();
    const sinks = [stage.toSink('file:x'), stage.toSink('file:y')];
    const checked = ['file:x can be written', 'file:y can be written', 'no other rotation runs'];
    const deletions = { now: [], later: [] };
    const expiredAt = '2027-01-01T00:00:00Z';
    expect(await stage.preview(sinks)).toEqual({
      unchanged: undefined,
      expiredAt,
      deletions,
      checked,
      seen: expect.objectContaining({ state: {} }),
    });
    expect(await stage.preview([], { input: { expires: 'same' } })).toMatchObject({
      expiredAt: '2027-01-21T09:00:00Z',
    });
    expect(stage.takeEvents()).toEqual(['meaning', 'check file:x', 'check file:y', 'meaning']);
    expect(readdirSync(stage.directory)).toEqual([]);
  });

  test('says that no token is needed, and that an earlier rotation did not end', async () => {
    const stage = createStage();
    const holder = stage.toSink('file:x', { holds: 'secret' });
    expect(await stage.preview([holder], { input: { ifExpiresWithin: 1 } })).toMatchObject({
      unchanged: { changed: false, sinks: [], verified: null },
    });
    expect(stage.takeEvents()).toEqual(['meaning', 'check file:x']);
    await stage.run([stage.toSink('file:y', { fails: 'deliver' })]);
    stage.takeEvents();
    expect(await stage.preview([])).toMatchObject({ unfinished: { next: 'deliver' } });
    expect(stage.takeEvents()).toEqual(['meaning']);
  });
});
