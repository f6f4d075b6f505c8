import { describe, expect, it } from 'vitest';
import {
  findSecrets,
  redactAnswer,
  redactBody,
  redactText,
  redactValue,
  toSecretPattern,
  toTokenPattern,
} from '../../src/service/redact.ts';

describe('a body', () => {
  it.each<[string, unknown, unknown]>([
    ['nothing of it', { data: { id: '1' } }, { data: { id: '1' } }],
    [
      'the token of a creation',
      { data: { id: 'at-1', attributes: { token: 's3cret', description: null } } },
      { data: { id: 'at-1', attributes: { token: '[removed]', description: null } } },
    ],
    [
      'secrets by any name, at any depth',
      [
        [{ a: [{ SECRET: 'x', Password: 'y' }] }],
        { 'private-key': 'z', private_key: 'z', access_token: 'q' },
        { refresh_token: 'r' },
      ],
      [
        [{ a: [{ SECRET: '[removed]', Password: '[removed]' }] }],
        { 'private-key': '[removed]', private_key: '[removed]', access_token: '[removed]' },
        { refresh_token: '[removed]' },
      ],
    ],
    [
      'a secret that is no text',
      { token: 123, secret: ['a', 'b'], password: { value: 'c' }, authorization: true },
      { token: '[removed]', secret: '[removed]', password: '[removed]', authorization: '[removed]' },
    ],
    ['that there is none', { token: null }, { token: null }],
    ['names that only sound like it', { 'token-type': 'x', tokens: 'y' }, { 'token-type': 'x', tokens: 'y' }],
  ])('loses %s', (_name, body, shown) => {
    expect(JSON.parse(redactBody(JSON.stringify(body)))).toEqual(shown);
  });

  it('loses a known secret wherever it stands, also written with escapes', () => {
    const body = '{"echo":"Bearer s3cret","s3cret":1,"escaped":"\\u00733cret"}';
    expect(redactBody(body, ['s3cret'])).toBe('{"echo":"Bearer [removed]","[removed]":1,"escaped":"[removed]"}');
  });

  it('nested without end is shown to a depth', () => {
    const deep = `${'[{"a":'.repeat(100_000)}"s3cret"${'}]'.repeat(100_000)}`;
    const shown = redactBody(deep, ['s3cret']);
    expect(shown).toMatch(/^(\[\{"a":)+\[?"…"\]?(\}\])+$/);
    expect(shown.length).toBeLessThan(1_000);
  });

  it('is shown a hundred levels deep, and no deeper', () => {
    const nested = (levels: number): string => `${'['.repeat(levels)}"end"${']'.repeat(levels)}`;
    expect(redactBody(nested(101))).toBe(nested(101));
    expect(redactBody(nested(102))).toBe(nested(102).replace('["end"]', '"…"'));
  });

  it('that is not JSON is told by its length alone', () => {
    expect(redactBody('<html>s3cret</html>')).toBe('(19 bytes that are not JSON)');
    expect(redactBody('é')).toBe('(2 bytes that are not JSON)');
    expect(redactBody('{"data":{"attributes":{"token":"s3cr')).toBe('(36 bytes that are not JSON)');
    expect(redactBody('')).toBe('');
  });
});

describe('the secrets of a body', () => {
  it.each<[string, string, readonly string[]]>([
    ['none', '{"data":{"id":"at-1","attributes":{"description":"a-token-of-tests"}}}', []],
    ['one for each name', '{"token":"first-one","a":[{"private_key" : "second-one"}]}', ['first-one', 'second-one']],
    ['one with escapes', '{"token":"a\\"b\\\\c\\u002f\\n12"}', ['a"b\\c/\n12']],
    ['one with escapes that JSON does not know', '{"token":"0123\\x45678"}', ['0123\\x45678']],
    ['one that is cut off', '{"token":"0123456789', ['0123456789']],
    ['one that is cut off in an escape', '{"token":"0123456789\\', ['0123456789']],
    ['none that is too short', '{"token":"1234567","secret":""}', []],
    ['none that is no text', '{"token":["0123456789"],"secret":1234567890}', []],
    ['none in what is no JSON', '<html>token: 0123456789', []],
  ])('%s', (_name, body, secrets) => {
    expect(findSecrets(body)).toEqual(secrets);
  });
});

