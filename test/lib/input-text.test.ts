import { describe, expect, test } from 'vitest';
import { assertVisible, decodeText } from '../../src/lib/input-text.ts';

const TEXT = 'email\r\nzoë@example.com\r\n';
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

describe('decodeText', () => {
  test.each<[name: string, bytes: Uint8Array]>([
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-8 with a BOM', Buffer.from(`\ufeff${TEXT}`)],
    ['UTF-16 of Windows', utf16(`\ufeff${TEXT}`)],
    ['UTF-16 of network order', utf16(`\ufeff${TEXT}`).swap16()],
  ])('reads %s', (_name, bytes) => expect(decodeText(bytes, 'people.csv')).toBe(TEXT));

  test.each<[bytes: Uint8Array, message: string]>([
    [Buffer.from(TEXT, 'latin1'), 'people.csv is not UTF-8: line 2'],
    [Buffer.from('ana\r\rzo\x81', 'latin1'), 'people.csv is not UTF-8: line 3'],
    [utf16('\ufeffa').subarray(0, 3), 'people.csv is not UTF-16LE: line 1'],
    ...[utf16(TEXT), utf16('email').swap16(), Buffer.from('email\nana\0')].map((bytes): [Buffer, string] => [
      bytes,
      'people.csv has NULs: it is UTF-16 or UTF-32 without its byte order mark, or no text',
    ]),
    ...['504b03042014', 'd0cf11e0a1b11ae1'].map((hex): [Buffer, string] => [
      Buffer.from(hex, 'hex'),
      'people.csv is a workbook, or another archive, not text',
    ]),
  ])('%#: names what it is', (bytes, message) => {
    expect(() => decodeText(bytes, 'people.csv')).toThrow(expect.objectContaining({ exit: 'usage', message }));
  });
});

describe('assertVisible', () => {
  test.each(['ana@example.com', ' ana\t\r\n', "o'brien@example.com", 'Zoë Ünal', 'zoe\u0308', '日本', '👩', ''])(
    'takes %j',
    (text) => expect(assertVisible(text)).toBeUndefined(),
  );

  test.each([
    ['a\u200bb', "'a<U+200B>b' has invisible characters: U+200B"],
    ['\ufeffana', "'<U+FEFF>ana' has invisible characters: U+FEFF"],
    ['ana\u00a0', "'ana<U+00A0>' has invisible characters: U+00A0"],
    ['a\u00adb\u202ec\u00ad', "'a<U+00AD>b<U+202E>c<U+00AD>' has invisible characters: U+00AD, U+202E"],
    ['ana\u3164', "'ana<U+3164>' has invisible characters: U+3164"],
    ['ana\ufe0f', "'ana<U+FE0F>' has invisible characters: U+FE0F"],
    ['ana\u{e0061}', "'ana<U+E0061>' has invisible characters: U+E0061"],
    ['ana\u2800', "'ana<U+2800>' has invisible characters: U+2800"],
    ['a\u3000b', "'a<U+3000>b' has invisible characters: U+3000"],
    ['a\nb', "'a<U+000A>b' has invisible characters: U+000A"],
    ['\u00a0', "'<U+00A0>' has invisible characters: U+00A0"],
    ...['"a"', "'a'", '`a`', '“a”', '„a“', '‘a’', '«a»', '‹a›', '"a', 'a”'].map((text) => [
      text,
      `'${text}' has quotes around it`,
    ]),
  ])('%j is refused', (text, message) => expect(() => assertVisible(text)).toThrow(message));

  test('has no secret in its message', () => {
    expect(() => assertVisible('"sec-ret"', 'ORGCTL_TOKEN')).toThrow(/^ORGCTL_TOKEN has quotes around it$/);
    expect(() => assertVisible('sec\u200bret', 'stdin')).toThrow(/^stdin has invisible characters: U\+200B$/);
  });
});
