import { posix, win32 } from 'node:path';
import { UsageError } from '../errors.ts';
import { readSecretText } from '../files/private-file.ts';
import type { Host } from '../host.ts';
import { isObject } from '../json-object.ts';
import { readVariable } from './environment.ts';

/** The tokens of `terraform login`. They are only read, never written. */
export interface TerraformCredentials {
  readonly path: string;
  /** By host name. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly fault: UsageError | undefined;
}

type Machine = Pick<Host, 'env' | 'platform' | 'home' | 'user'>;

/** Undefined where there is no such file. Throws UsageError where it cannot be read or is damaged. */
export function readTerraformCredentials(machine: Machine): TerraformCredentials | undefined {
  const path = findTerraformFile(machine);
  const file = path === undefined ? undefined : readSecretText(path, machine);
  if (path === undefined || file === undefined) return undefined;
  return { path, tokens: readTokens(file.text, path), fault: file.fault };
}

/** Where `terraform login` keeps tokens on this platform. Undefined where there is no home folder. */
export function findTerraformFile({ env, platform, home }: Omit<Machine, 'user'>): string | undefined {
  const file = 'credentials.tfrc.json';
  if (platform !== 'win32') return home === '' ? undefined : posix.join(home, '.terraform.d', file);
  const roaming = readVariable(env, 'APPDATA') ?? (home === '' ? undefined : win32.join(home, 'AppData', 'Roaming'));
  return roaming === undefined ? undefined : win32.join(roaming, 'terraform.d', file);
}

function readTokens(text: string, path: string): Readonly<Record<string, string>> {
  const hint = "It is Terraform's own file: repair it, or run terraform login again. It was not changed.";
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`${path} is not valid JSON`, { hint });
  }
  const { credentials = {} } = isObject(value) ? value : { credentials: undefined };
  if (!isObject(value) || !isObject(credentials)) {
    throw new UsageError(`${path} has no object of credentials`, { hint });
  }
  // Entries of another form belong to other programs.
  return Object.fromEntries(
    Object.entries(credentials).flatMap(([host, entry]) =>
      isObject(entry) && typeof entry['token'] === 'string' ? [[host, entry['token']] as const] : [],
    ),
  );
}
