import { expect, test } from 'vitest';
import { compareNewestFirst } from '../../../src/old/resources/version-order.ts';

test('versions are ordered as Semantic Versioning says, newest first', () => {
  const ordered = [
    ...['10.0.0', '9.12.1', '9.2.10', '9.2.9', '1.0.0', '1.0.0-rc.1', '1.0.0-beta.11', '1.0.0-beta.2', '1.0.0-beta'],
    ...['1.0.0-alpha.beta', '1.0.0-alpha.1', '1.0.0-alpha', '0.0.90071992547409931', '0.0.90071992547409930'],
  ];
  expect(ordered.toReversed().toSorted(compareNewestFirst)).toEqual(ordered);
  expect(ordered.toSorted().toSorted(compareNewestFirst)).toEqual(ordered);
});

test('what stands behind a plus sign counts for nothing, and what is no version comes last', () => {
  const ordered = ['latest', '1.0.0+b', 'v2.0.0', '1.0.0+a', '1.0'].toSorted(compareNewestFirst);
  expect(ordered.join(' ')).toBe('v2.0.0 1.0.0+b 1.0.0+a latest 1.0');
});
