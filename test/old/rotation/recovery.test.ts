import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/old/errors.ts';
import {
  createRecoveryFile,
  listRecoveryFiles,
  readRecoveryFile,
  type TokenOrigin,
} from '../../../src/old/rotation/recovery.ts';
import { toFingerprint } from '../../../src/old/secrets/fingerprint.ts';
import { catchError, createFolder, failure, makePipe, permissions } from '../../support/files.ts';
import { anyText } from '../../support/text.ts';

// Windows keeps no such permissions.
const PRIVATE = process.platform === 'win32' ? 0o666 : 0o600;

describe('a recovery file', () => {
  it('is there with room in it, for its owner alone, before there is a secret', async () => {
    const folder = join(createFolder(), 'new', 'folder');
    const file = await createRecoveryFile(folder, 'abc');
    expect(file.path).toBe(join(folder, 'undelivered-token-abc'));
    expect(permissions(file.path)).toBe(PRIVATE);
    expect(statSync(file.path).size).toBe(4_096);
    if (process.platform !== 'win32') expect(permissions(folder)).toBe(0o700);
  });

  it.each([
    ['short', 's3cret'],
    ['of other scripts', 'зашифровано'],
    ['longer than the room', 'x'.repeat(10_000)],
  ])('holds a secret that is %s, and nothing else', async (_name, secret) => {
    const file = await createRecoveryFile(createFolder(), 'abc');
    await file.keep(secret);
    expect(readFileSync(file.path, 'utf8')).toBe(secret);
    expect(permissions(file.path)).toBe(PRIVATE);
  });

  it('is gone once discarded, however often', async () => {
    const folder = createFolder();
    const file = await createRecoveryFile(folder, 'abc');
    await file.keep('s3cret');
    await file.discard();
    await file.discard();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is discarded although its folder is gone too, or is a file now', async () => {
    const folder = join(createFolder(), 'folder');
    const file = await createRecoveryFile(folder, 'abc');
    rmSync(folder, { recursive: true });
    await file.discard();
    writeFileSync(folder, '');
    await file.discard();
    expect(readFileSync(folder, 'utf8')).toBe('');
  });

  it('is not made again where it was taken away: its keeper has to hear of it', async () => {
    const file = await createRecoveryFile(createFolder(), 'abc');
    rmSync(file.path);
    expect(await failure(file.keep('s3cret'))).toMatchObject({ code: 'ENOENT' });
  });

  it('does not touch one that is there already: it may hold a secret', async () => {
    const folder = createFolder();
    const kept = await createRecoveryFile(folder, 'abc');
    await kept.keep('s3cret');
    expect(await failure(createRecoveryFile(folder, 'abc'))).toBeInstanceOf(UsageError);
    expect(readFileSync(kept.path, 'utf8')).toBe('s3cret');
  });

  it('cannot be made below a file', async () => {
    const folder = createFolder();
    writeFileSync(join(folder, 'file'), '');
    const path = join(folder, 'file', 'below', 'undelivered-token-abc');
    expect(await failure(createRecoveryFile(join(folder, 'file', 'below'), 'abc'))).toMatchObject({
      exit: 'usage',
      message: `can't write ${path}, which keeps the new token until it is delivered`,
      hint: 'Free some space, or set ORGCTL_STATE_DIR to a folder of yours. Nothing was sent.',
    });
    expect(readdirSync(folder)).toEqual(['file']);
  });
});

const FACTS: TokenOrigin = {
  id: 'at-2',
  createdAt: '2026-05-01T12:00:00.000Z',
  expiredAt: null,
  organization: 'acme',
  origin: 'https://app.terraform.io',
};

async function keep(folder: string, secret: string, facts?: TokenOrigin): Promise<string> {
  const file = await createRecoveryFile(folder, 'abc');
  await file.keep(secret, facts);
  return file.path;
}

