import { expect, test } from 'vitest';
import { listProxyExceptions } from '../../src/api/proxy.ts';
import { listEnvironmentValues } from '../../src/commands/settings/environment.ts';

test.each([
  ['*', '*'],
  [' * ', '*'],
  ['a.test', 'localhost,127.0.0.1,[::1],a.test'],
])('NO_PROXY=%s', (value, expected) => expect(listProxyExceptions({ NO_PROXY: value })).toBe(expected));

test('settings list shows the proxy that requests use', () => {
  const env = { HTTPS_PROXY: 'http://unused.test', https_proxy: 'http://ana:secret@used.test' };
  expect(listEnvironmentValues(env)).toEqual([
    { name: 'https-proxy', value: 'http://***@used.test', source: 'https_proxy' },
  ]);
});
