export { renderMatrix, runMatrix } from './matrix.ts';
export { createPlan } from './plan.ts';
export { runTrial, type TrialReport } from './trial.ts';
