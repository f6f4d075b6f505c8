import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { OrgctlError, UsageError } from '../../../src/old/errors.ts';
import { createJournal, type Journal, type JournalState } from '../../../src/old/rotation/journal.ts';
import { toFingerprint } from '../../../src/old/secrets/fingerprint.ts';
import { catchError, createFolder, failure, makePipe, permissions } from '../../support/files.ts';
import { anyText } from '../../support/text.ts';

const IS_WINDOWS = process.platform === 'win32';
const user = process.getuid?.();
const NOW = '2026-05-01T12:00:00Z';

const openIn = (folder: string, unique = 'abc123'): Journal => createJournal(folder, { unique, user });

/** Everything a journal can hold. */
const full = (folder: string) =>
  ({
    open: {
      run: 'abc123',
      startedAt: NOW,
      phase: 'minted',
      mintingSince: '2026-05-01T12:00:01.250Z',
      posts: 2,
      recovery: join(folder, 'undelivered-token-abc123'),
      temporaries: [resolve(folder, 'run', '.audit.orgctl-abc123'), resolve(folder, 'a\nb', '.env.orgctl-0')],
      before: { id: 'at-1', createdAt: '2026-01-01T00:00:00.000Z', expiredAt: null, createdBy: 'user-1' },
      minted: { id: 'at-2', createdAt: NOW, expiredAt: '2026-08-01T00:00:00Z', fingerprint: toFingerprint('new') },
      undelivered: ['file:/run/secrets/audit', 'exec'],
    },
    last: {
      id: 'at-1',
      fingerprint: toFingerprint('old'),
      deliveredAt: '2026-01-01T00:00:05Z',
      verified: null,
      sinks: ['env-file:/srv/app/.env#TOKEN', 'stdout'],
    },
  }) satisfies JournalState;

describe('a journal', () => {
  it('is empty where there is none, and nothing is made by reading', () => {
    const folder = join(createFolder(), 'new');
    expect(openIn(folder).read()).toEqual({});
    expect(catchError(() => readdirSync(folder))).toMatchObject({ code: 'ENOENT' });
  });

  it('gives back what was written, from one file for its owner alone', async () => {
    const folder = join(createFolder(), 'new', 'folder');
    const journal = openIn(folder);
    expect(journal.path).toBe(join(folder, 'rotation.json'));
    for (const state of [full(folder), {}, { last: full(folder).last }, { open: full(folder).open }]) {
      await journal.write(state);
      expect(journal.read()).toEqual(state);
      expect(openIn(folder, 'def').read()).toEqual(state);
      expect(readdirSync(folder)).toEqual(['rotation.json']);
      if (!IS_WINDOWS) expect(permissions(journal.path)).toBe(0o600);
    }
    if (!IS_WINDOWS) expect(permissions(folder)).toBe(0o700);
  });

  it('finds the recovery file where its folder is now', async () => {
    const [before, after] = [join(createFolder(), 'before'), join(createFolder(), 'after')];
    await openIn(before).write(full(before));
    renameSync(before, after);
    expect(openIn(after).read().open?.recovery).toBe(join(after, 'undelivered-token-abc123'));
    expect(readFileSync(join(after, 'rotation.json'), 'utf8')).not.toContain(join(before, 'undelivered'));
  });

  it('may be kept by a relative path', async () => {
    const folder = createFolder();
    await openIn(relative(process.cwd(), folder)).write(full(folder));
    expect(openIn(folder).read()).toEqual(full(folder));
  });

  it('makes its file readable for its owner alone, whatever it was before', async () => {
    const folder = createFolder();
    const journal = openIn(folder);
    await journal.write({});
    if (IS_WINDOWS) return;
    chmodSync(journal.path, 0o644);
    expect(journal.read()).toEqual({});
    await journal.write(full(folder));
    expect(permissions(journal.path)).toBe(0o600);
  });

  it('removes what killed runs left of writing it, and nothing else', async () => {
    const folder = createFolder();
    for (const name of ['.rotation.json.orgctl-0f', '.audit.orgctl-0f', 'undelivered-token-0f'])
      writeFileSync(join(folder, name), 'old');
    await openIn(folder).write({});
    expect(readdirSync(folder).sort()).toEqual(['.audit.orgctl-0f', 'rotation.json', 'undelivered-token-0f']);
  });

  it('keeps what a newer orgctl added, on every level', async () => {
    const folder = createFolder();
    const journal = openIn(folder);
    await journal.write(full(folder));
    const written = JSON.parse(readFileSync(journal.path, 'utf8'));
    written.added = { deep: [1] };
    written.open.added = 'text';
    written.open.minted.added = null;
    written.last.added = true;
    writeFileSync(journal.path, JSON.stringify(written));
    await journal.write(journal.read());
    expect(JSON.parse(readFileSync(journal.path, 'utf8'))).toEqual(written);
  });
});

