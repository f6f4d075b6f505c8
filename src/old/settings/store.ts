import { basename, join } from 'node:path';
import { OrgctlError, toErrorCode, toFault, UsageError } from '../errors.ts';
import { makeFolder, removeBeside } from '../files/durable-file.ts';
import { findReal } from '../files/look.ts';
import { PRIVATE_FILE_MODE } from '../files/permissions.ts';
import { readPlainText, readPrivateText } from '../files/private-file.ts';
import type { Host } from '../host.ts';
import { isObject, parseJsonText } from '../json-object.ts';
import { DEFAULTS } from './defaults.ts';
import { createNoHomeError } from './directories.ts';
import { checkProfiles, DEFAULT_KEY, readDefault, readProfile, readProfiles } from './profile.ts';
import { loadSetting, SETTINGS, type SettingName, type StoredConfig, type StoredValue } from './settings.ts';
import { type StoredCredentials, type StoredToken, toOrigin } from './stored-token.ts';

/** The files of settings and credentials. Read plainly, which is faster; written by conf, under a lock. */

type Changes = Readonly<Partial<Record<SettingName | typeof DEFAULT_KEY, StoredValue | undefined>>>;

export type SettingsStore = ReturnType<typeof createSettingsStore>;

type Contents = Readonly<Record<string, unknown>>;

const CONFIG_NAME = 'config';
const CREDENTIALS_NAME = 'credentials';
/** The version of the form that both files have. */
const VERSION = 1;

/** In a dry run everything is checked as ever, and nothing is written. */
export type StoreOptions = Pick<Host, 'user'> & { readonly dryRun?: boolean };

