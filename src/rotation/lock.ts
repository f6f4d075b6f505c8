import { resolve } from 'node:path';
import * as processLock from '../files/process-lock.ts';

/** One rotation at a time in a folder. */

export function toLockPlace(directory: string): processLock.LockPlace {
  return {
    lock: resolve(directory, 'rotation.lock'),
    holder: resolve(directory, 'rotation.holder'),
    what: 'a rotation',
    elsewhere: 'Set ORGCTL_STATE_DIR to a folder',
    yours: 'set ORGCTL_STATE_DIR to a folder of yours',
  };
}

export const takeLock = (directory: string, options: processLock.LockOptions): Promise<processLock.Lock> =>
  processLock.takeLock(toLockPlace(directory), options);

/** Does this under the lock, which is released whatever comes. Throws what `takeLock` and `act` throw. */
export const holdLock = <T>(directory: string, options: processLock.LockOptions, act: () => Promise<T>): Promise<T> =>
  processLock.holdLock(toLockPlace(directory), options, act);

/** The holder in words; undefined where no one has the lock. */
export const findHolder = (directory: string, now: number): Promise<string | undefined> =>
  processLock.findHolder(toLockPlace(directory), now);