const jsonText = fc.oneof(anyText(), fc.string({ unit: 'binary' }), fc.constantFrom('', '\ud800', '__proto__'));
const name = anyText({ minLength: 1 });
const instant = fc
  .date({ min: new Date(0), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
  .map((date) => date.toISOString());
const fingerprint = jsonText.map(toFingerprint);
const sink = name.filter((text) => !text.startsWith('exec:'));
const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 1 });
const facts = { id: name, createdAt: jsonText, expiredAt: fc.option(jsonText), createdBy: jsonText };
// What orgctl does not know is any JSON; a minus zero becomes a zero in JSON.
const extras = fc.dictionary(
  fc.string().map((text) => `x${text}`),
  fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value))),
  { maxKeys: 2, noNullPrototype: true },
);

function anyState(folder: string): fc.Arbitrary<JournalState> {
  const recovery = hex.map((unique) => join(folder, `undelivered-token-${unique}`));
  const temporary = fc
    .tuple(jsonText, hex)
    .map(([text, unique]) => resolve(folder, `${text.replaceAll(/[\0/\\]/g, '')}.orgctl-${unique}`));
  const open = fc.record(
    {
      run: name,
      startedAt: instant,
      phase: fc.constantFrom('preflight', 'minting', 'unknown', 'minted'),
      mintingSince: instant,
      posts: fc.nat(),
      recovery,
      lost: fc.constant<true>(true),
      doubtful: fc.array(recovery, { maxLength: 3 }),
      temporaries: fc.array(temporary, { maxLength: 3 }),
      before: fc.option(fc.record(facts, { requiredKeys: ['id'] })),
      minted: fc.record({ ...facts, fingerprint }, { requiredKeys: ['id', 'fingerprint'] }),
      undelivered: fc.array(sink),
    },
    { requiredKeys: ['run', 'startedAt', 'phase', 'posts', 'recovery', 'temporaries'] },
  );
  const last = fc.record(
    { ...facts, fingerprint, deliveredAt: instant, verified: fc.option(fc.boolean()), sinks: fc.array(sink) },
    { requiredKeys: ['id', 'fingerprint', 'deliveredAt', 'verified', 'sinks'] },
  );
  const withExtras = <Value extends object>(value: fc.Arbitrary<Value>) =>
    fc.tuple(extras, value).map(([more, known]) => ({ ...more, ...known }));
  return withExtras(
    fc.record({ open: withExtras(open), last: withExtras(last) }, { requiredKeys: [] }),
  ) as fc.Arbitrary<JournalState>;
}

test('any state survives being written and read', async () => {
  const folder = createFolder();
  const journal = openIn(folder);
  await fc.assert(
    fc.asyncProperty(anyState(folder), async (state) => {
      await journal.write(state);
      expect(journal.read()).toEqual(state);
    }),
    { numRuns: 200 },
  );
});

