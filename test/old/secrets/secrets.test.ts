import { describe, expect, it } from 'vitest';
import { createSecrets } from '../../../src/old/secrets/secrets.ts';

/** A token of the service, one of the sandbox, and one of every sign that has a meaning somewhere. */
const SECRETS = [
  'Abc9defGhiJklm.atlasv1.zq0123456789GHIJKLMNOPQRSTUVWXYZabcdefghijKLmnOPqrST',
  `sandbox.${'Ab3dEf9h'.repeat(7)}`,
  'aB3+/=%"&<\\-012.xyz~Qw?;:,*>_!(Zz){}[]|^#$@`\'kk00lkJ',
];

const twice = (text: string): string => JSON.stringify(JSON.stringify(text));
const toText = (text: string, form: BufferEncoding): string => Buffer.from(text).toString(form);
const redactText = (text: string, secrets: readonly string[]): string => createSecrets(...secrets).redactText(text);

describe('of a text is removed', () => {
  it.each<[string, string, readonly string[], string]>([
    ['nothing without a secret', 'a b', [], 'a b'],
    ['none of less than eight, which may be a word', 'HTTPS_PROXY', ['', 'x', 'S_PROXY'], 'HTTPS_PROXY'],
    ['one of eight', 'an eight-ch in a text', ['eight-ch'], 'an [removed] in a text'],
    ['no blanks that make eight', 'abcdefg', ['a b c d e f g'], 'abcdefg'],
    ['every one', 'x s3cret-0 s3cret-0s3cret-0', ['s3cret-0'], 'x [removed] [removed][removed]'],
    ['one that overlaps itself', 'x abababab y ababababab', ['abababab'], 'x [removed] y [removed]ab'],
    ['several', 'one-is-it two-is-it', ['one-is-it', 'two-is-it'], '[removed] [removed]'],
    ['one that begins like another', 'abcdefgh abcdefghij', ['abcdefgh', 'abcdefghij'], '[removed] [removed]'],
    ['one that begins like another for long', 'sandbox.abcdefg', ['sandbox.abcd', 'sandbox.abcdefg'], '[removed]'],
    ['one that is no pattern', 'a.c[d]e$& abcdde$&', ['a.c[d]e$&'], '[removed] abcdde$&'],
    ['half a character', 'x1234567\ud800y', ['1234567\ud800'], 'x[removed]y'],
    ['one behind a backslash, which stays', '\\"quoted0', ['"quoted0'], '\\[removed]'],
    ['one with a backslash behind a slash', 'x ab/\\cdefg y', ['ab/\\cdefg'], 'x [removed] y'],
    ['letters beyond ASCII, percent-encoded', encodeURIComponent('x-dömäne'), ['x-dömäne'], '[removed]'],
    ['a sign beyond 16 bits, as JSON may write it', '"a-\\ud83d\\ude00-bcde"', ['a-😀-bcde'], '"[removed]"'],
    ['a run of backslashes, percent-encoded', encodeURIComponent('!\\\\!!!!!!!!'), ['!\\\\!!!!!!!!'], '[removed]'],
    ['control characters, as JSON writes them', '"a\\b\\u0000-bcde"', ['a\b\0-bcde'], '"[removed]"'],
    ['a quote before a backslash, as JSON in JSON', twice('a"\\bcdefg'), ['a"\\bcdefg'], '"\\"[removed]\\""'],
    ['one with blanks, in whatever way they are', 'x a+b  c%20d\\ne&#32;fgh y', ['a+b c d e fgh'], 'x [removed] y'],
    ['one in hexadecimal', toText('abcdefgh', 'hex'), ['abcdefgh'], '[removed]'],
    ['a beginning with what follows it', 'x 0123456789abcdef… y', ['0123456789abcdefghijkl'], 'x [removed]… y'],
    ['no shorter beginning', '0123456789a', ['0123456789abcdefghijkl'], '0123456789a'],
    ['no word that happens to follow', '0123456789abcd and so', ['0123456789abcdandefgh'], '[removed] and so'],
    ['no name that a token ends in', 'a.team-manager of it', ['sandbox.team-manager'], 'a.team-manager of it'],
    ['an end with what is before it', 'x …bcdefghijkl2nop y', ['0123456789abcdefghijkl2nop'], 'x …[removed] y'],
    ['signs of base64, as URLs have them', toText('~~~?~~~?~', 'base64url'), ['~~~?~~~?~'], '[removed]'],
    ['signs, as HTML has them', 'a&lt;b&gt;c&quot;d&apos;e&amp;f', ['a<b>c"d\'e&f'], '[removed]'],
    ['a backslash, as the path of a URL has it', 'http://a.test/ab/cdefgh', ['ab\\cdefgh'], 'http://a.test/[removed]'],
    ['two backslashes, as JSON within JSON, and so on', `x${'\\'.repeat(32)}abcdefgh`, ['x\\\\abcdefgh'], '[removed]'],
  ])('%s', (_name, text, secrets, shown) => {
    expect(redactText(text, secrets)).toBe(shown);
  });

  it.each(['\\', '\\u', '\\\\x2', '%25', '%', '&amp;', '&', ' ', '"', '"\\', '/', 'a', 'a ', 'aB', 'a%\\'])(
    'nothing where there is %j alone, in a time that grows with it',
    (part) => {
      const text = part.repeat(20_000);
      for (const secret of SECRETS) expect(redactText(text, [secret])).toBe(text);
      expect(redactText(text, ['\\\\\\"\\"%%&&&a-secret'])).toBe(text);
    },
  );

  it('what would take too long to search, with all that follows; texts that are shown together share the time', () => {
    const redact = createSecrets(SECRETS[0]).createLimited();
    expect(redact('shown')).toBe('shown');
    const text = `${'\\t'.repeat(100_000)}${SECRETS[0]}`;
    const [, start = '', left] = /^(.*)… \((\d+) more characters\)$/.exec(redact(text)) ?? [];
    expect(text.startsWith(start)).toBe(true);
    expect(start.length + Number(left)).toBe(text.length);
    expect(redact(`x ${SECRETS[0]}`)).toMatch(/^… \(\d+ more characters\)$/);
  });

  it('one that is longer than any token', () => {
    const secret = Array.from({ length: 30_000 }, (_, at) => at.toString(36)).join('');
    expect(redactText(`x ${secret} y ${secret.slice(0, 500)} z`, [secret])).toBe('x [removed] y [removed] z');
  });
});

