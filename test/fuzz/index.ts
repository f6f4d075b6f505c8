export { findGrowth } from './growth.ts';
export { runTarget } from './run.ts';
export { TARGETS } from './targets.ts';