describe('any content of the file', () => {
  /** A state, or the documented error and the file as it was. */
  const readAnything = (folder: string, content: string | Uint8Array): void => {
    const journal = openIn(folder);
    writeFileSync(journal.path, content);
    const before = readFileSync(journal.path);
    try {
      const { open } = journal.read();
      // What others act upon is what it has to be.
      if (open !== undefined) {
        expect(open.recovery.startsWith(join(folder, 'undelivered-token-'))).toBe(true);
        expect(open.recovery.slice(folder.length + 1)).not.toContain(sep);
        expect(open.temporaries.every((path) => /^\/.*\.orgctl-[0-9a-f]+$/s.test(path) || IS_WINDOWS)).toBe(true);
        expect(open.posts).toBeGreaterThanOrEqual(0);
      }
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      expect(error.code).toBe('damaged-journal');
      expect(error.message).toContain(journal.path);
    }
    expect(readFileSync(journal.path).equals(before)).toBe(true);
  };

  it('a journal with any one thing changed is a state or the documented error', () => {
    const folder = createFolder();
    const written = { ...full(folder), version: 1 };
    const paths = [['version'], ['open'], ['last']]
      .concat(Object.keys(written.open).map((member) => ['open', member]))
      .concat(Object.keys(written.open.minted).map((member) => ['open', 'minted', member]))
      .concat(Object.keys(written.last).map((member) => ['last', member]));
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('..', '.', '', '/', 'a/../undelivered-token-1', '../undelivered-token-1', 'undelivered-token-\0'),
      fc.array(fc.constantFrom('/etc/passwd', '/run/.a.orgctl-1', '/run/.a.orgctl-1/', '.a.orgctl-1', '/a\0.orgctl-1')),
    );
    fc.assert(
      fc.property(fc.constantFrom(...paths), value, (path, changed) => {
        const copy = structuredClone(written) as Record<string, unknown>;
        copy['open'] = { ...written.open, recovery: 'undelivered-token-1' };
        const at = path.slice(0, -1).reduce((part, member) => part[member] as Record<string, unknown>, copy);
        at[path.at(-1) ?? ''] = changed;
        readAnything(folder, JSON.stringify(copy));
      }),
      { numRuns: 500, examples: [[['open', 'temporaries'], ['/run/.a.orgctl-1/']]] },
    );
  });

  it('every cut leaves the documented error', async () => {
    const folder = createFolder();
    const journal = openIn(folder);
    await journal.write(full(folder));
    const whole = readFileSync(journal.path);
    // The last byte is the newline after the object.
    for (let length = 0; length < whole.length - 1; length += 1) {
      writeFileSync(journal.path, whole.subarray(0, length));
      expect(catchError(() => journal.read())).toMatchObject({ exit: 'usage', code: 'damaged-journal' });
    }
  });
});