describe('a secret kept with what is known of its token', () => {
  it('is the first line, and the facts are the second', async () => {
    const path = await keep(createFolder(), 's3cret', FACTS);
    const [secret, facts = '', ...rest] = readFileSync(path, 'utf8').split('\n');
    expect(secret).toBe('s3cret');
    expect(JSON.parse(facts)).toEqual({ ...FACTS, fingerprint: toFingerprint('s3cret') });
    expect(rest).toEqual(['']);
    expect(permissions(path)).toBe(PRIVATE);
  });

  it('comes back, whatever it is', async () => {
    const text = anyText({ minLength: 1 }).filter((secret) => !secret.includes('\0'));
    const times = { createdAt: anyText(), expiredAt: fc.option(anyText()) };
    const facts = fc.record(
      { ...times, id: text, createdBy: anyText(), organization: anyText(), origin: anyText() },
      { requiredKeys: ['id', 'organization', 'origin'] },
    );
    const folder = createFolder();
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom(1, 3_000), facts, async (part, times, known) => {
        const secret = part.repeat(times);
        const file = await createRecoveryFile(folder, 'abc');
        await file.keep(secret, known);
        const facts = { ...known, fingerprint: toFingerprint(secret) };
        expect(readRecoveryFile(file.path)).toEqual({ secret, facts });
        await file.discard();
      }),
      { numRuns: 50 },
    );
  });

  it.each(['s3cret', '{"a":1}', 'one\ntwo', '\ufeffs3cret'])(
    'comes back as it was without facts: %j',
    async (secret) => {
      const path = await keep(createFolder(), secret);
      expect(readRecoveryFile(path)).toEqual({ secret, facts: undefined });
      if (secret === 's3cret') writeFileSync(path, 's3cret\n');
      expect(readRecoveryFile(path)).toEqual({ secret, facts: undefined });
    },
  );

  it('is refused without facts where it is no text', async () => {
    const path = await keep(createFolder(), 's3cret');
    writeFileSync(path, Uint8Array.of(0x61, 0xff, 0x62));
    expect(catchError(() => readRecoveryFile(path))).toMatchObject({ code: 'damaged-recovery-file' });
  });

  it('comes back where the room was not given back in time', async () => {
    const path = await keep(createFolder(), 's3cret', FACTS);
    truncateSync(path, 4_096);
    expect(readRecoveryFile(path)?.secret).toBe('s3cret');
  });

  it.each(['', '\0'.repeat(4_096)])('is none in a file of nothing: %j', (content) => {
    const path = join(createFolder(), 'undelivered-token-abc');
    expect(readRecoveryFile(path)).toBeUndefined();
    writeFileSync(path, content, { mode: 0o600 });
    expect(readRecoveryFile(path)).toBeUndefined();
  });

  const damaged = (path: string) => ({
    exit: 'usage',
    code: 'damaged-recovery-file',
    message: `the secret in the recovery file ${path} is not complete`,
    reasons: ['It was cut short while it was written, or changed since.'],
    hint: 'Check it before you remove it: the first line is the secret, as far as it goes.',
  });

  it.each<[name: string, secret: string, facts: TokenOrigin | undefined]>([
    ['with facts', 's3cret-é', FACTS],
    ['without', 's3cret-é', undefined],
  ])('is refused wherever the power failed while it was written, %s', async (_name, secret, facts) => {
    const path = await keep(createFolder(), secret, facts);
    const whole = readFileSync(path);
    // The newline at the very end is the one byte that may be missing.
    const last = facts === undefined ? whole.length - 1 : whole.length - 2;
    for (let length = 1; length <= last; length += 1) {
      writeFileSync(path, Buffer.concat([whole.subarray(0, length), Buffer.alloc(4_096 - length)]));
      expect(catchError(() => readRecoveryFile(path))).toMatchObject(damaged(path));
    }
    expect(last).toBeGreaterThan(5);
  });

  it.each<[name: string, change: (content: string) => string | Uint8Array]>([
    ['another secret', (content) => content.replace('s3cret', 's3creT')],
    ['no fingerprint', (content) => content.replace('"fingerprint"', '"other"')],
    ['no organization', (content) => content.replace('"organization"', '"other"')],
    ['no origin', (content) => content.replace('"origin"', '"other"')],
    ['no id', (content) => content.replace('"id":"at-2"', '"id":2')],
    ['half an object', (content) => content.replace('}', '')],
    ['a hole', (content) => content.replace('cre', '\0\0\0')],
    ['bytes that are no text', (content) => Buffer.from(content.replace('é', ''), 'latin1').fill(0xff, 1, 2)],
  ])('is refused with %s', async (_name, change) => {
    const path = await keep(createFolder(), 's3cret', FACTS);
    const changed = change(readFileSync(path, 'utf8'));
    writeFileSync(path, changed);
    expect(catchError(() => readRecoveryFile(path))).toMatchObject(damaged(path));
    expect(readFileSync(path).equals(Buffer.from(changed))).toBe(true);
  });

  it.skipIf(process.platform === 'win32').each(['640', '604', '666'])('is refused with mode %s', async (mode) => {
    const path = await keep(createFolder(), 's3cret', FACTS);
    chmodSync(path, mode);
    const error = catchError(() => readRecoveryFile(path));
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({
      message: `others can read the recovery file ${path}, so its secret is not used`,
      hint: 'Make it readable by you alone. If others may have seen it, create another token afterwards.',
      next: [['chmod', '600', path]],
    });
  });

  it.skipIf(process.platform === 'win32').each<[name: string, make: (path: string) => void, reason: string]>([
    ['a link', (path) => symlinkSync(`${path}-real`, path), 'it is a link'],
    ['a pipe', (path) => makePipe(path), 'it is not a regular file'],
    ['a folder', (path) => mkdirSync(path), 'it is not a regular file'],
  ])('is neither read from nor written to %s', async (_name, make, reason) => {
    const file = await createRecoveryFile(createFolder(), 'abc');
    writeFileSync(`${file.path}-real`, 'content', { mode: 0o600 });
    rmSync(file.path);
    make(file.path);
    expect(catchError(() => readRecoveryFile(file.path))).toMatchObject({
      exit: 'usage',
      message: `can't read the recovery file ${file.path}`,
      reasons: [reason],
      hint: 'It may hold the only copy of a token: check before you remove it. It was not changed.',
    });
    if (reason === 'it is a link') expect(await failure(file.keep('s3cret'))).toMatchObject({ code: 'ELOOP' });
    expect(readFileSync(`${file.path}-real`, 'utf8')).toBe('content');
  });
});

