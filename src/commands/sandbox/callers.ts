/** Who `--as` may name: known without loading the sandbox. */
export { CALLER_KINDS } from '../../sandbox/callers.ts';
