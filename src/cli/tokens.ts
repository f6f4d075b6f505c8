import { findStateFolder } from '../config/folders.ts';
import type { StatePlace } from '../tokens/rotation-state.ts';
import type { Session } from './session.ts';

/** Where the state of this service's tokens is kept. */
export function findStatePlace({ runtime, settings, isSandbox }: Session): StatePlace {
  const service = isSandbox ? 'sandbox' : new URL(settings['base-url'].value).host;
  return { stateFolder: findStateFolder(runtime), service };
}
