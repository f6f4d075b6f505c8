import { createRequire } from 'node:module';
import { FROM_SOURCES } from './from-sources.ts';

type Main = Pick<typeof import('../../src/main.ts'), 'main'>;
type Layers = typeof import('./layers.ts');

const require = createRequire(import.meta.url);

/** The orgctl that tests run: the built one. It throws these classes, and not those in `src`. */
export const { main }: Main = FROM_SOURCES ? await import('../../src/main.ts') : require('../../dist/main.cjs');
export const { openSandbox, parseSeed, SandboxInputError, SandboxStateError, serveSandbox }: Layers = FROM_SOURCES
  ? await import('./layers.ts')
  : require('../../dist/layers.cjs');
