import { describe, expect, test } from 'vitest';
import { UsageError } from '../../../src/old/errors.ts';
import type { Environment } from '../../../src/old/settings/environment.ts';
import type { Profile } from '../../../src/old/settings/profile.ts';
import {
  resolveMessageStyle,
  resolveProxies,
  resolveSettings,
  type SettingOptions,
  toProxyRows,
  toSettingRows,
} from '../../../src/old/settings/resolve-settings.ts';
import {
  parseSetting,
  SETTINGS,
  type SettingName,
  type StoredConfig,
  toSettingName,
} from '../../../src/old/settings/settings.ts';
import { FORMAT_NAMES } from '../../../src/old/stdout/formats/index.ts';

function resolve(options: SettingOptions = {}, env: Environment = {}, config: StoredConfig = {}, profile?: Profile) {
  return resolveSettings({ options, env, config, profile });
}

describe('precedence', () => {
  type Given = [name: SettingName, options: SettingOptions, env: Environment, config: StoredConfig];
  const STORED = { 'base-url': 'https://c/v' };

  test.each<[...Given, value: unknown, source: string]>([
    // The base URL.
    ['base-url', {}, {}, {}, 'https://app.terraform.io/api/v2', 'built-in default'],
    ['base-url', {}, {}, STORED, 'https://c/v', 'config.json'],
    ['base-url', {}, { TF_CLOUD_HOSTNAME: 'h' }, STORED, 'https://h/api/v2', 'TF_CLOUD_HOSTNAME'],
    ['base-url', {}, { TFE_HOSTNAME: 'g', TF_CLOUD_HOSTNAME: 'h' }, {}, 'https://g/api/v2', 'TFE_HOSTNAME'],
    ['base-url', {}, { TFE_ADDRESS: 'https://f', TFE_HOSTNAME: 'g' }, {}, 'https://f/api/v2', 'TFE_ADDRESS'],
    ['base-url', {}, { TFE_ADDRESS: 'https://f/' }, {}, 'https://f/api/v2', 'TFE_ADDRESS'],
    ['base-url', {}, { TFE_ADDRESS: 'https://f/own/' }, {}, 'https://f/own', 'TFE_ADDRESS'],
    ['base-url', {}, { ORGCTL_BASE_URL: 'https://e', TFE_ADDRESS: 'https://f' }, {}, 'https://e', 'ORGCTL_BASE_URL'],
    ['base-url', {}, { ORGCTL_BASE_URL: '', TFE_ADDRESS: 'https://f/x' }, {}, 'https://f/x', 'TFE_ADDRESS'],
    ['base-url', { baseUrl: 'http://d:81/p//' }, { ORGCTL_BASE_URL: 'https://e' }, {}, 'http://d:81/p', '--base-url'],
    ['base-url', { host: 'd:8443' }, { ORGCTL_BASE_URL: 'https://e' }, {}, 'https://d:8443/api/v2', '--host'],
    ['base-url', { host: '[::1]:81' }, {}, {}, 'https://[::1]:81/api/v2', '--host'],
    ['base-url', { baseUrl: 'https://d' }, { ORGCTL_BASE_URL: '?' }, { 'base-url': '?' }, 'https://d', '--base-url'],
    // The organization.
    ['org', {}, {}, {}, undefined, 'not set'],
    ['org', {}, {}, { org: 'stored' }, 'stored', 'config.json'],
    ['org', {}, { TF_CLOUD_ORGANIZATION: 'cloud' }, { org: 'stored' }, 'cloud', 'TF_CLOUD_ORGANIZATION'],
    ['org', {}, { TFE_ORGANIZATION: 'tfe', TF_CLOUD_ORGANIZATION: 'cloud' }, {}, 'tfe', 'TFE_ORGANIZATION'],
    ['org', {}, { ORGCTL_ORG: 'own', TFE_ORGANIZATION: 'tfe' }, {}, 'own', 'ORGCTL_ORG'],
    ['org', { org: 'given' }, { ORGCTL_ORG: 'own' }, { org: 'stored' }, 'given', '--org'],
    // The rest: option, environment where there is a variable, stored, built in.
    ['output', {}, {}, {}, undefined, 'not set'],
    ['output', {}, {}, { output: 'csv' }, 'csv', 'config.json'],
    ['output', {}, { ORGCTL_OUTPUT: 'json' }, { output: 'csv' }, 'json', 'ORGCTL_OUTPUT'],
    ['output', { output: 'tsv' }, { ORGCTL_OUTPUT: 'json' }, { output: 'csv' }, 'tsv', '--output'],
    ['no-input', { input: true }, {}, {}, false, 'built-in default'],
    ['no-input', { input: true }, {}, { 'no-input': true }, true, 'config.json'],
    ['no-input', {}, { ORGCTL_NO_INPUT: '0' }, { 'no-input': true }, false, 'ORGCTL_NO_INPUT'],
    ['no-input', {}, { ORGCTL_NO_INPUT: 'false' }, { 'no-input': true }, false, 'ORGCTL_NO_INPUT'],
    ['no-input', {}, { ORGCTL_NO_INPUT: '' }, { 'no-input': true }, true, 'config.json'],
    ['no-input', { input: false }, { ORGCTL_NO_INPUT: '0' }, {}, true, '--no-input'],
    ['read-only', {}, {}, {}, false, 'built-in default'],
    ['read-only', {}, { ORGCTL_READ_ONLY: '1' }, {}, true, 'ORGCTL_READ_ONLY'],
    ['read-only', {}, {}, { 'read-only': true }, true, 'config.json'],
    ['accessible', {}, {}, {}, false, 'built-in default'],
    ['accessible', {}, {}, { accessible: true }, true, 'config.json'],
    ['accessible', {}, { ORGCTL_ACCESSIBLE: '0' }, { accessible: true }, false, 'ORGCTL_ACCESSIBLE'],
    ['accessible', { accessible: true }, { ORGCTL_ACCESSIBLE: '0' }, {}, true, '--accessible'],
    ['no-color', { color: true }, {}, {}, false, 'built-in default'],
    ['no-color', {}, {}, { 'no-color': true }, true, 'config.json'],
    ['no-color', {}, { NO_COLOR: '0' }, {}, true, 'NO_COLOR'],
    ['no-color', {}, { NO_COLOR: '' }, {}, false, 'built-in default'],
    ['no-color', {}, { NO_COLOR: '1', FORCE_COLOR: '1' }, { 'no-color': true }, false, 'FORCE_COLOR'],
    ['no-color', {}, { FORCE_COLOR: '0' }, {}, true, 'FORCE_COLOR'],
    ['no-color', {}, { FORCE_COLOR: 'false' }, {}, true, 'FORCE_COLOR'],
    ['no-color', { color: false }, { FORCE_COLOR: '1' }, {}, true, '--no-color'],
    ['no-color', {}, { CLICOLOR: '0' }, {}, true, 'CLICOLOR'],
    ['no-color', {}, { CLICOLOR: '1' }, {}, false, 'built-in default'],
    ['no-color', {}, { CLICOLOR: '1' }, { 'no-color': true }, true, 'config.json'],
    ['no-color', {}, { CLICOLOR_FORCE: '1' }, { 'no-color': true }, false, 'CLICOLOR_FORCE'],
    ['no-color', {}, { CLICOLOR_FORCE: '1', CLICOLOR: '0' }, {}, false, 'CLICOLOR_FORCE'],
    ['no-color', {}, { CLICOLOR_FORCE: '0', CLICOLOR: '0' }, {}, true, 'CLICOLOR'],
    ['no-color', {}, { CLICOLOR_FORCE: '0' }, {}, false, 'built-in default'],
    ['no-color', {}, { NO_COLOR: '1', CLICOLOR_FORCE: '1' }, {}, true, 'NO_COLOR'],
    ['no-color', {}, { FORCE_COLOR: '1', CLICOLOR: '0' }, {}, false, 'FORCE_COLOR'],
    ['no-color', { color: false }, { CLICOLOR_FORCE: '1' }, {}, true, '--no-color'],
    ['quiet', {}, {}, { quiet: true }, true, 'config.json'],
    ['quiet', { quiet: true }, {}, { quiet: false }, true, '--quiet'],
    ['debug', { debug: true }, {}, {}, true, '--debug'],
    ['timeout', {}, {}, {}, 30_000, 'built-in default'],
    ['timeout', {}, {}, { timeout: '5m' }, 300_000, 'config.json'],
    ['timeout', { timeout: '500ms' }, {}, { timeout: '5m' }, 500, '--timeout'],
    ['max-retries', {}, {}, {}, 4, 'built-in default'],
    ['max-retries', {}, {}, { 'max-retries': 7 }, 7, 'config.json'],
    ['max-retries', { maxRetries: '0' }, {}, { 'max-retries': 7 }, 0, '--max-retries'],
    ['ca-file', {}, {}, {}, undefined, 'not set'],
    ['ca-file', {}, { ORGCTL_CA_FILE: '/e.pem' }, { 'ca-file': '/c.pem' }, '/e.pem', 'ORGCTL_CA_FILE'],
    ['ca-file', { caFile: '/o.pem' }, { ORGCTL_CA_FILE: '/e.pem' }, {}, '/o.pem', '--ca-file'],
    ['insecure-skip-tls-verify', {}, {}, { 'insecure-skip-tls-verify': true }, true, 'config.json'],
    ['insecure-skip-tls-verify', { insecureSkipTlsVerify: true }, {}, {}, true, '--insecure-skip-tls-verify'],
    ['allow-http', {}, {}, {}, [], 'built-in default'],
    ['allow-http', {}, {}, { 'allow-http': ['a', 'b:81'] }, ['a', 'b:81'], 'config.json'],
    ['allow-http', { allowHttp: ['a', 'b,c'] }, {}, { 'allow-http': ['d'] }, ['a', 'b', 'c'], '--allow-http'],
  ])('%s %j %j %j', (name, options, env, config, value, source) => {
    expect(resolve(options, env, config)[name]).toEqual({ value, source });
  });

  describe('with a profile', () => {
    const OPTION = { org: 'given' };
    const ENV = { ORGCTL_ORG: 'variable' };
    const CONFIG = { org: 'default', timeout: '5m' };
    const named = (source: Profile['source'], settings: StoredConfig = { org: 'own' }): Profile => {
      return { name: 'work', source, settings, isNew: false };
    };

    test.each<[Profile, SettingOptions, Environment, string | undefined, string]>([
      [named('--profile'), OPTION, ENV, 'given', '--org'],
      [named('--profile'), {}, ENV, 'own', 'profile work'],
      [named('--profile', {}), {}, ENV, 'variable', 'ORGCTL_ORG'],
      // What a profile leaves out is not filled in from the default one.
      [named('--profile', {}), {}, {}, undefined, 'not set'],
      [named('ORGCTL_PROFILE'), OPTION, ENV, 'given', '--org'],
      [named('ORGCTL_PROFILE'), {}, ENV, 'variable', 'ORGCTL_ORG'],
      [named('ORGCTL_PROFILE'), {}, {}, 'own', 'profile work'],
      [named('ORGCTL_PROFILE', {}), {}, {}, undefined, 'not set'],
    ])('%j, %j and %j', (profile, options, env, value, source) => {
      expect(resolve(options, env, CONFIG, profile).org).toEqual({ value, source });
    });

    test('what no profile holds comes from where it always does', () => {
      const profile = named('--profile', { org: 'own', timeout: '1s' });
      expect(resolve({}, {}, CONFIG, profile).timeout).toEqual({ value: 300_000, source: 'config.json' });
    });

    test('what it holds and cannot be read is named', () => {
      expect(() => resolve({}, {}, {}, named('--profile', { org: 7 }))).toThrow(
        "config.json: the profile 'work': 'org' must be a string",
      );
    });
  });

  test('every variable of the table is read', () => {
    const [url, text, format, duration] = ['https://h', 'x', 'json', '1s'];
    const texts = {
      url,
      text,
      path: text,
      format,
      duration,
      lifetime: duration,
      flag: '1',
      count: '1',
      hosts: 'h',
      texts: text,
      command: text,
    };
    for (const { name, kind, environment } of SETTINGS) {
      for (const variable of environment) {
        // CLICOLOR decides by this text only.
        const value = variable === 'CLICOLOR' ? '0' : variable.endsWith('HOSTNAME') ? 'h' : texts[kind];
        expect(resolve({}, { [variable]: value })[name].source).toBe(variable);
      }
    }
  });
});

