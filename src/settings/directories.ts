import { posix, win32 } from 'node:path';
import { UsageError } from '../errors.ts';
import type { Host } from '../host.ts';

type Machine = Pick<Host, 'env' | 'platform' | 'home'>;

/** Where settings and credentials are kept: ORGCTL_CONFIG_DIR, or the place this platform has for them. */
export function resolveConfigDirectory(machine: Machine): string {
  return resolveDirectory(machine, {
    variable: 'ORGCTL_CONFIG_DIR',
    windows: { variable: 'APPDATA', below: ['AppData', 'Roaming'], last: 'Config' },
    mac: ['Library', 'Preferences'],
    others: { variable: 'XDG_CONFIG_HOME', below: ['.config'] },
  });
}

/** Where recovery files, journals and the sandbox are kept: ORGCTL_STATE_DIR, or the place this platform has for them. */
export function resolveStateDirectory(machine: Machine): string {
  return resolveDirectory(machine, {
    variable: 'ORGCTL_STATE_DIR',
    windows: { variable: 'LOCALAPPDATA', below: ['AppData', 'Local'], last: 'Data' },
    mac: ['Library', 'Application Support'],
    others: { variable: 'XDG_STATE_HOME', below: ['.local', 'state'] },
  });
}

interface Places {
  readonly variable: string;
  readonly windows: { readonly variable: string; readonly below: readonly string[]; readonly last: string };
  readonly mac: readonly string[];
  readonly others: { readonly variable: string; readonly below: readonly string[] };
}

const NAME = 'orgctl';

function resolveDirectory({ env, platform, home }: Machine, places: Places): string {
  const given = env[places.variable];
  if (given !== undefined && given !== '') return given;
  const path = platform === 'win32' ? win32 : posix;
  const atHome = (folders: readonly string[]): string => {
    if (home !== '') return path.join(home, ...folders);
    throw new UsageError('there is no home folder to keep files in', { hint: `Set ${places.variable} to a folder.` });
  };
  // A relative path in these variables is to be ignored, by the XDG specification.
  const usual = ({ variable, below }: { readonly variable: string; readonly below: readonly string[] }): string => {
    const folder = env[variable] ?? '';
    return path.isAbsolute(folder) ? folder : atHome(below);
  };
  if (platform === 'win32') return path.join(usual(places.windows), NAME, places.windows.last);
  if (platform === 'darwin') return path.join(atHome(places.mac), NAME);
  return path.join(usual(places.others), NAME);
}
