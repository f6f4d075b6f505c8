import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRawCall } from '../../src/api/raw-request.ts';
import { UsageError } from '../../src/lib/errors.ts';

test.each([
  ['/organizations/acme/teams', '/organizations/acme/teams', 'acme'],
  ['organizations/acme/teams', '/organizations/acme/teams', 'acme'],
  ['organizations/größe', '/organizations/gr%C3%B6%C3%9Fe', 'größe'],
  ['account/details?include=x', '/account/details', undefined],
])('%s', (typed, path, org) => {
  expect(createRawCall('GET', typed, [['page[size]', '1']])).toMatchObject({ method: 'GET', path, org });
});

const BASE = new URL('https://tfe.test/api/v2/');

test.each([
  '/api/v2/organizations/acme/teams',
  'https://tfe.test/api/v2/organizations/acme/teams',
  'https://tfe.test/api/v2/organizations/acme/teams?x=1',
  '/organizations/acme/teams',
])('%s is below the base URL', (typed) => {
  expect(createRawCall('GET', typed, [], BASE)).toMatchObject({ path: '/organizations/acme/teams', org: 'acme' });
});

test.each([
  'https://tfe.test/api/v1/x',
  'https://tfe.test.evil.example/api/v2/x',
  'https://evil.example/api/v2/x',
  'http://tfe.test/api/v2/x',
  'https://ana@tfe.test/api/v2/x',
  '/api/v2/../x',
  '/api/v2//evil.example/x',
  'https://tfe.test/api/v2/%2e%2e/x',
  'C:/Program Files/Git/organizations/acme/teams',
])('%s is not below the base URL', (typed) => {
  expect(() => createRawCall('GET', typed, [], BASE)).toThrow(UsageError);
});

test.each(['', '/', 'https://evil.example/x', '/../x', 'a/%2e%2e/%2e%2e/x', '\\evil', 'a#b', 'a\nb'])(
  '%j is not a path below the base URL',
  (typed) => expect(() => createRawCall('GET', typed, [])).toThrow(UsageError),
);

test('no path leads away from the base URL', () => {
  const pieces = fc.constantFrom(...'/ . .. %2e %2E %2f %5c \\ a ? # @ : %c0%ae ü'.split(' '));
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 10 }), (words) => {
      let path: string;
      try {
        ({ path } = createRawCall('GET', words.join(''), []));
      } catch (error) {
        expect(error).toBeInstanceOf(UsageError);
        return;
      }
      const base = 'https://service.invalid/api/v2';
      expect(new URL(base + path).href.startsWith(`${base}/`)).toBe(true);
    }),
  );
});

test('sends a badly encoded path unchanged', () => {
  expect(createRawCall('GET', 'organizations/%zz/teams', [])).toMatchObject({
    path: '/organizations/%zz/teams',
    org: '%zz',
  });
});
