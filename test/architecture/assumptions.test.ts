import { expect, test } from 'vitest';
import { listMisplaced } from '../../.config/assumptions.mjs';
import { ROOT } from './sources.ts';

test('each file that assumes something has a command that proves or breaks it', () => {
  expect(listMisplaced(ROOT)).toEqual([]);
});
