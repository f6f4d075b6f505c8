import { posix, win32 } from 'node:path';
import { UsageError } from '../errors.ts';
import type { Host } from '../host.ts';
import { isObject } from '../json-object.ts';
import { readVariable } from './environment.ts';
import { readPrivateText } from './private-file.ts';

/** The tokens that `terraform login` keeps. They are only read, never written. */
export interface TerraformCredentials {
  /** By host name, as written there. */
  readonly tokens: Readonly<Record<string, string>>;
  /** The file they come from. */
  readonly path: string | undefined;
  /** Why a file that is there was not read. */
  readonly unread?: string;
}

type Machine = Pick<Host, 'env' | 'platform' | 'home' | 'cwd'>;

/** Of two variables the first that is set wins, as Terraform has it. */
const FILE_VARIABLES = ['TF_CLI_CONFIG_FILE', 'TERRAFORM_CONFIG'] as const;

/**
 * Reads Terraform's `credentials.tfrc.json`; where a variable names another file of settings, that one alone, as
 * Terraform does. Throws UsageError for a file that is damaged, or that others may read.
 */
export function readTerraformCredentials(machine: Machine): TerraformCredentials {
  const variable = FILE_VARIABLES.find((name) => readVariable(machine.env, name) !== undefined);
  const path = variable === undefined ? findTerraformFile(machine) : toAbsolute(machine, machine.env[variable] ?? '');
  const text = path === undefined ? undefined : readPrivateText(path, machine.platform);
  if (path === undefined || text === undefined) return { tokens: {}, path: undefined };
  // Settings are usually in Terraform's own language. Credentials written there are not understood.
  if (variable !== undefined && !text.trimStart().startsWith('{')) {
    return { tokens: {}, path, unread: `${path} (${variable}) is not JSON, so it was not searched for tokens` };
  }
  return { tokens: toTokens(text, path), path };
}

/** Where `terraform login` keeps tokens on this platform. Undefined where there is no home folder. */
export function findTerraformFile({ env, platform, home }: Omit<Machine, 'cwd'>): string | undefined {
  const file = 'credentials.tfrc.json';
  if (platform !== 'win32') return home === '' ? undefined : posix.join(home, '.terraform.d', file);
  const roaming = readVariable(env, 'APPDATA') ?? (home === '' ? undefined : win32.join(home, 'AppData', 'Roaming'));
  return roaming === undefined ? undefined : win32.join(roaming, 'terraform.d', file);
}

function toAbsolute({ platform, cwd }: Machine, path: string): string {
  return (platform === 'win32' ? win32 : posix).resolve(cwd, path);
}

function toTokens(text: string, path: string): Readonly<Record<string, string>> {
  const hint = 'It is Terraform’s own file: repair it, or run terraform login again. It was left as it is.';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`${path} is not valid JSON`, { hint });
  }
  const { credentials = {} } = isObject(value) ? value : { credentials: undefined };
  if (!isObject(value) || !isObject(credentials)) {
    throw new UsageError(`${path} does not hold an object of credentials`, { hint });
  }
  // Entries of another form are for programs that know them.
  return Object.fromEntries(
    Object.entries(credentials).flatMap(([host, entry]) =>
      isObject(entry) && typeof entry['token'] === 'string' ? [[host, entry['token']] as const] : [],
    ),
  );
}
