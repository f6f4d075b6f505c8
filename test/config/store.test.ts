import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder } from '../support/files.ts';
import { openStore } from '../support/stored.ts';

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

test('stores files that it reads again and that are private', async () => {
  const folder = join(createFolder(), 'new', 'config');
  const store = openStore(folder);
  expect(await store.writeSettings(undefined, { org: 'acme', to: ['stdout'] })).toBe(true);
  expect(await store.writeSettings(undefined, { org: 'acme' })).toBe(false);
  await store.writeSettings('work', { org: 'globex' });
  await store.writeToken(undefined, 'https://a.example', 'first-token');
  await store.writeToken('work', 'https://b.example', 'second-token');
  expect(store.readConfig()).toEqual({ org: 'acme', to: ['stdout'], profiles: { work: { org: 'globex' } } });
  expect(store.listTokens()).toEqual([{ origin: 'https://a.example', token: 'first-token' }]);
  expect(store.listTokens('work')).toEqual([{ origin: 'https://b.example', token: 'second-token' }]);
  const modes = ['.', 'config.json', 'credentials.json'].map((name) => statSync(join(folder, name)).mode & 0o777);
  if (process.platform !== 'win32') expect(modes).toEqual([0o700, 0o600, 0o600]);
  expect(readdirSync(folder)).toEqual(['config.json', 'credentials.json']);
  await store.removeProfile('work');
  await store.writeToken('work', 'https://b.example', undefined);
  expect(readJson(join(folder, 'config.json'))).toEqual({ version: 1, org: 'acme', to: ['stdout'], profiles: {} });
  expect(store.listTokens('work')).toEqual([]);
});

test('without a folder nothing is stored', async () => {
  const store = openStore(undefined);
  expect(store.readConfig()).toEqual({});
  await expect(store.writeSettings(undefined, { org: 'acme' })).rejects.toThrow(/no home folder/);
});
