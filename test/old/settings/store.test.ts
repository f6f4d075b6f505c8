import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UsageError } from '../../../src/old/errors.ts';
import { createSettingsStore, type SettingsStore } from '../../../src/old/settings/store.ts';

const ORIGIN = 'https://app.terraform.io';
const ME = { user: process.getuid?.() };
const POSIX = process.platform !== 'win32';

let root: string;
let directory: string;
let store: SettingsStore;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'orgctl-settings-'));
  directory = join(root, 'deep', 'orgctl');
  store = createSettingsStore(directory, ME);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(name: string, text: string, mode = 0o600): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, name), text);
  chmodSync(join(directory, name), mode);
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

describe('reading', () => {
  test('a missing file is empty, and nothing is made', () => {
    expect(store.readConfig()).toEqual({});
    expect(store.readCredentials()).toEqual({});
    expect(readdirSync(root)).toEqual([]);
  });

  test('unknown names are kept and ignored', () => {
    write('config.json', '{"org":"acme","from-the-future":{"a":1}}');
    expect(store.readConfig()).toEqual({ org: 'acme', 'from-the-future': { a: 1 } });
  });

  test.each([
    ['{"org":', 'is not valid JSON'],
    ['', 'is not valid JSON'],
    ['[]', 'is not a JSON object'],
    ['null', 'is not a JSON object'],
    ['{"org":7}', ": 'org' must be a string"],
    ['{"org":null}', ": 'org' must be a string"],
    ['{"max-retries":"4"}', ": 'max-retries' must be a number"],
    ['{"no-input":"yes"}', ": 'no-input' must be true or false"],
    ['{"allow-http":"a"}', ": 'allow-http' must be a list of strings"],
    ['{"timeout":"6mo"}', ": 'timeout': '6mo' is too long"],
    ['{"output":"xml"}', ": 'output': unknown format 'xml'"],
    ['{"base-url":"x"}', ": 'base-url' is not an http or https URL"],
  ])('config.json holding %s is refused', (text, message) => {
    write('config.json', text);
    expect(() => store.readConfig()).toThrow(UsageError);
    expect(catchError(() => store.readConfig()).message.startsWith(store.configPath)).toBe(true);
    expect(() => store.readConfig()).toThrow(message);
  });

  test.each([
    ['{"credentials":[]}', ": 'credentials' must be an object"],
    [`{"credentials":{"${ORIGIN}":"s3cret"}}`, `: 'credentials' has no token for '${ORIGIN}'`],
    [`{"credentials":{"${ORIGIN}":{"token":7}}}`, `: 'credentials' has no token for '${ORIGIN}'`],
    ['{"credentials":{"s3cret', 'is not valid JSON'],
    ['{"profiles":[]}', ": 'profiles' must be an object"],
    ['{"profiles":{"work":"s3cret"}}', ": 'profiles' has no token and origin for 'work'"],
    ['{"profiles":{"work":{"token":"s3cret"}}}', ": 'profiles' has no token and origin for 'work'"],
    [`{"profiles":{"work":{"origin":"${ORIGIN}"}}}`, ": 'profiles' has no token and origin for 'work'"],
  ])('credentials.json holding %s is refused without showing secrets', (text, message) => {
    write('credentials.json', text);
    const read = () => (text.includes('profiles') ? store.readProfileToken('other') : store.readCredentials());
    expect(read).toThrow(message);
    expect(read).toThrow(/^(?!.*s3cret)/);
  });

  test.each(['config.json', 'credentials.json'])('a form of %s that a newer orgctl wrote is refused', async (name) => {
    for (const [version, message] of [
      [99, ' was written by a newer orgctl (version 99 of its form)'],
      ['1', ": 'version' must be a number"],
    ] as const) {
      const text = JSON.stringify({ version, org: 'acme' });
      write(name, text);
      const path = join(directory, name);
      const isConfig = name === 'config.json';
      expect(() => (isConfig ? store.readConfig() : store.readCredentials())).toThrow(`${path}${message}`);
      const change = isConfig ? store.writeConfig({ org: undefined }) : store.writeToken(ORIGIN, 'a');
      await expect(change).rejects.toThrow(message);
      expect(readFileSync(path, 'utf8')).toBe(text);
    }
  });

  test('a folder in place of a file', () => {
    mkdirSync(store.configPath, { recursive: true });
    expect(() => store.readConfig()).toThrow(`can't read ${store.configPath}: it is a folder`);
  });

  test.runIf(POSIX).each([0o640, 0o604, 0o620, 0o644])('credentials with mode %o are refused', (mode) => {
    write('credentials.json', `{"credentials":{"${ORIGIN}":{"token":"a"}}}`, mode);
    expect(() => store.readCredentials()).toThrow(`others can read ${store.credentialsPath}`);
    const error = catchError(() => store.readCredentials());
    expect(error.next).toEqual([['chmod', '600', store.credentialsPath]]);
  });

  test.runIf(POSIX)('a link is followed, and it is the file behind it that must be private', () => {
    mkdirSync(directory, { recursive: true });
    const target = join(root, 'elsewhere.json');
    writeFileSync(target, `{"credentials":{"${ORIGIN}":{"token":"a"}}}`, { mode: 0o600 });
    symlinkSync(target, store.credentialsPath);
    expect(store.readCredentials()).toEqual({ [ORIGIN]: 'a' });
    chmodSync(target, 0o644);
    expect(() => store.readCredentials()).toThrow('others can read ');
  });

  test('config.json may be read by others', () => {
    write('config.json', '{"org":"acme"}', 0o644);
    expect(store.readConfig()).toEqual({ org: 'acme' });
  });
});

