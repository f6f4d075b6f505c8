export { createRelease, createSigningKey } from '../../support/release.ts';
export { runTrial } from './trial.ts';