describe('a list of recovery files', () => {
  it('is empty without a folder', () => {
    expect(listRecoveryFiles(join(createFolder(), 'new'))).toEqual([]);
  });

  it('says which hold a secret, or may', async () => {
    const folder = createFolder();
    for (const unique of ['01', '02', '03']) {
      const file = await createRecoveryFile(folder, unique);
      if (unique === '02') await file.keep('s3cret');
      if (unique === '03') await file.keep('s3cret', FACTS);
    }
    writeFileSync(join(folder, 'undelivered-token-04'), '');
    mkdirSync(join(folder, 'undelivered-token-05'));
    writeFileSync(join(folder, 'rotation.json'), '{}');
    const found = listRecoveryFiles(folder);
    expect(found.map(({ holdsSecret }) => holdsSecret)).toEqual([false, true, true, false, true]);
    expect(found.map(({ path }) => path)).toEqual([1, 2, 3, 4, 5].map((n) => join(folder, `undelivered-token-0${n}`)));
  });

  it('is refused where the folder is a file', () => {
    const file = join(createFolder(), 'file');
    writeFileSync(file, '');
    expect(catchError(() => listRecoveryFiles(file))).toMatchObject({
      exit: 'usage',
      message: `can't search ${file} for recovery files`,
      reasons: [expect.stringMatching(/.+/)],
      hint: 'Make it readable, or set ORGCTL_STATE_DIR to a folder of yours.',
    });
  });
});
