import { posix, win32 } from 'node:path';
import { UsageError } from '../lib/errors.ts';
import { type Runtime, readVariable } from '../lib/runtime.ts';

type Machine = Pick<Runtime, 'env' | 'platform' | 'home'>;
/** The variable that names a base folder, the usual base folder in the home folder, and orgctl's own in the base folder. */
type FolderPath = [variable: string, base: string, own: string];
type FolderPaths = Record<'win32' | 'darwin' | 'other', FolderPath>;

/** The folder of settings and credentials. Undefined without a home folder. Throws UsageError for a relative path. */
export function findConfigFolder(machine: Machine): string | undefined {
  return findFolder(machine, 'ORGCTL_CONFIG_DIR', {
    win32: ['APPDATA', 'AppData/Roaming', 'orgctl/Config'],
    darwin: ['', 'Library/Preferences', 'orgctl'],
    other: ['XDG_CONFIG_HOME', '.config', 'orgctl'],
  });
}

/** The folder of the sandbox's and the rotations' state. Throws UsageError. */
export function findStateFolder(machine: Machine): string {
  const folder = findFolder(machine, 'ORGCTL_STATE_DIR', {
    win32: ['LOCALAPPDATA', 'AppData/Local', 'orgctl/Data'],
    darwin: ['', 'Library/Application Support', 'orgctl'],
    other: ['XDG_STATE_HOME', '.local/state', 'orgctl'],
  });
  if (folder === undefined) throw createNoHomeError('ORGCTL_STATE_DIR');
  return folder;
}

export function createNoHomeError(variable: string): UsageError {
  return new UsageError('there is no home folder to keep files in', { hint: `Set HOME or ${variable}.` });
}

function findFolder({ env, platform, home }: Machine, variable: string, places: FolderPaths): string | undefined {
  const path = platform === 'win32' ? win32 : posix;
  const given = readVariable(env, variable);
  if (given !== undefined) {
    if (path.isAbsolute(given)) return given;
    throw new UsageError(`${variable} must be an absolute path, not '${given}'`);
  }
  const [name, base, own] = places[platform === 'win32' || platform === 'darwin' ? platform : 'other'];
  const set = readVariable(env, name) ?? '';
  // The XDG specification ignores relative paths.
  if (path.isAbsolute(set)) return path.join(set, own);
  return path.isAbsolute(home) ? path.join(home, base, own) : undefined;
}
