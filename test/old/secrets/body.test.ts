import { describe, expect, it } from 'vitest';
import { findSecrets, findTokens } from '../../../src/old/secrets/find.ts';
import { createSecrets } from '../../../src/old/secrets/secrets.ts';

describe('a body', () => {
  it.each<[string, unknown, unknown]>([
    ['nothing of it', { data: { id: '1' } }, { data: { id: '1' } }],
    ['the token of a creation', { a: { token: 's3cret', b: null } }, { a: { token: '[removed]', b: null } }],
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
    expect(JSON.parse(createSecrets().redactBody(JSON.stringify(body)))).toEqual(shown);
  });

  it('loses a known secret wherever it stands, also written with escapes', () => {
    const body = '{"echo":"Bearer s3cret-0","s3cret-0":1,"escaped":"\\u00733cret-0"}';
    const shown = '{"echo":"Bearer [removed]","[removed]":1,"escaped":"[removed]"}';
    expect(createSecrets('s3cret-0').redactBody(body)).toBe(shown);
  });

  it('loses every text where it may hold a secret that is not known', () => {
    const body = '{"data":{"id":"at-1","value":["s3cret",1,null],"token":"s3cret"}}';
    const shown = '{"data":{"id":"[removed]","value":["[removed]",1,null],"token":"[removed]"}}';
    expect(createSecrets().maskBody(body)).toBe(shown);
  });

  it('nested without end is shown to a depth', () => {
    const deep = `${'[{"a":'.repeat(100_000)}"s3cret-0"${'}]'.repeat(100_000)}`;
    const shown = createSecrets('s3cret-0').redactBody(deep);
    expect(shown).toMatch(/^(\[\{"a":)+\[?"…"\]?(\}\])+$/);
    expect(shown.length).toBeLessThan(1_000);
  });

  it('is shown a hundred levels deep, and no deeper', () => {
    const nested = (levels: number): string => `${'['.repeat(levels)}"end"${']'.repeat(levels)}`;
    expect(createSecrets().redactBody(nested(101))).toBe(nested(101));
    expect(createSecrets().redactBody(nested(102))).toBe(nested(102).replace('["end"]', '"…"'));
  });

  it('that is not JSON is shown by its length alone', () => {
    const { redactBody } = createSecrets();
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

describe('what may be a new token', () => {
  it('is a long word of letters and digits, and no id, date or address', () => {
    const secret = `abcdefghijklmn.atlasv1.${'Ab3'.repeat(20)}`;
    const body = JSON.stringify({
      id: 'at-0123456789abcdef',
      self: '/api/v2/organizations/acme2/authentication-token',
      'created-at': '2026-11-21T09:00:00.000Z',
      type: 'organization-memberships',
      meta: { [`of ${secret}`]: `got ${secret}, once` },
    });
    expect(findTokens(body)).toEqual([secret]);
    expect(findTokens(`<title>${secret}`)).toEqual([secret]);
  });
});

describe('an answer', () => {
  it.each<[string, string, string]>([
    ['as it came, where no secret is in it', '{ "token" : "another" }\n', '{ "token" : "another" }\n'],
    ['as it came, where it only looks so', '{ "a" : "s&amp;b s\\"cre%41" }\n', '{ "a" : "s&amp;b s\\"cre%41" }\n'],
    [
      'as JSON without the secret, in texts and names at any depth',
      String.raw`{ "echo": "a s\"cret-of-mine", "s\"cret-of-mine": [1, null, true, ["s\"cret-of-mine"], {"n": 0}] }`,
      '{ "echo": "a [removed]", "[removed]": [1, null, true, ["[removed]"], {"n": 0}] }',
    ],
    ['with what other secrets there are', '["s\\"cret-of-mine",{"token":"x"}]', '["[removed]",{"token":"x"}]'],
    ['as text without the secret, where it is no JSON', '<p>s"cret-of-mine</p>', '<p>[removed]</p>'],
    ['as text that begins with the secret', 's"cret-of-mine is it', '[removed] is it'],
  ])('is given %s', (_name, text, given) => {
    expect(createSecrets('s"cret-of-mine').redactAnswer(text)).toBe(given);
  });
});

describe('a value', () => {
  it('loses secrets in texts and names, and keeps all else', () => {
    const value = {
      'a"b"cdefg': [1, null, true, 'x a"b"cdefg', undefined],
      token: 'y',
      quiet: { __proto__: null, n: 0 },
    };
    expect(createSecrets('a"b"cdefg').redactValue(value)).toEqual({
      '[removed]': [1, null, true, 'x [removed]', undefined],
      token: '[removed]',
      quiet: { n: 0 },
    });
  });
});
