import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { FROM_SOURCES } from '../test/support/from-sources.ts';
import { markdownText } from './markdown-text.mjs';

/** `npm test` leaves out what takes long, `npm run test:all` runs nothing else: files that end in .long.test.ts. */
const LONG = 'test/**/*.long.test.ts';
const runsLong = process.env['ORGCTL_TEST_LONG'] === '1';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  plugins: [markdownText()],
  test: {
    include: [runsLong ? LONG : 'test/**/*.test.ts'],
    exclude: runsLong ? [] : [LONG],
    globalSetup: FROM_SOURCES ? [] : ['test/support/built.mjs'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    coverage: { provider: 'v8', include: ['src/**/*.ts'] },
  },
});