describe('what cannot be read is a usage error that names its source', () => {
  test.each<[options: SettingOptions, env: Environment, message: string]>([
    [{ baseUrl: 'https://a', host: 'b' }, {}, 'use --base-url or --host, not both'],
    [{ baseUrl: '' }, {}, '--base-url is not an http or https URL'],
    [{ baseUrl: 'app.terraform.io' }, {}, '--base-url is not an http or https URL'],
    [{ baseUrl: 'ftp://a' }, {}, '--base-url is not an http or https URL'],
    [{ baseUrl: 'https://me:secret@a' }, {}, '--base-url contains a user name or password'],
    [{ baseUrl: 'https://a/?' }, {}, '--base-url has a query or a fragment'],
    [{ baseUrl: 'https://a/#x' }, {}, '--base-url has a query or a fragment'],
    [{}, { ORGCTL_BASE_URL: 'x' }, 'ORGCTL_BASE_URL is not an http or https URL'],
    [{}, { TFE_ADDRESS: 'tfe.example' }, 'TFE_ADDRESS is not an http or https URL'],
    [{ host: 'https://a' }, {}, "--host 'https://a' is not a host name"],
    [{ host: 'a/b' }, {}, "--host 'a/b' is not a host name"],
    [{ host: 'https://a:secret@b' }, {}, '--host is not a host name'],
    [{ host: 'a@b' }, {}, "--host 'a@b' is not a host name"],
    [{ host: 'a:99999' }, {}, "--host 'a:99999' is not a host name"],
    [{ host: '' }, {}, "--host '' is not a host name"],
    [{}, { TFE_HOSTNAME: 'https://a' }, "TFE_HOSTNAME 'https://a' is not a host name"],
    [{ org: '' }, {}, '--org is empty'],
    [{}, { ORGCTL_OUTPUT: 'xml' }, "ORGCTL_OUTPUT: unknown format 'xml'"],
    [{}, { ORGCTL_NO_INPUT: 'maybe' }, "ORGCTL_NO_INPUT must be true or false, not 'maybe'"],
    [{}, { ORGCTL_READ_ONLY: '2' }, "ORGCTL_READ_ONLY must be true or false, not '2'"],
    [{ timeout: '6mo' }, {}, "--timeout: '6mo' is too long"],
    [{ timeout: '25d' }, {}, "--timeout: '25d' is too long"],
    [{ maxRetries: '-1' }, {}, "--max-retries takes a whole number from 0 to 100, not '-1'"],
    [{ maxRetries: '101' }, {}, "--max-retries takes a whole number from 0 to 100, not '101'"],
    [{ allowHttp: ['http://a'] }, {}, "--allow-http 'http://a' is not a host name"],
  ])('%j %j', (options, env, message) => {
    expect(() => resolve(options, env)).toThrow(expect.objectContaining({ message, exit: 'usage' }));
  });

  test('two names for one service, and what to do about it', () => {
    const error = expect.objectContaining({ hint: '--host is short for --base-url https://<name>/api/v2.' });
    expect(() => resolve({ baseUrl: 'https://a', host: 'b' })).toThrow(error);
  });

  test('a password in a base URL is not repeated', () => {
    expect(() => resolve({ baseUrl: 'https://me:s3cret@a/?x' })).toThrow(/^(?!.*s3cret)/);
  });
});

