import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** For `npm run dev` and `npm run test:fast`: tests that start no process, from the sources. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    exclude: ['e2e', 'foreign', 'recipes', 'faults', 'lists'].map((folder) => `test/${folder}/**`),
    globalSetup: [],
    env: { ORGCTL_TEST_SOURCES: '1' },
  },
});