describe('a journal that is damaged is refused, exit 2, and left as it is', () => {
  const open = (changes: object) => ({ version: 1, open: { ...storedOpen(), ...changes } });
  const last = (changes: object) => ({ version: 1, last: { ...full('/state').last, ...changes } });
  const storedOpen = () => ({ ...full(resolve('/state')).open, recovery: 'undelivered-token-abc123' });
  const noName = (member: string) => `'${member}' must be the name of a file.`;
  const missing = (member: string) => `'${member}' is missing, or is not what orgctl writes there.`;

  it.each<[name: string, stored: unknown, reason: string]>([
    ['no object', [1], 'It is not a JSON object.'],
    ['no version', {}, `'version' must be 1.`],
    ['a version that is none', { version: 0 }, `'version' must be 1.`],
    ['a version that is text', { version: '1' }, `'version' must be 1.`],
    ['half a version', { version: 1.5 }, `'version' must be 1.`],
    ['an open run that is text', { version: 1, open: 'yes' }, missing('open')],
    ['an open run that is null', { version: 1, open: null }, missing('open')],
    ['no run', open({ run: undefined }), missing('open.run')],
    ['a run without a name', open({ run: '' }), missing('open.run')],
    ['a start that is a list of one', open({ startedAt: [NOW] }), missing('open.startedAt')],
    ['a start that is no time', open({ startedAt: 'yesterday' }), missing('open.startedAt')],
    ['a start that cannot be', open({ startedAt: '2026-13-01T00:00:00Z' }), missing('open.startedAt')],
    ['a start without zone', open({ startedAt: '2026-05-01T00:00:00' }), missing('open.startedAt')],
    ['an unknown phase', open({ phase: 'done' }), missing('open.phase')],
    ['half a POST', open({ posts: 0.5 }), missing('open.posts')],
    ['less than no POST', open({ posts: -1 }), missing('open.posts')],
    ['no recovery file', open({ recovery: undefined }), missing('open.recovery')],
    ['a recovery file of another name', open({ recovery: 'rotation.json' }), missing('open.recovery')],
    ['a recovery file that is the folder', open({ recovery: '' }), missing('open.recovery')],
    ['a recovery file above', open({ recovery: '..' }), missing('open.recovery')],
    ['a recovery file elsewhere', open({ recovery: '/etc/undelivered-token-1' }), noName('open.recovery')],
    ['unverified files that are no list', open({ doubtful: 'undelivered-token-1' }), missing('open.doubtful')],
    ['an unverified file of another name', open({ doubtful: ['rotation.json'] }), missing('open.doubtful')],
    ['an unverified file elsewhere', open({ doubtful: ['../undelivered-token-1'] }), noName('open.doubtful')],
    ['an unverified file that is a number', open({ doubtful: ['undelivered-token-1', 1] }), missing('open.doubtful')],
    ['a loss that is false', open({ lost: false }), missing('open.lost')],
    ['a temporary file of another name', open({ temporaries: ['/etc/passwd'] }), missing('open.temporaries')],
    ['a relative temporary file', open({ temporaries: ['.a.orgctl-1f'] }), missing('open.temporaries')],
    ['a temporary file with more name', open({ temporaries: ['/a.orgctl-1f\n'] }), missing('open.temporaries')],
    ['a token before without id', open({ before: {} }), missing('open.before')],
    ['a token before of another expiry', open({ before: { id: 'a', expiredAt: 1 } }), missing('open.before')],
    ['a new token without fingerprint', open({ minted: { id: 'at-2' } }), missing('open.minted')],
    ['a new token that is text', open({ minted: 'at-2' }), missing('open.minted')],
    ['a new token without id', open({ minted: { fingerprint: toFingerprint('new') } }), missing('open.minted')],
    ...['s3cret', `x${toFingerprint('new')}`, `${toFingerprint('new')}0`, [toFingerprint('new')]].map(
      (fingerprint): [string, unknown, string] => [
        `a fingerprint that is ${JSON.stringify(fingerprint)}`,
        open({ minted: { id: 'at-2', fingerprint } }),
        missing('open.minted'),
      ],
    ),
    ['a sink that is a number', open({ undelivered: [1] }), missing('open.undelivered')],
    ['the command line of a sink', open({ undelivered: ['exec:vault kv put'] }), missing('open.undelivered')],
    ['a last token that is a list', { version: 1, last: [] }, missing('last')],
    ['a delivery without time', last({ deliveredAt: undefined }), missing('last.deliveredAt')],
    ['a verification that is text', last({ verified: 'maybe' }), missing('last.verified')],
    ['no sinks', last({ sinks: undefined }), missing('last.sinks')],
    ['a sink without a name', last({ sinks: [''] }), missing('last.sinks')],
  ])('%s', (_name, stored, reason) => {
    const folder = createFolder();
    const journal = openIn(folder);
    writeFileSync(journal.path, JSON.stringify(stored), { mode: 0o600 });
    const error = catchError(() => journal.read());
    expect(error).toBeInstanceOf(OrgctlError);
    expect(error).toMatchObject({
      exit: 'usage',
      code: 'damaged-journal',
      message: `${journal.path}, the journal of rotations, is damaged`,
      reasons: [
        reason,
        'A file undelivered-token-… in the same folder may hold the only copy of the current token: keep it.',
      ],
      hint: 'Check with audit-token show when the token was created, then repair the file or move it away. It was not changed.',
    });
    expect(readFileSync(journal.path, 'utf8')).toBe(JSON.stringify(stored));
  });

  it.each<[name: string, bytes: string | Buffer]>([
    ['half an object', '{"version":1'],
    ['bytes that are no text', Buffer.from('{"version":1,"note":"\xff"}', 'latin1')],
  ])('%s is no JSON', (_name, bytes) => {
    const journal = openIn(createFolder());
    writeFileSync(journal.path, bytes, { mode: 0o600 });
    expect(catchError(() => journal.read())).toMatchObject({
      code: 'damaged-journal',
      reasons: ['It is not valid JSON.', expect.any(String)],
    });
  });

  it('of a newer orgctl: says so', () => {
    const folder = createFolder();
    const journal = openIn(folder);
    writeFileSync(journal.path, '{"version":2,"runs":[]}', { mode: 0o600 });
    expect(catchError(() => journal.read())).toMatchObject({
      exit: 'usage',
      code: 'damaged-journal',
      message: `${journal.path}, the journal of rotations, was written by a newer orgctl`,
      hint: 'Use that orgctl, or a newer one. The file was not changed.',
    });
    expect(readFileSync(journal.path, 'utf8')).toBe('{"version":2,"runs":[]}');
  });
});

