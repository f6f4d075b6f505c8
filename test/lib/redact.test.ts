import { expect, test } from 'vitest';
import { createRedactor } from '../../src/lib/redact.ts';

// Base64 and base64 of URLs differ.
const SECRET = 'p"äss/w+rd>of?1~';

test.each([
  ['plain', SECRET],
  ['JSON', JSON.stringify(SECRET).slice(1, -1)],
  ['a URL', encodeURIComponent(SECRET)],
  ['base64', Buffer.from(SECRET).toString('base64').replace(/=+$/, '')],
  ['base64 of URLs', Buffer.from(SECRET).toString('base64url')],
  ['hex', Buffer.from(SECRET).toString('hex')],
  ['upper-case hex', Buffer.from(SECRET).toString('hex').toUpperCase()],
  ['base64 of lines', Buffer.from(SECRET).toString('base64').replace(/=+$/, '').replace(/.{10}/g, '$&\n')],
  ['a narrow terminal', SECRET.replace(/.{5}/g, '$&\r\n')],
])('a secret is removed as %s writes it', (_name, written) => {
  const redactor = createRedactor();
  redactor.add(SECRET);
  expect(redactor.text(`before ${written} after`)).toBe('before [removed] after');
});

test('values under the names of secrets are removed from JSON too', () => {
  const redactor = createRedactor();
  const json =
    '{"data":{"token":"what","name":"ci","links":{"shasums-upload":"https://a","download_url":"https://b"}}}';
  expect(JSON.stringify(redactor.json(JSON.parse(json)))).toBe(json.replace(/what|https:..\w/g, '[removed]'));
});

test('keeps text that is too short to be a secret', () => {
  const redactor = createRedactor();
  redactor.add('abc', undefined);
  expect(redactor.text('abc')).toBe('abc');
});

test.each(['', 'u', 'us', 'user:'])(
  'a secret behind %j is removed from base64, but for letters at its ends',
  (before) => {
    const redactor = createRedactor();
    redactor.add(SECRET);
    const shown = redactor.text(Buffer.from(`${before}${SECRET}!`).toString('base64'));
    expect(shown).toMatch(/^.{0,8}\[removed\].{0,4}$/);
  },
);
