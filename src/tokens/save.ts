import { OrgctlError } from '../lib/errors.ts';
import { formatFileError } from '../lib/files.ts';
import type { Rotation } from './rotation.ts';
import type { RotationState } from './rotation-state.ts';

/** Throws an OrgctlError with this exit. */
export function saveState(
  { store, isDryRun }: Pick<Rotation, 'store' | 'isDryRun'>,
  state: RotationState,
  exit: 'usage' | 'failure' = 'failure',
): void {
  if (isDryRun) return;
  try {
    store.write(state);
  } catch (error) {
    throw new OrgctlError(exit, `can't write ${store.path}: ${formatFileError(error)}`, { cause: error });
  }
}