describe.skipIf(IS_WINDOWS)('a journal that may not be ours is not followed', () => {
  it.each(['620', '602', '666'])('of mode %s', async (mode) => {
    const folder = createFolder();
    const journal = openIn(folder);
    await journal.write(full(folder));
    chmodSync(journal.path, mode);
    expect(catchError(() => journal.read())).toMatchObject({
      exit: 'usage',
      code: 'unsafe-journal',
      message: `others can change ${journal.path}, the journal of rotations, so it is not used`,
      hint: 'Check what it says. If you trust it, make it yours alone.',
      next: [['chmod', '600', journal.path]],
    });
  });

  it('but for the owner, where the platform does not number its users', async () => {
    const folder = createFolder();
    await openIn(folder).write(full(folder));
    expect(createJournal(folder, { unique: 'abc', user: undefined }).read()).toEqual(full(folder));
  });

  it('of another user', async () => {
    const folder = createFolder();
    await openIn(folder).write(full(folder));
    const me = (user ?? 0) + 1;
    const journal = createJournal(folder, { unique: 'abc', user: me });
    expect(catchError(() => journal.read())).toMatchObject({
      exit: 'usage',
      code: 'unsafe-journal',
      message: `${journal.path}, the journal of rotations, belongs to another user, so it is not used`,
      next: [
        ['chown', `${me}`, journal.path],
        ['chmod', '600', journal.path],
      ],
    });
  });

  it.each<[name: string, make: (path: string) => void, reason: RegExp]>([
    ['a link', (path) => symlinkSync(`${path}.real`, path), /^it is a link$/],
    ['a pipe, which is not waited for', (path) => makePipe(path), /^it is not a regular file$/],
    ['a folder', (path) => mkdirSync(path), /^it is not a regular file$/],
    ['endless', (path) => writeFileSync(path, ' '.repeat(1_048_577)), /^it is longer than 1048576 bytes$/],
  ])('%s', (_name, make, reason) => {
    const journal = openIn(createFolder());
    writeFileSync(`${journal.path}.real`, '{"version":1}', { mode: 0o600 });
    make(journal.path);
    expect(catchError(() => journal.read())).toMatchObject({
      exit: 'usage',
      message: `can't read ${journal.path}, the journal of rotations`,
      reasons: [expect.stringMatching(reason)],
      hint: 'Make it readable, or set ORGCTL_STATE_DIR to another folder. It was not changed.',
    });
  });

  it('in a folder that is a file', () => {
    const file = join(createFolder(), 'file');
    writeFileSync(file, '');
    expect(catchError(() => openIn(file).read())).toMatchObject({
      exit: 'usage',
      reasons: [expect.stringMatching(/^a part of its path is a file, not a folder \(/)],
    });
  });
});

describe('what cannot be written', () => {
  it('is a state that could not be read again: the journal stays', async () => {
    const folder = createFolder();
    const journal = openIn(folder);
    await journal.write(full(folder));
    const { open, last } = full(folder);
    const faults: readonly [string, JournalState][] = [
      ['open.recovery', { open: { ...open, recovery: join(folder, '..', 'undelivered-token-1') } }],
      ['open.recovery', { open: { ...open, recovery: 'undelivered-token-1' } }],
      ['open.temporaries', { open: { ...open, temporaries: ['/etc/passwd'] } }],
      ['open.minted', { open: { ...open, minted: { id: 'at-2', fingerprint: 's3cret' } } }],
      ['last.sinks', { last: { ...last, sinks: ['exec:vault --token s3cret'] } }],
    ];
    for (const [member, state] of faults) {
      expect(await failure(journal.write(state))).toEqual(new Error(`unfit for a journal: ${member}`));
    }
    expect(journal.read()).toEqual(full(folder));
    expect(readdirSync(folder)).toEqual(['rotation.json']);
  });

  it.each(['below a file', 'in place of a folder'])('%s: exit 2, and nothing is left', async (where) => {
    const folder = createFolder();
    if (where === 'below a file') writeFileSync(join(folder, 'file'), '');
    else mkdirSync(join(folder, 'rotation.json', 'full'), { recursive: true });
    const before = readdirSync(folder);
    const journal = openIn(where === 'below a file' ? join(folder, 'file', 'below') : folder);
    expect(await failure(journal.write({}))).toMatchObject({
      exit: 'usage',
      message: `can't write ${journal.path}, the journal of rotations`,
      reasons: [expect.stringMatching(/(?:is a folder|not a folder|don't have permission)/)],
      hint: 'Free some space, or set ORGCTL_STATE_DIR to a folder of yours.',
    });
    expect(readdirSync(folder)).toEqual(before);
  });
});
