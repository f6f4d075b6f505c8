import { expect, test } from 'vitest';
import { findProfile, resolveSettings } from '../../src/config/resolve.ts';
import type { Config } from '../../src/config/store.ts';
import { UsageError } from '../../src/lib/errors.ts';
import type { Environment } from '../../src/lib/runtime.ts';

interface Options extends Record<string, unknown> {
  profile?: string;
}

const CONFIG: Config = {
  'base-url': 'https://stored.example/api/v2',
  org: 'stored',
  output: 'csv',
  timeout: '10s',
  profiles: { work: { 'base-url': 'https://work.example/api/v2', org: 'work' } },
};

function resolve(options: Options = {}, env: Environment = {}, config = CONFIG) {
  return resolveSettings({ options, env, config, profile: findProfile(options.profile, env, config) });
}

const ENV = { ORGCTL_ORG: 'variable', ORGCTL_OUTPUT: 'tsv' };

test.each<[name: string, options: Options, env: Environment, org: string | undefined, source: string]>([
  ['an option goes first', { org: 'option', profile: 'work' }, ENV, 'option', '--org'],
  ['a profile that --profile names goes before the environment', { profile: 'work' }, ENV, 'work', 'profile work'],
  ['--profile default is what is stored without a name', { profile: 'default' }, ENV, 'stored', 'config.json'],
  ['the environment goes before the default profile', {}, ENV, 'variable', 'ORGCTL_ORG'],
  ['ORGCTL_PROFILE goes after it', {}, { ...ENV, ORGCTL_PROFILE: 'work' }, 'variable', 'ORGCTL_ORG'],
  ['what is stored goes before the default', {}, {}, 'stored', 'config.json'],
  ['the first counts', {}, { TFE_ORGANIZATION: 'a', TF_CLOUD_ORGANIZATION: 'b' }, 'a', 'TFE_ORGANIZATION'],
  ['an empty variable is unset', {}, { ORGCTL_ORG: '' }, 'stored', 'config.json'],
  ['with --sandbox nothing of a real service counts', { sandbox: true }, ENV, undefined, 'not set'],
])('%s', (_name, options, env, value, source) => {
  expect(resolve(options, env).org).toEqual({ value, source });
});

test('settings that no profile has are the same for all', () => {
  expect(resolve({ profile: 'work' }, ENV).output).toEqual({ value: 'tsv', source: 'ORGCTL_OUTPUT' });
  expect(resolve({ profile: 'work' }).timeout).toEqual({ value: 10_000, source: 'config.json' });
  expect(resolve({}, {}, {}).timeout).toEqual({ value: 30_000, source: 'default' });
});

test.each<[options: Options, env: Environment, url: string]>([
  [{ host: 'tfe.example.com' }, {}, 'https://tfe.example.com/api/v2'],
  [{ baseUrl: 'https://proxy.example/tfe/api/v2/' }, {}, 'https://proxy.example/tfe/api/v2'],
  [{}, { TFE_ADDRESS: 'https://tfe.example.com', TFE_HOSTNAME: 'x.example' }, 'https://tfe.example.com/api/v2'],
  [{}, { TFE_HOSTNAME: 'tfe.example.com:8443', TF_CLOUD_HOSTNAME: 'x' }, 'https://tfe.example.com:8443/api/v2'],
  [{}, { ORGCTL_BASE_URL: 'http://127.0.0.1:8480/api/v2', TFE_ADDRESS: 'x' }, 'http://127.0.0.1:8480/api/v2'],
])('the service of %j %j', (options, env, url) => {
  expect(resolve(options, env)['base-url'].value).toBe(url);
});

test.each<[env: Environment, value: boolean, source: string]>([
  [{ NO_COLOR: 'any' }, true, 'NO_COLOR'],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false, 'FORCE_COLOR'],
  [{ FORCE_COLOR: '0' }, true, 'FORCE_COLOR'],
  [{}, false, 'default'],
])('no-color of %j', (env, value, source) => {
  expect(resolve({ color: true }, env)['no-color']).toEqual({ value, source });
});

test.each<[options: Options, env: Environment, config: Config, message: RegExp]>([
  [{ baseUrl: 'ftp://x' }, {}, {}, /^--base-url is not an http or https URL/],
  [{ baseUrl: 'https://user:pass@x' }, {}, {}, /^--base-url contains a user name or password$/],
  [{ baseUrl: 'https://a', host: 'b' }, {}, {}, /--base-url or --host/],
  [{ host: 'https://x/' }, {}, {}, /^--host is not a host name/],
  [{ maxRetries: '101' }, {}, {}, /^--max-retries/],
  [{ profile: 'no/name' }, {}, {}, /no\/name.*not a profile name/],
  [{}, { ORGCTL_READ_ONLY: 'maybe' }, {}, /^ORGCTL_READ_ONLY must be true or false/],
  [{}, {}, { timeout: 10 }, /^config.json: 'timeout' must be a string/],
  [{}, {}, { to: ['ftp:x'] }, /^config.json: 'to': 'ftp:x' is not a place/],
])('a wrong value that counts is named: %j %j %j', (options, env, config, message) => {
  expect(() => resolve(options, env, config)).toThrow(UsageError);
  expect(() => resolve(options, env, config)).toThrow(message);
});
