import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { FROM_SOURCES } from '../test/support/from-sources.ts';
import { markdownText } from './markdown-text.mjs';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  plugins: [markdownText()],
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: FROM_SOURCES ? [] : ['test/support/built.mjs'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    coverage: { provider: 'v8', include: ['src/**/*.ts'] },
  },
});
