import process from 'node:process';
import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** Only the tests that are meant to hold what is mutated; Stryker's own option for that leaves constants unmutated. */
export default defineConfig({
  ...base,
  test: { ...base.test, include: (process.env['ORGCTL_MUTATION_TESTS'] ?? '').split(' ') },
});
