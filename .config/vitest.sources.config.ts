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
  'tokens',
];
const SLOW = ['sandbox/permissions', 'sandbox/releases', 'sandbox/state', 'tokens/places'];

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: FAST.map((folder) => `test/${folder}/**/*.test.ts`),
    exclude: SLOW.map((name) => `test/${name}.test.ts`),
    globalSetup: [],
    env: { ORGCTL_TEST_SOURCES: '1' },
  },
});
