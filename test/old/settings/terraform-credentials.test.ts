import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UsageError } from '../../../src/old/errors.ts';
import { findTerraformFile, readTerraformCredentials } from '../../../src/old/settings/terraform-credentials.ts';

const POSIX = process.platform !== 'win32';

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'orgctl-terraform-'));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

const USUAL = join('.terraform.d', 'credentials.tfrc.json');

function write(path: string, content: unknown, mode = 0o600): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  chmodSync(file, mode);
  return file;
}

function readAs(env: Readonly<Record<string, string>> = {}, machine: { home?: string } = {}) {
  return readTerraformCredentials({
    env,
    platform: process.platform,
    home,
    user: process.getuid?.(),
    ...machine,
  });
}

const TOKENS = { credentials: { 'app.terraform.io': { token: 'a' }, 'tfe.example:8443': { token: 'b' } } };

describe.runIf(POSIX)('the file of terraform login', () => {
  test('is read where Terraform keeps it', () => {
    const path = write(USUAL, TOKENS);
    const tokens = { 'app.terraform.io': 'a', 'tfe.example:8443': 'b' };
    expect(readAs()).toEqual({ path, tokens, fault: undefined });
  });

  test.each([{ home: '' }, { home: '/nowhere' }])('need not be there: %o', (machine) => {
    expect(readAs({}, machine)).toBe(undefined);
  });

  test('may hold what is no token', () => {
    const credentials = { a: { token: 'a' }, b: { other: 1 }, c: { token: 7 }, d: null };
    const path = write(USUAL, { credentials, more: 1 });
    expect(readAs()).toEqual({ path, tokens: { a: 'a' }, fault: undefined });
    write(USUAL, { more: 1 });
    expect(readAs()).toEqual({ path, tokens: {}, fault: undefined });
  });

  test.each(['', '{"credentials":{"a":{"token":"s3cret', '[]', 'null', '{"credentials":[]}', '{"credentials":null}'])(
    'that holds %j is named, left as it is, and not told of',
    (text) => {
      const path = write(USUAL, text);
      expect(() => readAs()).toThrow(UsageError);
      expect(() => readAs()).toThrow(path);
      expect(() => readAs()).toThrow(expect.objectContaining({ hint: expect.stringContaining('terraform login') }));
      expect(() => readAs()).toThrow(/^(?!.*s3cret)/);
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );

  test.each([0o640, 0o604, 0o644])('with mode %o is not used', (mode) => {
    const path = write(USUAL, TOKENS, mode);
    expect(readAs()).toMatchObject({
      fault: { message: `others can read ${path}, so the secrets in it are not used` },
    });
  });
});

test.each<[platform: NodeJS.Platform, home: string, env: Record<string, string>, path: string | undefined]>([
  ['linux', '/home/ana', { APPDATA: '/a' }, '/home/ana/.terraform.d/credentials.tfrc.json'],
  ['darwin', '/Users/ana', {}, '/Users/ana/.terraform.d/credentials.tfrc.json'],
  ['linux', '', {}, undefined],
  ['win32', 'C:\\Users\\ana', {}, 'C:\\Users\\ana\\AppData\\Roaming\\terraform.d\\credentials.tfrc.json'],
  ['win32', 'C:\\Users\\ana', { APPDATA: 'D:\\Data' }, 'D:\\Data\\terraform.d\\credentials.tfrc.json'],
  ['win32', '', { APPDATA: '' }, undefined],
])('on %s with the home %j and %j the file is %j', (platform, ownHome, env, path) => {
  expect(findTerraformFile({ platform, home: ownHome, env })).toBe(path);
});