describe('an answer', () => {
  it.each<[string, string, string]>([
    ['as it came, where no secret is in it', '{ "token" : "another" }\n', '{ "token" : "another" }\n'],
    [
      'as JSON without the secret, in texts and names at any depth',
      String.raw`{ "echo": "a s\"cret-of-mine", "s\"cret-of-mine": [1, null, true, ["s\"cret-of-mine"], {"n": 0}] }`,
      '{"echo":"a [removed]","[removed]":[1,null,true,["[removed]"],{"n":0}]}',
    ],
    ['with what other secrets there are', '["s\\"cret-of-mine",{"token":"x"}]', '["[removed]",{"token":"x"}]'],
    ['as text without the secret, where it is no JSON', '<p>s"cret-of-mine</p>', '<p>[removed]</p>'],
    ['as text that begins with the secret', 's"cret-of-mine is it', '[removed] is it'],
  ])('is given %s', (_name, text, given) => {
    expect(redactAnswer(text, toSecretPattern(['s"cret-of-mine']))).toBe(given);
  });
});

describe('the token of requests', () => {
  it('is looked for when it has eight characters', () => {
    expect(toTokenPattern('eight-ch')?.test('an eight-ch in a text')).toBe(true);
  });

  it.each(['seven-c', '', undefined])('is not looked for as %j, which may be a word', (token) => {
    expect(toTokenPattern(token)).toBeUndefined();
  });
});

describe('a value', () => {
  it('loses secrets in texts and names, and keeps all else', () => {
    const value = { 'a"b"c': [1, null, true, 'x a"b"c', undefined], token: 'y', quiet: { __proto__: null, n: 0 } };
    expect(redactValue(value, ['a"b"c'])).toEqual({
      '[removed]': [1, null, true, 'x [removed]', undefined],
      token: '[removed]',
      quiet: { n: 0 },
    });
  });
});

const twice = (text: string): string => JSON.stringify(JSON.stringify(text));
const toHex = (text: string): string => Buffer.from(text).toString('hex');

