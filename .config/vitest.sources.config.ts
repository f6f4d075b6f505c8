import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** The rooms whose tests start no process: `npm run test:fast` and `npm run dev` run them from the sources, unbuilt. */
const ROOMS = [
  'audit-trail',
  'files',
  'input',
  'manual',
  'organizations',
  'people',
  'provider-list',
  'publish',
  'roster',
];
const MORE = ['rotation', 'sandbox', 'secrets', 'service', 'settings', 'stderr', 'stdout', 'text'];
const STARTS_PROCESSES = ['test/rotation/lock-*.test.ts', 'test/rotation/sinks/exec*.test.ts'];

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/*.test.ts', ...[...ROOMS, ...MORE].map((room) => `test/${room}/**/*.test.ts`)],
    exclude: ['test/**/*.long.test.ts', ...STARTS_PROCESSES],
    globalSetup: [],
    env: { ORGCTL_TEST_SOURCES: '1' },
  },
});
