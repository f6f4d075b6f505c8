import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactBody, redactText } from '../../src/service/redact.ts';
import { anyText } from '../support/text.ts';

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
      [[{ a: [{ SECRET: 'x', Password: 'y' }] }], { 'private-key': 'z', private_key: 'z', access_token: 'q' }],
      [
        [{ a: [{ SECRET: '[removed]', Password: '[removed]' }] }],
        { 'private-key': '[removed]', private_key: '[removed]', access_token: '[removed]' },
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

  it('that is not JSON is told by its length alone', () => {
    expect(redactBody('<html>s3cret</html>')).toBe('(19 bytes that are not JSON)');
    expect(redactBody('é')).toBe('(2 bytes that are not JSON)');
    expect(redactBody('{"data":{"attributes":{"token":"s3cr')).toBe('(36 bytes that are not JSON)');
    expect(redactBody('')).toBe('');
  });
});

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
  ])('%s', (_name, text, secrets, shown) => {
    expect(redactText(text, secrets)).toBe(shown);
  });

  it('shows no secret, whatever the secrets and the text around them are', () => {
    const secret = anyText({ minLength: 12 });
    fc.assert(
      fc.property(fc.array(secret, { minLength: 1 }), fc.array(fc.string()), (secrets, around) => {
        const text = around.map((words, index) => words + (secrets[index] ?? '')).join('');
        const shown = redactText(text, secrets);
        const shownBody = redactBody(JSON.stringify({ text, list: [text] }), secrets);
        for (const each of secrets) {
          expect(shown).not.toContain(each);
          expect(shownBody).not.toContain(JSON.stringify(each).slice(1, -1));
        }
      }),
    );
  });
});