describe('writing', () => {
  test('sets, changes and removes; what is unknown stays', async () => {
    write('config.json', '{"org":"acme","from-the-future":1}');
    await store.writeConfig({ output: 'json', 'allow-http': ['a'] });
    await store.writeConfig({ org: 'globex', output: undefined });
    expect(store.readConfig()).toEqual({ org: 'globex', 'from-the-future': 1, 'allow-http': ['a'] });
    expect(readdirSync(directory)).toEqual(['config.json']);
  });

  test('a token belongs to its origin, dots and all', async () => {
    await store.writeToken(ORIGIN, 'a');
    await store.writeToken('https://tfe.example.com', 'b');
    expect(JSON.parse(readFileSync(store.credentialsPath, 'utf8'))).toEqual({
      version: 1,
      credentials: { [ORIGIN]: { token: 'a' }, 'https://tfe.example.com': { token: 'b' } },
    });
    await store.writeToken(ORIGIN, undefined);
    expect(store.readCredentials()).toEqual({ 'https://tfe.example.com': 'b' });
  });

  test('a bad setting can be replaced and removed, one beside another removed only', async () => {
    write('config.json', '{"output":"xml","org":"acme"}');
    await store.writeConfig({ output: 'json' });
    expect(store.readConfig()).toEqual({ output: 'json', org: 'acme' });
    const text = '{"output":"xml","timeout":7}';
    write('config.json', text);
    await expect(store.writeConfig({ output: 'json' })).rejects.toThrow(": 'timeout' must be a string");
    expect(readFileSync(store.configPath, 'utf8')).toBe(text);
    await store.writeConfig({ timeout: undefined });
    await store.writeConfig({ output: undefined });
    expect(store.readConfig()).toEqual({});
  });

  test.each([`${ORIGIN}/`, 'app.terraform.io', `${ORIGIN}:443/api/v2`])(
    'a token stored for %s is replaced, and removed',
    async (written) => {
      const text = JSON.stringify({ credentials: { [written]: { token: 'old' }, 'tfe.example.com': { token: 'b' } } });
      write('credentials.json', text);
      await store.writeToken(ORIGIN, 'a');
      expect(store.readCredentials()).toEqual({ 'tfe.example.com': 'b', [ORIGIN]: 'a' });
      write('credentials.json', text);
      await store.writeToken(ORIGIN, undefined);
      expect(store.readCredentials()).toEqual({ 'tfe.example.com': 'b' });
    },
  );

  test('a value of the wrong type is refused, and the file stays', async () => {
    write('config.json', '{"org":"acme"}');
    await expect(store.writeConfig({ timeout: 'soon' })).rejects.toThrow(UsageError);
    expect(readFileSync(store.configPath, 'utf8')).toBe('{"org":"acme"}');
    expect(readdirSync(directory)).toEqual(['config.json']);
  });

  test.runIf(POSIX)('a link stays a link', async () => {
    mkdirSync(directory, { recursive: true });
    const target = join(root, 'dotfiles.json');
    writeFileSync(target, '{"org":"acme"}');
    symlinkSync(target, store.configPath);
    await store.writeConfig({ output: 'json' });
    expect(lstatSync(store.configPath).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual({ version: 1, org: 'acme', output: 'json' });
  });

  test.runIf(POSIX)('credentials that others may read are not written either', async () => {
    const text = `{"credentials":{"${ORIGIN}":{"token":"a"}}}`;
    write('credentials.json', text, 0o644);
    await expect(store.writeToken(ORIGIN, 'b')).rejects.toThrow('others can read ');
    expect(readFileSync(store.credentialsPath, 'utf8')).toBe(text);
  });

  test('a folder that cannot be made', async () => {
    writeFileSync(join(root, 'deep'), 'a file');
    await expect(store.writeConfig({ org: 'acme' })).rejects.toThrow(
      `can't write ${directory}: a part of its path is a file, not a folder`,
    );
  });
});

describe('traps of conf', () => {
  test.runIf(POSIX)('files are 0600 and not 0644, folders 0700 and not 0755', async () => {
    await store.writeConfig({ org: 'acme' });
    await store.writeToken(ORIGIN, 'a');
    expect([store.configPath, store.credentialsPath].map(modeOf)).toEqual([0o600, 0o600]);
    expect(modeOf(directory)).toBe(0o700);
  });

  test.runIf(POSIX)('a folder that was there keeps its mode', async () => {
    mkdirSync(directory, { recursive: true });
    chmodSync(directory, 0o755);
    await store.writeConfig({ org: 'acme' });
    expect(modeOf(directory)).toBe(0o755);
  });

  test.each(['{"org":"acme"', '', 'not JSON', '[]'])('a damaged file is not emptied: %j', async (text) => {
    write('config.json', text);
    write('credentials.json', text);
    await expect(store.writeConfig({ org: 'globex' })).rejects.toThrow(`${store.configPath} `);
    await expect(store.writeToken(ORIGIN, 'a')).rejects.toThrow(`${store.credentialsPath} `);
    expect(readFileSync(store.configPath, 'utf8')).toBe(text);
    expect(readFileSync(store.credentialsPath, 'utf8')).toBe(text);
    expect(existsSync(`${store.configPath}.lock`)).toBe(false);
  });

  test('concurrent writers in one process lose no update', async () => {
    const origins = Array.from({ length: 20 }, (_, index) => `https://h${index}.example.com`);
    await Promise.all(origins.map((origin) => createSettingsStore(directory, ME).writeToken(origin, 'a')));
    expect(Object.keys(store.readCredentials()).sort()).toEqual([...origins].sort());
  });
});

test('what killed writers left beside a file goes with the next write, and nothing else', async () => {
  const left = ['credentials.json.tmp-527363879180c00f', 'credentials.json.tmp-1234567890abcdef'];
  const others = ['config.json.tmp-527363879180c00f', 'credentials.json.tmp-mine', 'credentials.json.bak'];
  for (const name of [...left, ...others]) write(name, 'a');
  await store.writeToken(ORIGIN, 'a');
  expect(readdirSync(directory).sort()).toEqual([...others, 'credentials.json'].sort());
});

test.runIf(POSIX)('also beside the file behind a link', async () => {
  write('elsewhere.json.tmp-527363879180c00f', 'a');
  write('elsewhere.json', '{}');
  symlinkSync('elsewhere.json', store.credentialsPath);
  await store.writeToken(ORIGIN, 'a');
  expect(readdirSync(directory).sort()).toEqual(['credentials.json', 'elsewhere.json']);
});

test('without a folder there is nothing to read, and nowhere to write', async () => {
  const nowhere = createSettingsStore(undefined, ME);
  expect([nowhere.hasFolder, nowhere.readConfig(), nowhere.readCredentials()]).toEqual([false, {}, {}]);
  const message = 'no home folder to keep files in';
  expect(() => nowhere.configPath).toThrow(message);
  expect(() => nowhere.credentialsPath).toThrow(message);
  await expect(nowhere.writeConfig({ org: 'acme' })).rejects.toThrow(message);
  await expect(nowhere.writeToken(ORIGIN, 'a')).rejects.toThrow(message);
});

function catchError(act: () => unknown): UsageError {
  try {
    act();
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
