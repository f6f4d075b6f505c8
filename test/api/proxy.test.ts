import { expect, test } from 'vitest';
import { findProxy, listProxySecrets } from '../../src/api/proxy.ts';

test.each<[url: string, noProxy: string | undefined, proxy: string | undefined]>([
  ['https://tfe.test/x', undefined, 'proxy.test:3128'],
  ['https://tfe.test/x', 'other.test, .fe.test', 'proxy.test:3128'],
  ['https://tfe.test/x', 'tfe.test:8443', 'proxy.test:3128'],
  ['https://tfe.test:8443/x', 'tfe.test:8443', undefined],
  ['https://tfe.test/x', 'a.test TFE.TEST', undefined],
  ['https://eu.tfe.test/x', '*.tfe.test', undefined],
  ['https://tfe.test/x', '*', undefined],
  ['https://127.3.2.1/x', undefined, undefined],
])('%s with NO_PROXY=%s goes through %s', (url, noProxy, proxy) => {
  const env = { HTTPS_PROXY: 'http://proxy.test:3128', NO_PROXY: noProxy };
  expect(findProxy(env, new URL(url))?.host).toBe(proxy);
  // A proxy that can't be used stops only what would go through it.
  const find = () => findProxy({ ...env, HTTPS_PROXY: 'socks5://ana:pass-word@proxy.test' }, new URL(url));
  if (proxy === undefined) expect(find()).toBe(undefined);
  else expect(find).toThrow('HTTPS_PROXY is not an http or https URL');
});

test('the password of a proxy that can not be used is a secret too', () => {
  expect(listProxySecrets({ HTTPS_PROXY: 'socks5://ana:pass-word@proxy.test' })).toContain('pass-word');
});
