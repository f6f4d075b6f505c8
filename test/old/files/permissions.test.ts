import { expect, test } from 'vitest';
import { isOpenToOthers, isReadableByOthers, isWritableByOthers } from '../../../src/old/files/permissions.ts';

test.skipIf(process.platform === 'win32').each([
  [0o100600, [false, false, false]],
  [0o100640, [true, true, false]],
  [0o100604, [true, true, false]],
  [0o100620, [true, false, true]],
  [0o100602, [true, false, true]],
  [0o100610, [true, false, false]],
  [0o100700, [false, false, false]],
] as const)('mode %o is open to others, readable, writable: %o', (mode, answers) => {
  expect([isOpenToOthers, isReadableByOthers, isWritableByOthers].map((ask) => ask(mode))).toEqual(answers);
});
