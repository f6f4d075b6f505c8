export { runFaults, runForeign, TROUBLES } from './disturb.ts';
export { runDocument } from './document.ts';
export { runKills } from './kills.ts';
export { runMove } from './moves.ts';
export { startTrialService } from './service.ts';
export { runTrial, withHome } from './trial.ts';
