import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** The folders whose tests start no process: `npm run test:fast` and `npm run dev` run them from the sources, unbuilt. */
const FAST = [
  'api',
  'architecture',
  'audit-trail',
  'config',
  'help',
  'lib',
  'members',
  'orgs',
  'output',
  'providers',
  'sandbox',
];
const OLD = ['files', 'input', 'organizations', 'people', 'rotation'];
const MORE_OLD = ['secrets', 'service', 'settings', 'stderr', 'stdout', 'text'];
/** They start processes, write much, or try the same thousands of times. */
const SLOW_OLD = [
  ...['rotation/lock-*', 'rotation/sinks/exec*', 'rotation/sinks/file', 'files/read-text'],
  ...['people/parse-people-file', 'secrets/secrets', 'secrets/steps'],
  'service/transport*',
];
const SLOW = ['permissions', 'releases', 'state'];

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: [
      ...FAST.map((folder) => `test/${folder}/**/*.test.ts`),
      'test/old/*.test.ts',
      ...[...OLD, ...MORE_OLD].map((folder) => `test/old/${folder}/**/*.test.ts`),
    ],
    exclude: [
      ...SLOW.map((name) => `test/sandbox/${name}.test.ts`),
      ...SLOW_OLD.map((name) => `test/old/${name}.test.ts`),
    ],
    globalSetup: [],
    env: { ORGCTL_TEST_SOURCES: '1' },
  },
});
