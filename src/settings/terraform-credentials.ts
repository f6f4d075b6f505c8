import { posix, win32 } from 'node:path';
import { toFault, UsageError } from '../errors.ts';
import { readSecretText } from '../files/private-file.ts';
import type { Host } from '../host.ts';
import { isObject } from '../json-object.ts';
import { readVariable } from './environment.ts';
import { readCredentialsBlocks } from './terraform-language.ts';

/** The tokens that Terraform has: in its settings, and those of `terraform login`. They are only read, never written. */
export interface TerraformCredentials {
  /** The files that hold some, in the order of precedence. */
  readonly files: readonly TerraformFile[];
  /** Why a file was not searched, one line a file. */
  readonly unread: readonly string[];
}

interface TerraformFile {
  readonly path: string;
  readonly tokens: Readonly<Record<string, string>>;
  readonly fault: UsageError | undefined;
}

type Machine = Pick<Host, 'env' | 'platform' | 'home' | 'cwd' | 'user'>;

/** The first that is set counts, as in Terraform. */
const FILE_VARIABLES = ['TF_CLI_CONFIG_FILE', 'TERRAFORM_CONFIG'] as const;

/**
 * Reads the `credentials` blocks of Terraform's settings, then its `credentials.tfrc.json`: of two tokens for one host
 * the first counts. Throws UsageError where a file cannot be read, and where the second is damaged.
 */
export function readTerraformCredentials(machine: Machine): TerraformCredentials {
  const settings = readSettings(machine);
  const path = findTerraformFile(machine);
  const file = path === undefined ? undefined : readSecretText(path, machine);
  const login =
    path === undefined || file === undefined ? [] : [{ path, tokens: toTokens(file.text, path), fault: file.fault }];
  return { files: [...settings.files, ...login], unread: settings.unread };
}

function readSettings(machine: Machine): TerraformCredentials {
  const variable = FILE_VARIABLES.find((name) => readVariable(machine.env, name) !== undefined);
  const path = variable === undefined ? findSettingsFile(machine) : toAbsolute(machine, machine.env[variable] ?? '');
  const file = path === undefined ? undefined : readSecretText(path, machine);
  if (path === undefined || file === undefined) {
    return { files: [], unread: variable === undefined ? [] : [`${path} (from ${variable}) does not exist.`] };
  }
  try {
    const isJson = file.text.trimStart().startsWith('{');
    const tokens = isJson ? toTokens(file.text, path) : readCredentialsBlocks(file.text);
    return { files: Object.keys(tokens).length === 0 ? [] : [{ path, tokens, fault: file.fault }], unread: [] };
  } catch (error) {
    return { files: [], unread: [`${path} was not searched for tokens: ${toFault(error)}.`] };
  }
}

/** Terraform's own settings, where no variable names them. Undefined where there is no home folder. */
function findSettingsFile({ env, platform, home }: Machine): string | undefined {
  if (platform === 'win32') return findRoamingFile({ env, home }, 'terraform.rc');
  return home === '' ? undefined : posix.join(home, '.terraformrc');
}

/** Where `terraform login` keeps tokens on this platform. Undefined where there is no home folder. */
export function findTerraformFile({ env, platform, home }: Omit<Machine, 'cwd' | 'user'>): string | undefined {
  const file = 'credentials.tfrc.json';
  if (platform === 'win32') return findRoamingFile({ env, home }, 'terraform.d', file);
  return home === '' ? undefined : posix.join(home, '.terraform.d', file);
}

function findRoamingFile(
  { env, home }: Pick<Machine, 'env' | 'home'>,
  ...names: readonly string[]
): string | undefined {
  const roaming = readVariable(env, 'APPDATA') ?? (home === '' ? undefined : win32.join(home, 'AppData', 'Roaming'));
  return roaming === undefined ? undefined : win32.join(roaming, ...names);
}

function toAbsolute({ platform, cwd }: Machine, path: string): string {
  return (platform === 'win32' ? win32 : posix).resolve(cwd, path);
}

function toTokens(text: string, path: string): Readonly<Record<string, string>> {
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
