import { type LockOptions, type LockPlace, withLock } from '../../src/old/files/process-lock.ts';

/** A lock that is held by what goes on elsewhere. */
export interface Lock {
  release(): Promise<void>;
}

/** Holds it until it is released. Fails as `withLock` does. */
export async function takeLock(place: LockPlace, options: LockOptions): Promise<Lock> {
  return await new Promise((taken, failed) => {
    const ended = withLock(
      place,
      options,
      () =>
        new Promise<void>((end) => {
          taken({
            async release() {
              end();
              await ended;
            },
          });
        }),
    );
    ended.catch(failed);
  });
}
