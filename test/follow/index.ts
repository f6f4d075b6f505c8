export { canMount, DISKS, fillDisk } from './disks.ts';
export { followForeign } from './foreign.ts';
export { playScenes } from './gaps.ts';
export { runTrial } from './kills.ts';
export { killWrites } from './log.ts';
export { killAtEveryPoint } from './points.ts';
export { rotateWhileFollowing } from './rotations.ts';