/** Without a directory nothing is stored and writing throws. With an error in its place, every member throws that error. */
export function createSettingsStore(directory: string | UsageError | undefined, options: StoreOptions) {
  const requireFolder = (): string => {
    if (typeof directory === 'string') return directory;
    throw directory ?? createNoHomeError();
  };
  // Without a folder no path is ever shown or read.
  const folder = typeof directory === 'string' ? directory : '';
  const configPath = join(folder, `${CONFIG_NAME}.json`);
  const credentialsPath = join(folder, `${CREDENTIALS_NAME}.json`);
  const readSettings = (): Contents => {
    if (directory === undefined) return {};
    requireFolder();
    return toContents(readPlainText(configPath, UNREADABLE), configPath);
  };
  const readSecrets = (): Contents => {
    if (directory === undefined) return {};
    requireFolder();
    return toContents(readPrivateText(credentialsPath, options, UNREADABLE), credentialsPath);
  };
  const write = async (name: string, toNext: () => Contents): Promise<void> => {
    const place = requireFolder();
    if (options.dryRun === true) toNext();
    else await change(place, name, toNext);
  };

  /** Whether there was anything to change. */
  const changeConfig = async (changes: Changes, toNext: (contents: Contents) => Contents): Promise<boolean> => {
    const onlyRemoves = Object.values(changes).every((value) => value === undefined);
    const readNext = (): Contents => {
      const next = toNext(readSettings());
      // Removing a bad setting has to be possible while there is another.
      return onlyRemoves ? next : checkConfig(next, configPath);
    };
    if (onlyRemoves && JSON.stringify(readSettings()) === JSON.stringify(readNext())) return false;
    await write(CONFIG_NAME, readNext);
    return true;
  };

  return {
    /** Whether there is a folder for the files. Without one reading a path throws UsageError. */
    hasFolder: typeof directory === 'string',
    get configPath(): string {
      requireFolder();
      return configPath;
    },
    get credentialsPath(): string {
      requireFolder();
      return credentialsPath;
    },
    /** Empty where there is no file. Throws UsageError for a file that cannot be used. */
    readConfig: (): StoredConfig => checkConfig(readSettings(), configPath),
    /** The name alone, of a file that is not checked: a bad setting can be removed only while the file can be read. */
    readDefaultProfile(): string | undefined {
      const { [DEFAULT_KEY]: name }: Contents = readSettings();
      return typeof name === 'string' ? name : undefined;
    },
    /** Empty where there is no file. Throws UsageError for a file that cannot be used, or that others may read. */
    readCredentials: () => toTokens(readSecrets(), credentialsPath),
    /**
     * Undefined removes a setting; false is returned where none of them was there. All else in the file stays. Throws
     * UsageError where the file would then hold what cannot be read, unless settings were only removed.
     */
    writeConfig: (changes: Changes): Promise<boolean> =>
      changeConfig(changes, (contents) => ({ ...contents, ...changes })),
    /** Writes the settings of a profile, as `writeConfig` does. An empty profile is removed. */
    writeProfile: (profile: string, changes: Changes): Promise<boolean> =>
      changeConfig(changes, (contents) => {
        // Throws where 'profiles' is no object that one can be added to.
        checkProfiles({ profiles: contents['profiles'] }, configPath);
        return putProfile(contents, profile, dropUndefined({ ...readProfile(contents, profile), ...changes }));
      }),
    /** The profile with all its settings; the default then is what has no name, where this was it. */
    removeProfile: (profile: string): Promise<boolean> =>
      changeConfig({}, (contents) => {
        checkProfiles({ profiles: contents['profiles'] }, configPath);
        const next = putProfile(contents, profile, {});
        return readDefault(contents) === profile ? { ...next, [DEFAULT_KEY]: undefined } : next;
      }),
    /** Undefined removes the token. The origin may be written differently in the file. */
    async writeToken(origin: string, token: string | undefined): Promise<void> {
      await write(CREDENTIALS_NAME, () => {
        const contents = readSecrets();
        toTokens(contents, credentialsPath);
        const others = Object.entries((contents['credentials'] ?? {}) as Contents).filter(
          ([written]) => toOrigin(written) !== toOrigin(origin),
        );
        const added = token === undefined ? [] : [[origin, { token }] as const];
        return { ...contents, credentials: Object.fromEntries([...others, ...added]) };
      });
    },
    /** Undefined where this profile has none. Throws like `readCredentials`. */
    readProfileToken(profile: string): StoredToken | undefined {
      const tokens = toProfileTokens(readSecrets(), credentialsPath);
      return Object.hasOwn(tokens, profile) ? tokens[profile] : undefined;
    },
    /** Undefined removes the token. */
    async writeProfileToken(profile: string, stored: StoredToken | undefined): Promise<void> {
      await write(CREDENTIALS_NAME, () => {
        const contents = readSecrets();
        const profiles = toProfileTokens(contents, credentialsPath);
        return { ...contents, profiles: dropUndefined({ ...profiles, [profile]: stored }) };
      });
    },
  };
}

/** What the file holds but its version. */
function toContents(text: string | undefined, path: string): Contents {
  if (text === undefined) return {};
  const hint = 'Repair the file or move it away. It was not changed.';
  let value: unknown;
  try {
    value = parseJsonText(text);
  } catch {
    throw new UsageError(`${path} is not valid JSON`, { hint });
  }
  if (!isObject(value)) throw new UsageError(`${path} is not a JSON object`, { hint });
  // A file that a person wrote may have no number.
  const { version = VERSION, ...contents } = value;
  if (typeof version !== 'number') throw new UsageError(`${path}: 'version' must be a number`, { hint });
  if (version > VERSION) {
    throw new UsageError(`${path} was written by a newer orgctl (version ${version} of its form)`, {
      hint: 'Use that orgctl, or set ORGCTL_CONFIG_DIR to another folder. The file was not changed.',
    });
  }
  return contents;
}

function checkConfig(contents: Contents, path: string): Contents {
  for (const { name } of SETTINGS) {
    if (contents[name] !== undefined) loadSetting(name, contents[name], path);
  }
  checkProfiles(contents, path);
  return contents;
}

function toTokenForm(origin: string): string {
  return `It must look like {"credentials": {"${origin}": {"token": "…"}}}. It was not changed.`;
}

function toProfileForm(profile: string): string {
  return `It must look like {"profiles": {"${profile}": {"origin": "https://${DEFAULTS.host}", "token": "…"}}}. It was not changed.`;
}

