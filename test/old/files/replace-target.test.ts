import { expect, test } from 'vitest';
import { isForContentOnly } from '../../../src/old/files/replace-target.ts';

test.each([
  ['EBUSY', true, true],
  ['EPERM', true, false],
  ['EACCES', true, false],
  ['EBUSY', false, true],
  ['EPERM', false, true],
  ['EACCES', false, true],
  ['ENOSPC', false, false],
])('a rename that ends with %s, with permissions: %s, leaves writing in place: %s', (code, hasPermissions, inPlace) => {
  expect(isForContentOnly(code, hasPermissions)).toBe(inPlace);
});