test('the settings as rows', () => {
  const settings = resolve({ timeout: '90s', allowHttp: ['a', 'b'] }, { ORGCTL_ORG: 'acme' }, { 'read-only': true });
  const rows = toSettingRows(settings);
  expect(rows.map(({ name }) => name)).toEqual(SETTINGS.map(({ name }) => name));
  expect(rows).toContainEqual({ name: 'timeout', value: '90s', source: '--timeout' });
  expect(rows).toContainEqual({ name: 'allow-http', value: ['a', 'b'], source: '--allow-http' });
  expect(rows).toContainEqual({ name: 'org', value: 'acme', source: 'ORGCTL_ORG' });
  expect(rows).toContainEqual({ name: 'read-only', value: true, source: 'config.json' });
  expect(rows).toContainEqual({ name: 'ca-file', value: null, source: 'not set' });
});

describe('settings set', () => {
  test.each<[name: SettingName, text: string, stored: unknown]>([
    ['base-url', 'https://a/api/v2/', 'https://a/api/v2'],
    ['org', 'acme', 'acme'],
    ['output', 'json', 'json'],
    ['timeout', '5m', '5m'],
    ['max-retries', '3', 3],
    ['no-input', 'yes', true],
    ['debug', 'off', false],
    ['allow-http', 'a, b', ['a', 'b']],
    ['to', 'exec:tee a,b c', ['exec:tee a,b c']],
    ['to', 'file:a\nstdout', ['file:a', 'stdout']],
    ['expires', '90d', '90d'],
    ['max-expires', '1y ', '1y'],
  ])('%s %s', (name, text, stored) => {
    expect(parseSetting(name, text)).toEqual(stored);
    // What is stored is read back as what was meant.
    expect(resolve({}, {}, { [name]: stored })[name].source).toBe('config.json');
  });

  test('refuses what cannot be read, and unknown names', () => {
    expect(() => toSettingName('token')).toThrow('the token is not a setting');
    expect(() => parseSetting('no-input', 'maybe')).toThrow("no-input must be true or false, not 'maybe'");
    expect(() => toSettingName('orgs')).toThrow('unknown setting: orgs');
    expect(() => toSettingName('constructor')).toThrow(UsageError);
    expect(toSettingName('org')).toBe('org');
  });

  test('knows every output format', () => {
    expect(FORMAT_NAMES.map((format) => parseSetting('output', format))).toEqual(FORMAT_NAMES);
  });
});

