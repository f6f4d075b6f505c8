import { createRequire } from 'node:module';
import process from 'node:process';

type Main = Pick<typeof import('../../src/main.ts'), 'main'>;

/** Whether tests run the sources in place of what was built, as `npm run test:fast` does. */
const FROM_SOURCES = process.env.ORGCTL_TEST_SOURCES === '1';

/** The orgctl that tests run in this process. */
export const { main }: Main = FROM_SOURCES
  ? await import('../../src/main.ts')
  : createRequire(import.meta.url)('../../dist/main.cjs');
