import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/old/errors.ts';
import { isNameSafe } from '../../../src/old/names.ts';
import { toRequest } from '../../../src/old/service/operations.ts';
import { toQueryText } from '../../../src/old/service/query.ts';
import { anyText } from '../../support/text.ts';

describe('the query', () => {
  it.each<[string, Parameters<typeof toQueryText>[0], string]>([
    ['nothing', [], ''],
    ['undefined left out', [['q', undefined]], ''],
    ['empty text kept', [['q', '']], 'q='],
    ['brackets in names', [['page[number]', 2]], 'page%5Bnumber%5D=2'],
    ['commas, at signs and plus signs', [['email', 'a+b@x.com,c@x.com']], 'email=a%2Bb%40x.com%2Cc%40x.com'],
    ['spaces', [['q', 'ana maria']], 'q=ana%20maria'],
    ['what means something in a query', [['q', 'a&b=c#d?e%20']], 'q=a%26b%3Dc%23d%3Fe%2520'],
    ['other scripts', [['q', 'Zoë 名 👩‍💻']], 'q=Zo%C3%AB%20%E5%90%8D%20%F0%9F%91%A9%E2%80%8D%F0%9F%92%BB'],
    [
      'the order given',
      [
        ['b', 1],
        ['a', undefined],
        ['a', '2'],
      ],
      'b=1&a=2',
    ],
  ])('%s', (_name, query, text) => {
    expect(toQueryText(query)).toBe(text);
  });

  it('refuses half a character before anything is sent', () => {
    expect(() => toQueryText([['q', 'a\ud800']])).toThrow(UsageError);
  });

  it('gives back what was put in, whatever that is', () => {
    const text = anyText();
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), (pairs) => {
        const encoded = toQueryText(pairs);
        expect(encoded).not.toMatch(/[^\w.~!'()*%&=-]/);
        expect([...new URLSearchParams(encoded)]).toEqual(pairs);
      }),
    );
  });
});

describe('a path', () => {
  const toTeamsPath = (organization: string) =>
    toRequest({ operation: 'list-teams', parameters: { organization } }).path;

  it.each([
    ['acme', '/organizations/acme/teams'],
    ['a/b', '/organizations/a%2Fb/teams'],
    ['a b', '/organizations/a%20b/teams'],
    ['..a', '/organizations/..a/teams'],
    ['...', '/organizations/.../teams'],
    ['%2e%2e', '/organizations/%252e%252e/teams'],
    ['a?b#c', '/organizations/a%3Fb%23c/teams'],
    ['\\..\\', '/organizations/%5C..%5C/teams'],
    [':organization', '/organizations/%3Aorganization/teams'],
    ['名', '/organizations/%E5%90%8D/teams'],
  ])('%j is one segment', (name, text) => {
    expect(toTeamsPath(name)).toBe(text);
  });

  it.each(['', '.', '..', 'a\u0000b', 'a\nb', '\u001b[31m', '\u007f', '\u0085', '\ud800', 'a\udc00b'])(
    '%j is refused',
    (name) => {
      expect(isNameSafe(name)).toBe(false);
      expect(() => toTeamsPath(name)).toThrow(UsageError);
    },
  );

  it('brings every name that is not refused to the service unchanged', () => {
    fc.assert(
      fc.property(fc.array(anyText().filter(isNameSafe), { minLength: 2, maxLength: 2 }), (names) => {
        const [namespace = '', name = ''] = names;
        const { path } = toRequest({ operation: 'list-public-versions', parameters: { namespace, name } });
        const url = new URL(`http://127.0.0.1${path}`);
        expect(url.search + url.hash).toBe('');
        expect(url.pathname.split('/').slice(2, 4).map(decodeURIComponent)).toEqual(names);
      }),
    );
  });
});