describe('a text', () => {
  it.each<[string, string, readonly string[], string]>([
    ['nothing known', 'a b', [], 'a b'],
    ['an empty secret', 'a b', [''], 'a b'],
    ['every place', 'x s3cret s3cret', ['s3cret'], 'x [removed] [removed]'],
    ['percent-encoded', '?t=a%2Fb%3D', ['a/b='], '?t=[removed]'],
    ['as JSON writes it', '{"t":"a\\"b\\\\c"}', ['a"b\\c'], '{"t":"[removed]"}'],
    ['several', 'one two', ['one', 'two'], '[removed] [removed]'],
    ['one that begins like another', 'abc abcdef', ['abc', 'abcdef'], '[removed] [removed]'],
    ['one that is no pattern', 'a.c abc $&', ['a.c', '$&'], '[removed] abc [removed]'],
    ['half a character', 'x\ud800y', ['\ud800'], 'x[removed]y'],
    ['behind a backslash, which stays', '\\"quoted', ['"quoted'], '\\[removed]'],
    ['with a backslash behind a slash', 'x ab/\\cd y', ['ab/\\cd'], 'x [removed] y'],
    ['with letters beyond ASCII, percent-encoded', encodeURIComponent('x-dömäne'), ['x-dömäne'], '[removed]'],
    ['with a sign beyond 16 bits, as JSON may write it', '"a-\\ud83d\\ude00-b"', ['a-😀-b'], '"[removed]"'],
    ['with a quote before a backslash, as JSON in JSON', twice('a"\\b'), ['a"\\b'], '"\\"[removed]\\""'],
    ['as HTML writes it, by all its names', 'a &amp;&lt;&gt;&quot;&apos;&amp;gt; b', ['&<>"\'>'], 'a [removed] b'],
    ['in hexadecimal, from eight characters on', toHex('abcdefgh'), ['abcdefgh'], '[removed]'],
    ['not in hexadecimal where it is shorter', toHex('abcdefg'), ['abcdefg'], toHex('abcdefg')],
  ])('%s', (_name, text, secrets, shown) => {
    expect(redactText(text, secrets)).toBe(shown);
  });

  const SECRET = 'aB3+/=%"&<\\-012.xyz~';
  const encode = (before: string, encoding: 'base64' | 'base64url' | 'hex') =>
    Buffer.from(`${before}${SECRET}, and more`).toString(encoding);
  it.each<[string, string, string]>([
    ['in capitals and small letters', SECRET.toLowerCase(), '[removed]'],
    ['percent-encoded', encodeURIComponent(SECRET), '[removed]'],
    [
      'percent-encoded in small letters',
      encodeURIComponent(SECRET).replace(/%../g, (code) => code.toLowerCase()),
      '[removed]',
    ],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(SECRET)), '[removed]'],
    ['percent-encoded in part', SECRET.replace('"', '%22').replace('<', '%3C'), '[removed]'],
    ['in the path of a URL', new URL(`http://a.test/${SECRET}?`).href, 'http://a.test/[removed]?'],
    ['as JSON writes it', JSON.stringify(SECRET), '"[removed]"'],
    ['as JSON writes it in JSON', JSON.stringify(JSON.stringify(SECRET)), '"\\"[removed]\\""'],
    ['with slashes escaped', JSON.stringify(SECRET).replaceAll('/', '\\/'), '"[removed]"'],
    ['with escapes by number', SECRET.replace(/\W/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`), '[removed]'],
    ['as HTML writes it', SECRET.replace('&', '&amp;').replace('<', '&lt;').replace('"', '&quot;'), '[removed]'],
    ['as HTML by number', SECRET.replace(/\W/g, (sign) => `&#${sign.charCodeAt(0)};`), '[removed]'],
    [
      'as HTML by hexadecimal number',
      SECRET.replace(/\W/g, (sign) => `&#X${sign.charCodeAt(0).toString(16)};`),
      '[removed]',
    ],
    ['in hexadecimal', encode('Bearer ', 'hex'), '426561726572 [removed]2c20616e64206d6f7265'.replace(' ', '20')],
    ['in base64', encode('', 'base64'), '[removed]4sIGFuZCBtb3Jl'],
    ['in base64 behind one more', encode('x', 'base64'), 'eG[removed]LCBhbmQgbW9yZQ=='],
    ['in base64 behind two more', encode('xx', 'base64url'), 'eHh[removed]iwgYW5kIG1vcmU'],
    [
      'in base64 broken into lines',
      encode('Bearer ', 'base64').replaceAll(/.{8}/g, '$&\r\n'),
      'QmVhcmVy\r\nIG[removed]LCBh\r\nbmQgbW9y\r\nZQ==',
    ],
    [
      'in base64 behind two more, broken into lines',
      encode('xx', 'base64').replaceAll(/.{8}/g, '$&\n'),
      'eHh[removed]iwg\nYW5kIG1v\ncmU=',
    ],
    ['cut off', `Bearer ${SECRET.slice(0, 12)}…`, 'Bearer [removed]…'],
    ['cut off in base64', encode('Bearer ', 'base64').slice(0, 32), 'QmVhcmVyIG[removed]'],
  ])('loses a secret %s', (_name, text, shown) => {
    expect(redactText(text, [SECRET])).toBe(shown);
  });

  it('loses base64 with its own two signs in whatever way they are written', () => {
    const secret = '???>>>-a-secret';
    const base64 = Buffer.from(secret).toString('base64');
    expect(base64).toMatch(/^Pz8\/Pj4\+/);
    for (const written of [
      base64,
      base64.replace('/', '_').replace('+', '-'),
      base64.replace('/', '\\/'),
      encodeURIComponent(base64),
      encodeURIComponent(encodeURIComponent(base64)),
    ]) {
      expect(redactText(`x ${written} y`, [secret])).toBe('x [removed] y');
    }
  });

  it.each(['\\', '\\u', '%25', '&amp;', ' ', '"', '"\\', '/'])(
    'of %j alone, however often, is read through once',
    (part) => {
      const text = part.repeat(200_000);
      for (const secret of [SECRET, '\\\\\\"\\"%%&&&a-secret']) expect(redactText(text, [secret])).toBe(text);
    },
  );
});
