import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** What `npm run test:fast` and `npm run dev` run from the sources, unbuilt: all but the folders that take long. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    exclude: ['commands', 'e2e', 'foreign', 'recipes', 'faults', 'lists'].map((folder) => `test/${folder}/**`),
    globalSetup: [],
    env: { ORGCTL_TEST_SOURCES: '1' },
  },
});