test('proxy variables', () => {
  expect(resolveProxies({})).toEqual({ https: undefined, http: undefined, except: undefined });
  const env = { HTTPS_PROXY: 'a', https_proxy: 'b', http_proxy: 'c', NO_PROXY: '', no_proxy: 'd' };
  expect(resolveProxies(env)).toEqual({ https: 'a', http: 'c', except: 'd' });
});

test.each<[name: string, text: string, shown: string]>([
  ['HTTPS_PROXY', 'http://proxy.example:3128', 'http://proxy.example:3128'],
  ['https_proxy', 'http://me:s3c@ret@proxy.example:3128', 'http://***@proxy.example:3128'],
  ['http_proxy', 'me:s3cret@proxy.example', '***@proxy.example'],
  ['NO_PROXY', 'localhost,.example.com', 'localhost,.example.com'],
])('the proxy variable %s as a row: %s', (source, text, value) => {
  const name = source.toLowerCase().replace('_', '-');
  expect(toProxyRows({ [source]: text })).toEqual([{ name, value, source }]);
});

test('a mistake of our own in reading the configuration is not taken for one of the user', () => {
  const readConfig = (): never => {
    throw new Error('ours');
  };
  expect(() => resolveMessageStyle({ options: {}, env: {}, readConfig })).toThrow('ours');
});