function toTokens(contents: Contents, path: string): StoredCredentials {
  const { credentials = {} } = contents;
  const hint = toTokenForm(`https://${DEFAULTS.host}`);
  if (!isObject(credentials)) throw new UsageError(`${path}: 'credentials' must be an object`, { hint });
  const tokens = Object.entries(credentials).map(([origin, entry]) => {
    if (isObject(entry) && typeof entry['token'] === 'string') return [origin, entry['token']] as const;
    throw new UsageError(`${path}: 'credentials' has no token for '${origin}'`, { hint: toTokenForm(origin) });
  });
  return Object.fromEntries(tokens);
}

function toProfileTokens(contents: Contents, path: string): Readonly<Record<string, StoredToken>> {
  const { profiles = {} } = contents;
  const hint = toProfileForm('work');
  if (!isObject(profiles)) throw new UsageError(`${path}: 'profiles' must be an object`, { hint });
  const tokens = Object.entries(profiles).map(([profile, entry]) => {
    const { origin, token } = isObject(entry) ? entry : {};
    if (typeof token === 'string' && typeof origin === 'string') return [profile, { origin, token }] as const;
    const form = toProfileForm(profile);
    throw new UsageError(`${path}: 'profiles' has no token and origin for '${profile}'`, { hint: form });
  });
  return Object.fromEntries(tokens);
}

/** Without settings the profile is removed. */
function putProfile(contents: Contents, profile: string, settings: Contents): Contents {
  const stored = Object.keys(settings).length === 0 ? undefined : settings;
  const profiles = dropUndefined({ ...readProfiles(contents), [profile]: stored });
  return { ...contents, profiles: Object.keys(profiles).length === 0 ? undefined : profiles };
}

function dropUndefined(contents: Contents): Contents {
  return Object.fromEntries(Object.entries(contents).filter(([, value]) => value !== undefined));
}

/**
 * Writes what `toNext` makes of the present contents. The lock keeps two writers from losing each other's changes,
 * which conf alone would.
 */
async function change(directory: string, name: string, toNext: () => Contents): Promise<void> {
  const [{ default: Conf }, { lockForWriting }] = await Promise.all([import('conf'), import('../files/write-lock.ts')]);
  const path = join(directory, `${name}.json`);
  attempt(directory, () => makeFolder(directory));
  const unlock = await lockForWriting(path).catch((error: unknown) => {
    if (toErrorCode(error) !== 'ELOCKED') throw toUnwritable(path, error);
    throw new OrgctlError('failure', `another process is writing ${path}`, {
      hint: `Try again. If nothing else runs, remove ${path}.lock.`,
    });
  });
  try {
    removeLeftovers(path);
    const next = toNext();
    attempt(path, () => {
      const conf = new Conf<Record<string, unknown>>({
        cwd: directory,
        configName: name,
        projectSuffix: '',
        configFileMode: PRIVATE_FILE_MODE,
        // With this on, conf would empty a damaged file without a message.
        clearInvalidConfig: false,
        // Origins have dots in them.
        accessPropertiesByDotNotation: false,
      });
      conf.store = dropUndefined({ version: VERSION, ...next });
    });
  } finally {
    await unlock();
  }
}

/** Removes what killed writers left, beside the file itself where the path is a link: there may be a token in it. */
function removeLeftovers(path: string): void {
  const file = findReal(path);
  // The names conf gives to what it renames.
  removeBeside(file, (name) => name.startsWith(`${basename(file)}.tmp-`) && /-\d{10}[\da-f]{6}$/.test(name));
}

const UNREADABLE = 'Make it a file that you can read, move it away, or set ORGCTL_CONFIG_DIR to another folder.';

function attempt(path: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    throw toUnwritable(path, error);
  }
}

function toUnwritable(path: string, error: unknown): UsageError {
  return new UsageError(`can't write ${path}: ${toFault(error)}`, {
    hint: 'Free some space and get write permission there, or set ORGCTL_CONFIG_DIR to another folder.',
    cause: error,
  });
}
