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
/** They start processes, write much, or try the same thousands of times. */
const SLOW = [
  ...['rotation/lock-*', 'rotation/sinks/exec*', 'rotation/sinks/file', 'publish/refused', 'files/read-text'],
  ...['people/parse-people-file', 'roster/laws', 'roster/roster', 'secrets/secrets', 'secrets/steps'],
  ...['service/transport*', 'sandbox/permissions', 'sandbox/releases', 'sandbox/state'],
];

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/*.test.ts', ...[...ROOMS, ...MORE].map((room) => `test/${room}/**/*.test.ts`)],
    exclude: SLOW.map((name) => `test/${name}.test.ts`),
    globalSetup: [],
    env: { ORGCTL_TEST_SOURCES: '1' },
  },
});
