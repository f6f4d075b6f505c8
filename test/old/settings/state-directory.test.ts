import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { organizationStateDirectory, serviceStateDirectory } from '../../../src/old/settings/directories.ts';

const ORIGIN = 'https://tfe.example:8443';
const SERVICE = join('/state', 'https%3A%2F%2Ftfe.example%3A8443');

test('a service has a folder, and each organization one in it', () => {
  expect(serviceStateDirectory('/state', ORIGIN)).toBe(SERVICE);
  expect(organizationStateDirectory('/state', ORIGIN, 'acme')).toBe(join(SERVICE, 'acme'));
});

test.each([
  // The service takes both for the same.
  ['ACME', 'acme'],
  ['.', '%2E'],
  ['..', '%2E%2E'],
  ['...', '%2E%2E%2E'],
  ['..a..b..', '%2E%2Ea..b%2E%2E'],
  ['a.b', 'a.b'],
  ['a*b*', 'a%2Ab%2A'],
  ['../x', '%2E%2E%2Fx'],
  ['a\\b', 'a%5Cb'],
  ['a\0', 'a%00'],
  ['a b', 'a%20b'],
  ['名', '%E5%90%8D'],
  ['%2e%2e', '%252e%252e'],
])('the organization %j has the folder %s', (organization, folder) => {
  expect(organizationStateDirectory('/state', ORIGIN, organization)).toBe(join(SERVICE, folder));
});

test('no two names share a folder, and none leads out of it', () => {
  const name = fc.string({ minLength: 1, unit: 'grapheme' }).map((text) => text.toLowerCase());
  fc.assert(
    fc.property(name, name, (one, other) => {
      const [first, second] = [one, other].map((text) => organizationStateDirectory('/state', ORIGIN, text));
      expect(first === second).toBe(one === other);
      expect(join(first ?? '', '..')).toBe(SERVICE);
    }),
  );
});
