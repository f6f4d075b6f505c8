import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { textFiles } from './text-files.mjs';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  plugins: [textFiles()],
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['.config/built.mjs'],
    pool: 'forks',
    // More than two cores can do: proxies, signals and terminals keep some waiting.
    maxWorkers: 3,
    // Files share a process: none leaves anything behind that another would notice.
    isolate: false,
    // Tests that are concurrent only wait.
    maxConcurrency: 40,
    // Against hanging alone: twenty times and more of what any test takes on a quiet machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
