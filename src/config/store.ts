import { join } from 'node:path';
import { UsageError } from '../lib/errors.ts';
import { formatFileError } from '../lib/files.ts';
import { isObject, type JsonObject } from '../lib/json.ts';
import { withFileLock } from '../lib/lock.ts';
import { makePrivateFolder, parseOwnFile, readOwnFile } from '../lib/own-files.ts';
import type { Runtime } from '../lib/runtime.ts';
import { createNoHomeError, findConfigFolder, findStateFolder } from './folders.ts';
import { formatStored, parseProfileName, REPAIR_HINT, SETTINGS, type StoredValue } from './settings.ts';

const VERSION = 1;
const VARIABLE = 'ORGCTL_CONFIG_DIR';

/** The checked content of `config.json`. Settings of `profiles` count for one profile, all others for every command. */
export interface Config extends JsonObject {
  profile?: string;
  profiles?: Record<string, JsonObject>;
}

type Machine = Pick<Runtime, 'env' | 'platform' | 'home' | 'user' | 'now' | 'sleep'>;

/**
 * `config.json` and `credentials.json`, which are read plainly and written by conf. Reading throws UsageError for a damaged
 * file. Without a folder nothing is stored, and writing throws UsageError. Writing throws `busy`.
 */
export class ConfigStore {
  private folder: string | undefined;
  private runtime: Machine;
  private signal: AbortSignal;
  private configPath: string;
  private credentialsPath: string;

  constructor(runtime: Machine, signal: AbortSignal) {
    this.folder = findConfigFolder(runtime);
    this.runtime = runtime;
    this.signal = signal;
    this.configPath = join(this.folder ?? '', 'config.json');
    this.credentialsPath = join(this.folder ?? '', 'credentials.json');
  }

  readConfig(): Config {
    const text = this.folder && readOwnFile(this.configPath, this.runtime.user, 'write');
    return text === undefined ? {} : validateConfig(parseFile(text, this.configPath), this.configPath);
  }

  /** An undefined value removes a setting. Returns false if nothing changes. */
  async writeSettings(profile: string | undefined, changes: Record<string, StoredValue | undefined>): Promise<boolean> {
    return this.update('config', () => {
      const config = this.readConfig();
      const before = profile === undefined ? config : config.profiles?.[profile];
      const settings: JsonObject = { ...before, ...changes };
      if (JSON.stringify(settings) === JSON.stringify(before ?? {})) return undefined;
      const next =
        profile === undefined ? settings : { ...config, profiles: { ...config.profiles, [profile]: settings } };
      return validateConfig(next, this.configPath);
    });
  }

  async removeProfile(profile: string): Promise<void> {
    await this.update('config', () => {
      const { profiles, profile: used, ...config } = this.readConfig();
      return {
        ...config,
        profile: used === profile ? undefined : used,
        profiles: { ...profiles, [profile]: undefined },
      };
    });
  }

  /** The token of a profile, or every one that is stored without a profile. A token may be sent only to its origin. */
  listTokens(profile?: string) {
    const entries = Object.entries(this.readEntries(profile === undefined ? 'credentials' : 'profiles'));
    const wanted = entries.filter(([name]) => profile === undefined || name === profile);
    return wanted.map(([name, entry]) => ({
      origin: parseOrigin(profile === undefined ? name : this.readMember(entry, 'origin')),
      token: this.readMember(entry, 'token'),
    }));
  }

  /** An undefined token removes the stored one. */
  async writeToken(profile: string | undefined, origin: string, token: string | undefined): Promise<void> {
    await this.update('credentials', () => {
      const name = profile === undefined ? 'credentials' : 'profiles';
      const others = Object.entries(this.readEntries(name)).filter(([key]) =>
        profile === undefined ? parseOrigin(key) !== origin : key !== profile,
      );
      const entry = [profile ?? origin, profile === undefined ? { token } : { origin, token }];
      const entries = Object.fromEntries(token === undefined ? others : [...others, entry]);
      return { ...this.readCredentials(), [name]: entries };
    });
  }

  private readCredentials(): JsonObject {
    const text = this.folder && readOwnFile(this.credentialsPath, this.runtime.user, 'read');
    return text === undefined ? {} : parseFile(text, this.credentialsPath);
  }

  private readEntries(name: 'profiles' | 'credentials'): JsonObject {
    return readMembers(this.readCredentials(), name, this.credentialsPath);
  }

  private readMember(entry: unknown, name: string): string {
    const text = isObject(entry) ? entry[name] : undefined;
    if (typeof text === 'string') return text;
    throw new UsageError(`${this.credentialsPath}: an entry has no '${name}'`, { hint: REPAIR_HINT });
  }

  /** Locks the file, and writes what `change` returns. Returns false, and writes nothing, if that is undefined. */
  private async update(name: 'config' | 'credentials', change: () => JsonObject | undefined): Promise<boolean> {
    const { folder, runtime, signal } = this;
    if (folder === undefined) throw createNoHomeError(VARIABLE);
    const path = name === 'config' ? this.configPath : this.credentialsPath;
    return withFileLock(findStateFolder(runtime), path, { runtime, signal }, async () => {
      const contents = change();
      if (contents === undefined) return false;
      makePrivateFolder(folder, VARIABLE);
      const { default: Conf } = await import('conf');
      try {
        const options = { clearInvalidConfig: false, accessPropertiesByDotNotation: false };
        const conf = new Conf<JsonObject>({ cwd: folder, configName: name, configFileMode: 0o600, ...options });
        conf.store = { version: VERSION, ...contents };
      } catch (error) {
        throw new UsageError(`can't write ${path}: ${formatFileError(error)}`, {
          hint: `Set ${VARIABLE} to a folder that you can write to.`,
          cause: error,
        });
      }
      return true;
    });
  }
}

/** The origin of a URL or of a host name. */
export function parseOrigin(address: string): string {
  const url = /^https?:\/\//i.test(address) ? address : `https://${address}`;
  return URL.canParse(url) ? new URL(url).origin : address;
}

function parseFile(text: string, path: string): JsonObject {
  const { version = VERSION, ...contents } = parseOwnFile(text, path, REPAIR_HINT);
  if (version === VERSION) return contents;
  throw new UsageError(`${path} was written by another version of orgctl`, {
    hint: 'Use that version, or set ORGCTL_CONFIG_DIR to another folder. The file was not changed.',
  });
}

function validateConfig(config: JsonObject, path: string): Config {
  const validate = (settings: JsonObject, source: string): void => {
    for (const setting of SETTINGS) {
      const stored = settings[setting.name];
      if (stored !== undefined) setting.parse(formatStored(setting, stored, source), `${source}: '${setting.name}'`);
    }
  };
  validate(config, path);
  for (const [name, settings] of Object.entries(readMembers(config, 'profiles', path))) {
    parseProfileName(name, path);
    if (!isObject(settings)) throw new UsageError(`${path}: the profile '${name}' must be an object`);
    validate(settings, `${path}: the profile '${name}'`);
  }
  return config as Config;
}

function readMembers(contents: JsonObject, name: string, path: string): JsonObject {
  const members = contents[name] ?? {};
  if (isObject(members)) return members;
  throw new UsageError(`${path}: '${name}' must be an object`, { hint: REPAIR_HINT });
}
