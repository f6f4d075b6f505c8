import { expect, test } from 'vitest';
import { listMisplaced, renderAssumptions } from '../../.config/assumptions.mjs';
import { ROOT } from './sources.ts';

test('each file that assumes something has a command that proves or breaks it', () => {
  expect(listMisplaced(ROOT)).toEqual([]);
});

/** How a bullet begins or speaks that can't be understood without the code beside it. */
const FAULTS: readonly RegExp[] = [
  /^(?:so|these|this|those|that|it|its|they|as|and|also|null|undefined|what|who|others|absolute)\b/i,
  /^\d/,
  /\b(?:so many|undefined|the next|this file)\b/,
];

const findFaults = (bullet: string): boolean =>
  FAULTS.some((fault) => fault.test(bullet)) || !/^[A-Z].*[.]$/.test(bullet);

test('each assumption is a whole sentence that needs no code beside it', () => {
  const bullets = renderAssumptions(ROOT)
    .split('\n')
    .flatMap((line) => (line.startsWith('- ') ? line.slice(2) : []));
  expect(bullets.length).toBeGreaterThan(100);
  expect(bullets.filter(findFaults)).toEqual([]);
  expect(bullets.filter((bullet) => /Assumed/.test(bullet))).toEqual([]);
});
