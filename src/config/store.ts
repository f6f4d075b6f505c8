import { join } from 'node:path';
import { UsageError } from '../lib/errors.ts';
import { formatFileError, readOptionalFile, readPrivateFile } from '../lib/files.ts';
import { createFolder } from '../lib/folders.ts';
import { isObject, type JsonObject, parseJson } from '../lib/json.ts';
import { createNoHomeError } from './folders.ts';
import { parseProfileName } from './parsers.ts';
import { formatStored, SETTINGS, type StoredValue } from './settings.ts';

const VERSION = 1;

/** A token, and the only origin that it may be sent to. */
interface StoredToken {
  origin: string;
  token: string;
}

/** `config.json`, checked. Settings of `profiles` count for one profile, all others for every command. */
export interface Config extends JsonObject {
  profile?: string;
  profiles?: Record<string, JsonObject>;
}

/** `config.json` and `credentials.json`. They are read plainly and written by conf. */
export interface ConfigStore {
  /** Throws UsageError for a damaged file. */
  readConfig(): Config;
  /** An undefined value removes a setting. Returns false if nothing changes. */
  writeSettings(profile: string | undefined, changes: Record<string, StoredValue | undefined>): Promise<boolean>;
  removeProfile(profile: string): Promise<void>;
  /** The token of a profile, or of an origin if no profile is given. Throws UsageError. */
  readToken(profile: string | undefined, origin: string): StoredToken | undefined;
  /** Every token that is stored without a profile. */
  listTokens(): StoredToken[];
  /** Undefined removes it. */
  writeToken(profile: string | undefined, origin: string, token: string | undefined): Promise<void>;
}

/** Without a folder nothing is stored, and writing throws UsageError. `user` is undefined on Windows. */
export function openConfigStore(folder: string | undefined, user: number | undefined): ConfigStore {
  const configPath = folder && join(folder, 'config.json');
  const credentialsPath = folder && join(folder, 'credentials.json');

  function readConfig(): Config {
    const text = configPath && readOptionalFile(configPath);
    return text ? checkConfig(parseFile(text, configPath), configPath) : {};
  }

  function readCredentials(): JsonObject {
    const text = credentialsPath && readPrivateFile(credentialsPath, user);
    return text ? parseFile(text, credentialsPath) : {};
  }

  function listTokens(): StoredToken[] {
    return Object.entries(readMembers(readCredentials(), 'credentials', credentialsPath)).map(([written, entry]) => ({
      origin: parseOrigin(written),
      token: readText(entry, 'token', credentialsPath),
    }));
  }

  async function write(name: string, contents: JsonObject): Promise<void> {
    if (folder === undefined) throw createNoHomeError('ORGCTL_CONFIG_DIR');
    try {
      createFolder(folder);
      const { default: Conf } = await import('conf');
      const conf = new Conf<JsonObject>({
        cwd: folder,
        configName: name,
        configFileMode: 0o600,
        clearInvalidConfig: false,
        accessPropertiesByDotNotation: false,
      });
      conf.store = removeUndefined({ version: VERSION, ...contents });
    } catch (error) {
      throw new UsageError(`can't write ${join(folder, `${name}.json`)}: ${formatFileError(error)}`, {
        hint: 'Set ORGCTL_CONFIG_DIR to a folder that you can write to.',
        cause: error,
      });
    }
  }

  return {
    readConfig,
    async writeSettings(profile, changes) {
      const config = readConfig();
      const before = profile === undefined ? config : config.profiles?.[profile];
      const settings = removeUndefined({ ...before, ...changes });
      if (JSON.stringify(settings) === JSON.stringify(before ?? {})) return false;
      const next =
        profile === undefined ? settings : { ...config, profiles: { ...config.profiles, [profile]: settings } };
      if (configPath) checkConfig(next, configPath);
      await write('config', next);
      return true;
    },
    async removeProfile(profile) {
      const { profiles, profile: used, ...config } = readConfig();
      const others = removeUndefined({ ...profiles, [profile]: undefined });
      await write('config', { ...config, profile: used === profile ? undefined : used, profiles: others });
    },
    readToken(profile, origin) {
      if (profile === undefined) return listTokens().find((stored) => stored.origin === origin);
      const entry = readMembers(readCredentials(), 'profiles', credentialsPath)[profile];
      if (entry === undefined) return undefined;
      return {
        origin: parseOrigin(readText(entry, 'origin', credentialsPath)),
        token: readText(entry, 'token', credentialsPath),
      };
    },
    listTokens,
    async writeToken(profile, origin, token) {
      const contents = readCredentials();
      if (profile !== undefined) {
        const profiles = readMembers(contents, 'profiles', credentialsPath);
        const stored = token === undefined ? undefined : { origin, token };
        return write('credentials', { ...contents, profiles: removeUndefined({ ...profiles, [profile]: stored }) });
      }
      const entries = Object.entries(readMembers(contents, 'credentials', credentialsPath));
      const others = entries.filter(([written]) => parseOrigin(written) !== origin);
      const credentials = Object.fromEntries(token === undefined ? others : [...others, [origin, { token }]]);
      await write('credentials', { ...contents, credentials });
    },
  };
}

/** The origin of a URL or of a host name. */
export function parseOrigin(written: string): string {
  const url = /^https?:\/\//i.test(written) ? written : `https://${written}`;
  return URL.canParse(url) ? new URL(url).origin : written;
}

function parseFile(text: string, path: string): JsonObject {
  const hint = 'Repair the file or move it away. It was not changed.';
  const value = parseJson(text.replace(/^\ufeff/, ''));
  if (!isObject(value)) throw new UsageError(`${path} is damaged: it is no JSON object`, { hint });
  const { version = VERSION, ...contents } = value;
  if (version === VERSION) return contents;
  throw new UsageError(`${path} was written by another version of orgctl`, {
    hint: 'Use that version, or set ORGCTL_CONFIG_DIR to another folder. The file was not changed.',
  });
}

function checkConfig(config: JsonObject, path: string): Config {
  const check = (settings: JsonObject, source: string): void => {
    for (const setting of SETTINGS) {
      const stored = settings[setting.name];
      if (stored !== undefined) setting.parse(formatStored(setting, stored, source), `${source}: '${setting.name}'`);
    }
  };
  check(config, path);
  for (const [name, settings] of Object.entries(readMembers(config, 'profiles', path))) {
    parseProfileName(name, path);
    if (!isObject(settings)) throw new UsageError(`${path}: the profile '${name}' must be an object`);
    check(settings, `${path}: the profile '${name}'`);
  }
  return config as Config;
}

function readMembers(contents: JsonObject, name: string, path: string | undefined): JsonObject {
  const members = contents[name] ?? {};
  if (isObject(members)) return members;
  throw new UsageError(`${path}: '${name}' must be an object`, { hint: 'Repair the file. It was not changed.' });
}

function readText(entry: unknown, name: string, path: string | undefined): string {
  const text = isObject(entry) ? entry[name] : undefined;
  if (typeof text === 'string') return text;
  throw new UsageError(`${path}: an entry has no '${name}'`, { hint: 'Repair the file. It was not changed.' });
}

function removeUndefined(contents: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(contents).filter(([, value]) => value !== undefined));
}
