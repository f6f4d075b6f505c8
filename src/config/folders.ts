import { posix, win32 } from 'node:path';
import { UsageError } from '../lib/errors.ts';
import { type Runtime, readVariable } from '../lib/runtime.ts';

type Machine = Pick<Runtime, 'env' | 'platform' | 'home'>;

interface FolderNames {
  variable: string;
  windows: { variable: string; below: string[]; last: string };
  mac: string[];
  other: { variable: string; below: string[] };
}

/** The folder of settings and credentials. Undefined without a home folder. Throws UsageError for a relative path. */
export function findConfigFolder(machine: Machine): string | undefined {
  return findFolder(machine, {
    variable: 'ORGCTL_CONFIG_DIR',
    windows: { variable: 'APPDATA', below: ['AppData', 'Roaming'], last: 'Config' },
    mac: ['Library', 'Preferences'],
    other: { variable: 'XDG_CONFIG_HOME', below: ['.config'] },
  });
}

/** The folder of the sandbox's and the rotations' state. Throws UsageError. */
export function findStateFolder(machine: Machine): string {
  const folder = findFolder(machine, {
    variable: 'ORGCTL_STATE_DIR',
    windows: { variable: 'LOCALAPPDATA', below: ['AppData', 'Local'], last: 'Data' },
    mac: ['Library', 'Application Support'],
    other: { variable: 'XDG_STATE_HOME', below: ['.local', 'state'] },
  });
  if (folder === undefined) throw createNoHomeError('ORGCTL_STATE_DIR');
  return folder;
}

export function createNoHomeError(variable: string): UsageError {
  return new UsageError('there is no home folder to keep files in', { hint: `Set HOME or ${variable}.` });
}

function findFolder({ env, platform, home }: Machine, names: FolderNames): string | undefined {
  const path = platform === 'win32' ? win32 : posix;
  const given = readVariable(env, names.variable);
  if (given !== undefined) {
    if (path.isAbsolute(given)) return given;
    throw new UsageError(`${names.variable} must be an absolute path, not '${given}'`);
  }
  const join = (base: string, ...folders: string[]) => (base === '' ? undefined : path.join(base, ...folders));
  if (platform === 'darwin') return join(home, ...names.mac, 'orgctl');
  const { variable, below } = platform === 'win32' ? names.windows : names.other;
  const set = readVariable(env, variable) ?? '';
  // The XDG specification ignores relative paths.
  const base = path.isAbsolute(set) ? set : (join(home, ...below) ?? '');
  return platform === 'win32' ? join(base, 'orgctl', names.windows.last) : join(base, 'orgctl');
}
