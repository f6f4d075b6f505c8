import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** `npm run test:all`: campaigns, every form at every exit, every example through a shell, the recipes. */
export default defineConfig({
  ...base,
  test: { ...base.test, include: ['test/**/*.long.test.ts'], exclude: [], env: { ORGCTL_TEST_LONG: '1' } },
});