describe('the style of messages is known also where settings cannot be read', () => {
  const unreadable = (): never => {
    throw new UsageError('config.json is not valid JSON');
  };

  test.each<[options: object, env: Environment, readConfig: () => StoredConfig, style: object]>([
    [{}, {}, () => ({}), {}],
    [{}, {}, () => ({ output: 'json', quiet: true }), { output: 'json', quiet: true }],
    [{ debug: true }, { ORGCTL_OUTPUT: 'csv' }, () => ({ output: 'json' }), { output: 'csv', debug: true }],
    [{}, { ORGCTL_OUTPUT: 'xml' }, () => ({ output: 'json' }), { output: 'json' }],
    [{ output: 'json' }, { ORGCTL_OUTPUT: 'xml' }, unreadable, { output: 'json' }],
    [{ accessible: true }, {}, unreadable, { accessible: true }],
    [{}, { ORGCTL_ACCESSIBLE: '1' }, unreadable, { accessible: true }],
    [{}, { ORGCTL_ACCESSIBLE: 'perhaps' }, () => ({ accessible: true }), { accessible: true }],
    [{ quiet: true }, {}, unreadable, { quiet: true }],
  ])('%j %j', (options, env, readConfig, style) => {
    const usual = { output: undefined, quiet: false, debug: false, accessible: false, noColor: false };
    expect(resolveMessageStyle({ options, env, readConfig })).toEqual({ ...usual, ...style });
  });
});
