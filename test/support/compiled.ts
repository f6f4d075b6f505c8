import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the processes of tests keep compiled code (NODE_COMPILE_CACHE), as the home of a single test has none. */
export const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));
// Some of them run under umask 000.
mkdirSync(COMPILED, { recursive: true, mode: 0o700 });
