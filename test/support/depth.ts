import process from 'node:process';

/** How much of what has no end is tried: `few` by `npm test`, `many` by `npm run test:all`. */
export function few<T>(few: T, many: T): T {
  return process.env['ORGCTL_TEST_LONG'] === '1' ? many : few;
}
