import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/old/errors.ts';
import { chooseProxy, isLoopback } from '../../../src/old/service/proxy.ts';

const PROXY = 'http://proxy.example.com:3128';

const choose = (url: string, except = '', proxy = PROXY) =>
  chooseProxy(new URL(url), { https: proxy, http: proxy, except })?.url.href;

describe('which proxy', () => {
  it('goes by the scheme of the address', () => {
    const proxies = { https: 'http://secure.example.com:1', http: 'http://plain.example.com:2' };
    expect(chooseProxy(new URL('https://a.example'), proxies)?.url.host).toBe('secure.example.com:1');
    expect(chooseProxy(new URL('http://a.example'), proxies)?.url.host).toBe('plain.example.com:2');
  });

  it.each([[undefined], ['']])('%j is none', (https) => {
    expect(chooseProxy(new URL('https://a.example'), { https })).toBe(undefined);
  });

  it.each([
    ['proxy.example.com:3128', 'http://proxy.example.com:3128/'],
    ['https://proxy.example.com', 'https://proxy.example.com/'],
    ['[fd00::1]:3128', 'http://[fd00::1]:3128/'],
  ])('%s is understood', (text, href) => {
    expect(choose('https://a.example', '', text)).toBe(href);
  });

  it.each([
    ['user:p%40ss', 'user:p@ss'],
    ['user', 'user:'],
    [':p', ':p'],
    ['üser:%E2%82%AC', 'üser:€'],
  ])('%s@ is its name and password', (login, decoded) => {
    const https = `http://${login}@proxy.example.com`;
    expect(chooseProxy(new URL('https://a.example'), { https })).toEqual({
      url: new URL('http://proxy.example.com'),
      authorization: `Basic ${Buffer.from(decoded).toString('base64')}`,
    });
  });

  it.each(['u:sec%ret@', 'u:%@', '%zz:p@', 'u:%ff@', '%@'])(
    '%s: a percent sign that begins no code is named',
    (login) => {
      expect(() => choose('https://a.example', '', `http://${login}proxy.example.com`)).toThrow(
        expect.objectContaining({
          exit: 'usage',
          message: 'the proxy for https://a.example has a % in its name or password that begins no code',
          hint: 'Write it as %25 in HTTPS_PROXY.',
        }),
      );
    },
  );

  it.each([
    'socks5://proxy.example.com',
    'ftp://proxy.example.com',
    'http://',
    '://',
    ' ',
    'proxy.example.com:port',
    'http://user:1/2@proxy.example.com',
    'http://user:1?2@proxy.example.com',
    'http://user:1#2@proxy.example.com',
    'http://proxy.example.com:99999',
    'file:///etc/passwd',
  ])('%j is refused, and not repeated', (text) => {
    expect(() => choose('https://a.example', '', text)).toThrow(UsageError);
    expect(() => choose('https://a.example', '', text)).toThrow(
      'the proxy for https://a.example is not an http or https URL',
    );
  });

  it('names the variable to set', () => {
    for (const scheme of ['http', 'https']) {
      const variable = `${scheme.toUpperCase()}_PROXY`;
      expect(() => choose(`${scheme}://a.example`, '', 'ftp://x')).toThrow(
        expect.objectContaining({
          hint: `Set ${variable} to something like http://proxy.example.com:3128, or unset it. In a name or password, write / as %2F, ? as %3F and # as %23.`,
        }),
      );
    }
  });
});

describe('which addresses are excepted', () => {
  it.each<[url: string, except: string, excepted: boolean]>([
    ['https://app.example.com', '*', true],
    ['https://app.example.com', 'other.org, *', true],
    ['https://app.example.com', 'app.example.com', true],
    ['https://app.example.com', 'APP.Example.COM', true],
    ['https://APP.EXAMPLE.COM', 'app.example.com', true],
    ['https://app.example.com', 'example.com', true],
    ['https://app.example.com', '.example.com', true],
    ['https://app.example.com', '*.example.com', true],
    ['https://example.com', '.example.com', true],
    ['https://notexample.com', 'example.com', false],
    ['https://notexample.com', '.example.com', false],
    ['https://example.com.evil.org', 'example.com', false],
    ['https://app.example.com', 'com', true],
    ['https://app.example.com', 'a.org b.org,app.example.com', true],
    ['https://app.example.com', ' , ,', false],
    ['https://app.example.com', '.', false],
    ['https://app.example.com', '*.', false],
    ['https://app.example.com', 'app.example.com:443', true],
    ['https://app.example.com', 'app.example.com:8443', false],
    ['https://app.example.com:8443', 'app.example.com:8443', true],
    ['https://app.example.com:8443', '.example.com:8443', true],
    ['http://app.example.com', 'app.example.com:80', true],
    ['http://app.example.com', 'app.example.com:443', false],
    ['https://10.1.2.3', '10.1.2.3', true],
    ['https://10.1.2.3', '2.3', false],
    ['https://10.1.2.3', '10.1.2.3:443', true],
    ['https://10.1.2.3', '10.1.2.3:444', false],
    ['https://10.1.2.3', '10.0.0.0/8', true],
    ['https://10.1.2.3', '10.1.2.4/32', false],
    ['https://10.1.2.3', '0.0.0.0/0', true],
    ['https://11.1.2.3', '10.0.0.0/8', false],
    ['https://app.example.com', '10.0.0.0/8', false],
    ['https://10.1.2.3', '10.0.0.0/33', false],
    ['https://10.1.2.3', '10.0.0.0/', false],
    ['https://10.1.2.3', '10.0.0.0/x', false],
    ['https://10.1.2.3', 'example.com/8', false],
    ['https://[fd00::1]', 'fd00::1', true],
    ['https://[fd00::1]', '[fd00::1]', true],
    ['https://[fd00::1]', '[fd00::1]:443', true],
    ['https://[fd00::1]', '[fd00::1]:444', false],
    ['https://[fd00::1]', 'fd00:0:0::0001', true],
    ['https://[fd00::1]', 'FD00::1', true],
    ['https://[fd00::1]', 'fd00::2', false],
    ['https://[fd00::1]', 'fd00::/8', true],
    ['https://[fd00::1]', '[fd00::]/8', true],
    ['https://[fd00::1]', 'fe80::/10', false],
    ['https://[fd00::1]', 'fd00::/129', false],
    ['https://10.1.2.3', 'fd00::/8', false],
    ['https://[fd00::1]', '10.0.0.0/8', false],
  ])('%s with NO_PROXY=%j: %s', (url, except, excepted) => {
    expect(choose(url, except)).toBe(excepted ? undefined : `${PROXY}/`);
  });
});

describe('this machine', () => {
  const OWN = ['localhost', 'LOCALHOST', 'api.localhost', '127.0.0.1', '127.255.0.9', '[::1]'];
  const OTHERS = ['localhost.example.com', 'notlocalhost', '128.0.0.1', '[::2]', '0.0.0.0', '127.example.com'];

  it.each(OWN)('%s never goes by proxy', (host) => {
    expect(isLoopback(new URL(`http://${host}`).hostname)).toBe(true);
    expect(choose(`http://${host}:8080`)).toBe(undefined);
    expect(choose(`https://${host}`)).toBe(undefined);
    // A proxy that cannot be read is none of its business either.
    expect(choose(`http://${host}`, '', 'ftp://x')).toBe(undefined);
  });

  it.each(OTHERS)('%s is another one', (host) => {
    expect(isLoopback(new URL(`http://${host}`).hostname)).toBe(false);
    expect(choose(`http://${host}`)).toBe(`${PROXY}/`);
  });
});
