import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../../src/rotation/sinks/redactor.ts';
import { SECRET, TOKEN } from './surroundings.ts';

function redact(secret: string, pieces: readonly string[]): string {
  const redactor = createRedactor(secret);
  return pieces.map((piece) => redactor.push(piece)).join('') + redactor.end();
}

const base64 = (text: string, kind: BufferEncoding = 'base64') => Buffer.from(text).toString(kind);

const FORMS: readonly (readonly [string, (secret: string) => string])[] = [
  ['as it is', (secret) => secret],
  ['in JSON', (secret) => JSON.stringify({ secret })],
  ['in a URL', encodeURIComponent],
  ['in a URL in lower case', (secret) => encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
  ['in base64', (secret) => base64(secret)],
  ['in base64url', (secret) => base64(secret, 'base64url')],
  ['in hexadecimal', (secret) => base64(secret, 'hex')],
  ['in basic authorization', (secret) => base64(`u:${secret}`)],
  ['in base64 behind three others', (secret) => base64(`usr${secret} and more`)],
  ['in base64 behind four others', (secret) => base64(`user${secret} and more`)],
  ['in base64 on several lines', (secret) => base64(secret).replace(/.{20}/g, '$&\n')],
];
/** What would give a part of the secret away: eight characters of any of its forms. */
function findLeaks(shown: string, secret: string): readonly string[] {
  const forms = [
    secret,
    base64(secret),
    base64(secret, 'base64url'),
    base64(secret, 'hex'),
    base64(`u:${secret}`).slice(4),
    base64(`user${secret}`).slice(8),
  ];
  const bare = shown.replaceAll('\n', '');
  return forms.flatMap((form) =>
    Array.from({ length: Math.max(0, form.length - 11) }, (_none, at) => form.slice(at, at + 12)).filter((part) =>
      bare.includes(part),
    ),
  );
}

describe('a secret', () => {
  it.each(FORMS)('is removed %s, however it is cut', (_title, toForm) => {
    for (const secret of [SECRET, TOKEN]) {
      const text = `before ${toForm(secret)} after\nnext\n`;
      for (let at = 0; at <= text.length; at += 1) {
        const shown = redact(secret, [text.slice(0, at), text.slice(at)]);
        expect(findLeaks(shown, secret)).toEqual([]);
        expect(shown).toContain('[removed]');
        expect(shown.startsWith('before ')).toBe(true);
        expect(shown.endsWith(' after\nnext\n')).toBe(true);
      }
      expect(findLeaks(redact(secret, text.split('')), secret)).toEqual([]);
    }
  });

  it('is removed each time, and nothing else is', () => {
    expect(redact('s3cret', ['a s3crets3cret b s3cre\ns3cres3cret'])).toBe(
      'a [removed][removed] b s3cre\ns3cre[removed]',
    );
  });

  it('that overlaps itself is removed', () => {
    expect(redact('abab', ['x abab', ' y\n'])).toBe('x [removed] y\n');
    expect(redact('abab', ['ab\nab\n'])).toBe('[removed]\n');
  });

  it('that is longer than any token lets nothing through', () => {
    expect(redact('x'.repeat(5_000), ['one\n', 'two'])).toBe('');
  });

  it('that is empty removes nothing', () => {
    expect(redact('', ['a\n', 'b'])).toBe('a\nb');
  });
});

describe('lines', () => {
  it('are shown as soon as they cannot be a part of the secret', () => {
    const redactor = createRedactor('s3cret');
    expect(redactor.push('one\ntwo')).toBe('one\n');
    expect(redactor.push('\nthe s3c')).toBe('two\n');
    expect(redactor.push('ret\ns3\n')).toBe('the [removed]\n');
    expect(redactor.push('x\n')).toBe('s3\nx\n');
    expect(redactor.end()).toBe('');
  });

  it('come out as they went in, but for the secret, in whatever pieces', () => {
    const piece = fc.string({ unit: fc.constantFrom('a', 'b', '\n', 's3cret', 's3', 'cret') });
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const whole = redact('s3cret', [pieces.join('')]);
        expect(redact('s3cret', pieces)).toBe(whole);
        expect(whole.replaceAll('\n', '')).not.toContain('s3cret'.repeat(1));
      }),
    );
  });
});
