import { join, posix, win32 } from 'node:path';
import { toFault, UsageError } from '../errors.ts';
import { isAbsence, listFolder } from '../files/look.ts';
import type { Host } from '../host.ts';
import { foldName } from '../names.ts';

const CONFIG_VARIABLE = 'ORGCTL_CONFIG_DIR';
const STATE_VARIABLE = 'ORGCTL_STATE_DIR';

type Machine = Pick<Host, 'env' | 'platform' | 'home'>;

/**
 * Where settings and credentials are kept: ORGCTL_CONFIG_DIR, or the place this platform has for them. Undefined where
 * there is no home folder either; the error where the variable holds a relative path.
 */
export function findConfigDirectory(machine: Machine): string | UsageError | undefined {
  return findDirectory(machine, {
    variable: CONFIG_VARIABLE,
    windows: { variable: 'APPDATA', below: ['AppData', 'Roaming'], last: 'Config' },
    mac: ['Library', 'Preferences'],
    others: { variable: 'XDG_CONFIG_HOME', below: ['.config'] },
  });
}

/**
 * Where recovery files, journals and the sandbox are kept: ORGCTL_STATE_DIR, or the place this platform has for them.
 * Throws UsageError for a relative path, and where there is no home folder either.
 */
export function resolveStateDirectory(machine: Machine): string {
  const directory = findDirectory(machine, {
    variable: STATE_VARIABLE,
    windows: { variable: 'LOCALAPPDATA', below: ['AppData', 'Local'], last: 'Data' },
    mac: ['Library', 'Application Support'],
    others: { variable: 'XDG_STATE_HOME', below: ['.local', 'state'] },
  });
  if (directory === undefined) throw createNoHomeError(STATE_VARIABLE);
  if (directory instanceof UsageError) throw directory;
  return directory;
}

export function createNoHomeError(variable: string = CONFIG_VARIABLE): UsageError {
  return new UsageError('no home folder to keep files in', {
    hint: `Set HOME to an absolute path, or ${variable} to a folder.`,
  });
}

interface Places {
  readonly variable: string;
  readonly windows: { readonly variable: string; readonly below: readonly string[]; readonly last: string };
  readonly mac: readonly string[];
  readonly others: { readonly variable: string; readonly below: readonly string[] };
}

const NAME = 'orgctl';

function findDirectory({ env, platform, home }: Machine, places: Places): string | UsageError | undefined {
  const path = platform === 'win32' ? win32 : posix;
  const given = env[places.variable] ?? '';
  if (path.isAbsolute(given)) return given;
  if (given !== '') {
    return new UsageError(`${places.variable} must be an absolute path, not '${given}'`, {
      hint: 'A relative path is another folder wherever you run orgctl.',
    });
  }
  const join = (base: string | undefined, ...folders: readonly string[]): string | undefined =>
    base === undefined ? undefined : path.join(base, ...folders);
  const atHome = (folders: readonly string[]) => join(home === '' ? undefined : home, ...folders);
  // A relative path in these variables is to be ignored, by the XDG specification.
  const usual = ({ variable, below }: { readonly variable: string; readonly below: readonly string[] }) => {
    const folder = env[variable] ?? '';
    return path.isAbsolute(folder) ? folder : atHome(below);
  };
  if (platform === 'win32') return join(usual(places.windows), NAME, places.windows.last);
  if (platform === 'darwin') return join(atHome(places.mac), NAME);
  return join(usual(places.others), NAME);
}

export function serviceStateDirectory(stateDirectory: string, origin: string): string {
  return join(stateDirectory, toDirectoryName(origin));
}

export function organizationStateDirectory(stateDirectory: string, origin: string, organization: string): string {
  return join(serviceStateDirectory(stateDirectory, origin), toDirectoryName(foldName(organization)));
}

/** `name`: a name on every system. */
export function tokenStateDirectory(organizationDirectory: string, name: string): string {
  return join(organizationDirectory, 'tokens', name);
}

/** One name below its folder on every system: dots at the ends lead elsewhere or are lost, a star is not allowed. */
function toDirectoryName(text: string): string {
  return encodeURIComponent(text)
    .replaceAll('*', '%2A')
    .replace(/^\.+|(?<!\.)\.+$/g, (dots) => '%2E'.repeat(dots.length));
}

export interface OrganizationFolder {
  readonly organization: string;
  readonly folder: string;
  /** Those of its tokens: that of the audit trail token is the folder itself. */
  readonly tokens: readonly string[];
}

/** What is kept of one service. Throws UsageError where a folder can't be searched. */
export function listOrganizationFolders(service: string): readonly OrganizationFolder[] {
  return listFolders(service).map((name) => {
    const folder = join(service, name);
    const others = listFolders(tokenStateDirectory(folder, ''));
    const tokens = [folder, ...others.map((token) => tokenStateDirectory(folder, token))];
    return { organization: fromDirectoryName(name), folder, tokens };
  });
}

/** What is kept of each service. Throws UsageError where the folder can't be searched. */
export function listServiceFolders(
  stateDirectory: string,
): readonly { readonly origin: string; readonly folder: string }[] {
  return listFolders(stateDirectory).map((name) => ({
    origin: fromDirectoryName(name),
    folder: join(stateDirectory, name),
  }));
}

function listFolders(folder: string): readonly string[] {
  try {
    return listFolder(folder).flatMap(({ name, isFolder }) => (isFolder ? [name] : []));
  } catch (error) {
    if (isAbsence(error)) return [];
    throw new UsageError(`can't search ${folder}: ${toFault(error)}`, { hint: 'Check who owns it.', cause: error });
  }
}

function fromDirectoryName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