describe('a stream', () => {
  it('shows lines as soon as they cannot be a part of a secret', () => {
    const redactor = createSecrets('s3cret-of-mine').createRedactor();
    expect(redactor.push('one\ntwo')).toBe('one\n');
    expect(redactor.push('\nthe s3c')).toBe('two\n');
    expect(redactor.push('ret-of-\n')).toBe('the ');
    expect(redactor.push('mine\ns3\n')).toBe('[removed]\n');
    expect(redactor.push('x\n')).toBe('s3\nx\n');
    expect(redactor.flush()).toBe('');
  });

  it('is not cut within a secret of two lines', () => {
    const redactor = createSecrets('s3cret-of-mine').createRedactor();
    expect(redactor.push('x s3cret\n-of-mine and')).toBe('x ');
    expect(redactor.push(' more\n')).toBe('[removed] and more\n');
  });

  it('shows what it held back when nothing follows', () => {
    const redactor = createSecrets('s3cret-of-mine').createRedactor();
    expect(redactor.push('Waiting for s\n')).toBe('Waiting for ');
    expect(redactor.flush()).toBe('s\n');
  });

  it('holds back no more than a little', () => {
    const redactor = createSecrets('s3cret-of-mine').createRedactor();
    let [given, held] = [0, 0];
    for (let count = 0; count < 200; count += 1) {
      given += redactor.push(count === 0 ? 's' : '\n'.repeat(1_000)).length;
      held = Math.max(held, 1 + count * 1_000 - given);
    }
    expect(held).toBeLessThan(20_000);
    expect(redactor.push('x'.repeat(40_000)).length).toBeGreaterThan(20_000);
  });

  it('hides what becomes known meanwhile', () => {
    const secrets = createSecrets();
    const redactor = secrets.createRedactor();
    expect(redactor.push('s3cret-of-mine\n')).toBe('s3cret-of-mine\n');
    secrets.hide('s3cret-of-mine');
    expect(redactor.push('s3cret-of-mine\n')).toBe('[removed]\n');
  });
});
