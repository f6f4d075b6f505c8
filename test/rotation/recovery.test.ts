import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import { createRecoveryFile } from '../../src/rotation/recovery.ts';
import { organizationStateDirectory } from '../../src/rotation/state-directory.ts';
import { anyText } from '../support/text.ts';

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'orgctl-recovery-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const failure = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

// Windows keeps no such permissions.
const permissions = (path: string): number => statSync(path).mode & 0o777;
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
      message: `no place to keep a new token safe: ${path} cannot be written`,
      hint: 'Make room or set ORGCTL_STATE_DIR to a folder of yours. Nothing was sent.',
    });
    expect(readdirSync(folder)).toEqual(['file']);
  });

  it('cannot be made where a folder has its name, and leaves that', async () => {
    const folder = createFolder();
    mkdirSync(join(folder, 'undelivered-token-abc'));
    expect(await failure(createRecoveryFile(folder, 'abc'))).toBeInstanceOf(UsageError);
    expect(existsSync(join(folder, 'undelivered-token-abc'))).toBe(true);
  });

  it('cannot be made in a folder whose name is too long', async () => {
    const folder = createFolder();
    expect(await failure(createRecoveryFile(join(folder, 'x'.repeat(300)), 'abc'))).toBeInstanceOf(UsageError);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('the folder of an organization', () => {
  const STATE = join(sep, 'state');
  const ORIGIN = 'https://app.terraform.io';
  const folderOf = (organization: string, origin = ORIGIN) =>
    relative(STATE, organizationStateDirectory(STATE, origin, organization)).split(sep);

  it('is one a service and organization, whose name has no case', () => {
    expect(folderOf('Acme')).toEqual(['https%3A%2F%2Fapp.terraform.io', 'acme']);
    expect(folderOf('ACME')).toEqual(folderOf('acme'));
    expect(folderOf('acme', 'https://app.terraform.io:8443')).not.toEqual(folderOf('acme'));
  });

  it.each([
    ['..', '%2E%2E'],
    ['.', '%2E'],
    ['...', '%2E%2E%2E'],
    ['.hidden', '%2Ehidden'],
    ['trailing.', 'trailing%2E'],
    ['a.b', 'a.b'],
    ['a/../b', 'a%2F..%2Fb'],
    ['a\\b', 'a%5Cb'],
    ['a*b', 'a%2Ab'],
    ['a b', 'a%20b'],
    ['名', '%E5%90%8D'],
    ['%2e', '%252e'],
  ])('%s stays one folder: %s', (organization, folder) => {
    expect(folderOf(organization)).toEqual([expect.any(String), folder]);
  });

  it('is another one for every other organization, and never elsewhere', () => {
    const name = anyText({ minLength: 1 });
    fc.assert(
      fc.property(name, name, (one, other) => {
        const [origin, folder, ...more] = folderOf(one);
        expect(more).toEqual([]);
        expect(folder).not.toMatch(/^\.|[/\\*]|\.$/);
        expect(origin).toBe(folderOf(other)[0]);
        expect(folder === folderOf(other)[1]).toBe(one.toLowerCase() === other.toLowerCase());
      }),
    );
  });
});
