import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findProfile, resolveSettings } from '../../src/config/resolve.ts';
import { findTokenSource } from '../../src/config/token.ts';
import type { Environment } from '../../src/lib/runtime.ts';
import { createFolder } from '../support/files.ts';
import { openStore } from '../support/stored.ts';

interface Options extends Record<string, unknown> {
  profile?: string;
}

interface Machine {
  options?: Options;
  env?: Environment;
  config?: object;
  credentials?: object;
  terraform?: object;
  mode?: number;
}

function find({ options = {}, env = {}, config, credentials, terraform, mode = 0o600 }: Machine) {
  const home = createFolder();
  const folder = join(home, 'config');
  mkdirSync(join(home, '.terraform.d'));
  mkdirSync(folder);
  const write = (path: string, value: object | undefined): void => {
    if (value) writeFileSync(path, JSON.stringify(value));
    if (value) chmodSync(path, mode);
  };
  write(join(folder, 'config.json'), config);
  write(join(folder, 'credentials.json'), credentials);
  write(join(home, '.terraform.d', 'credentials.tfrc.json'), terraform);
  const user = process.getuid?.();
  const store = openStore(folder);
  const profile = findProfile(options.profile, env, store.readConfig());
  const settings = resolveSettings({ options, env, config: store.readConfig(), profile });
  const { found, others } = findTokenSource({
    settings,
    profile,
    runtime: { env, platform: 'linux', home, user },
    store,
  });
  return {
    found: found && (found.token ?? found.command),
    source: found?.source.replace(home, '~'),
    others: others.map(({ origin }) => origin),
  };
}

const STORED = {
  credentials: { 'https://app.terraform.io': { token: 'stored' }, 'https://tfe.example.com': { token: 'stored-tfe' } },
};
const TERRAFORM = { credentials: { 'app.terraform.io': { token: 'terraform' } } };
const WORK = {
  config: { profiles: { work: { 'base-url': 'https://tfe.example.com/api/v2' } } },
  credentials: { profiles: { work: { origin: 'https://tfe.example.com', token: 'own' } } },
};

test.each<[name: string, machine: Machine, found: string | undefined, source: string | undefined]>([
  [
    'ORGCTL_TOKEN is for any service',
    { env: { ORGCTL_TOKEN: 'variable' }, options: { host: 'x.example' } },
    'variable',
    'ORGCTL_TOKEN',
  ],
  [
    'TF_TOKEN_<host> is for its host',
    { env: { TF_TOKEN_app_terraform_io: 'a', TFE_TOKEN: 'b' } },
    'a',
    'TF_TOKEN_app_terraform_io',
  ],
  [
    'a double underscore is a hyphen',
    { env: { TF_TOKEN_my__tfe_example_com: 'a' }, options: { host: 'my-tfe.example.com' } },
    'a',
    'TF_TOKEN_my__tfe_example_com',
  ],
  ['TFE_TOKEN is for any service', { env: { TFE_TOKEN: 'b' } }, 'b', 'TFE_TOKEN'],
  [
    'but not if TFE_ADDRESS names another',
    { env: { TFE_TOKEN: 'b', TFE_ADDRESS: 'https://tfe.example.com', ORGCTL_BASE_URL: 'https://x.example' } },
    undefined,
    undefined,
  ],
  [
    'a TFE_ADDRESS that nothing needs is not read',
    { env: { ORGCTL_TOKEN: 'variable', TFE_ADDRESS: 'no URL' }, options: { host: 'x.example' } },
    'variable',
    'ORGCTL_TOKEN',
  ],
  [
    'the environment goes before what is stored',
    { env: { ORGCTL_TOKEN: 'variable' }, credentials: STORED },
    'variable',
    'ORGCTL_TOKEN',
  ],
  ['what a login stored', { credentials: STORED, terraform: TERRAFORM }, 'stored', 'credentials.json'],
  [
    'for the host that is named',
    { credentials: STORED, options: { host: 'tfe.example.com' } },
    'stored-tfe',
    'credentials.json',
  ],
  ["then Terraform's own file", { terraform: TERRAFORM }, 'terraform', '~/.terraform.d/credentials.tfrc.json'],
  [
    '--profile goes before the environment',
    { ...WORK, env: { ORGCTL_TOKEN: 'variable' }, options: { profile: 'work' } },
    'own',
    'profile work',
  ],
  [
    'ORGCTL_PROFILE goes after it',
    { ...WORK, env: { ORGCTL_TOKEN: 'variable', ORGCTL_PROFILE: 'work' } },
    'variable',
    'ORGCTL_TOKEN',
  ],
  [
    'token-command in place of a stored token',
    { config: { 'token-command': 'pass show tfe' }, terraform: TERRAFORM },
    'pass show tfe',
    'token-command',
  ],
])('%s', (_name, machine, found, source) => {
  expect(find(machine)).toMatchObject({ found, source });
});

test.each<[name: string, machine: Machine, others: string[]]>([
  [
    'of a login',
    { credentials: STORED, options: { host: 'other.example' } },
    ['https://app.terraform.io', 'https://tfe.example.com'],
  ],
  ['of a profile', { ...WORK, options: { profile: 'work', host: 'other.example' } }, ['https://tfe.example.com']],
  [
    'of token-command',
    { config: { 'token-command': 'pass show tfe' }, options: { host: 'other.example' } },
    ['https://app.terraform.io'],
  ],
  ['of Terraform', { terraform: TERRAFORM, options: { host: 'other.example' } }, ['https://app.terraform.io']],
  [
    'of a host variable',
    { env: { TF_TOKEN_app_terraform_io: 'a' }, options: { host: 'other.example' } },
    ['https://app.terraform.io'],
  ],
  [
    'with another port',
    { credentials: STORED, options: { host: 'app.terraform.io:8443' } },
    ['https://app.terraform.io', 'https://tfe.example.com'],
  ],
  [
    'over plain http',
    { credentials: STORED, options: { baseUrl: 'http://app.terraform.io/api/v2' } },
    ['https://app.terraform.io', 'https://tfe.example.com'],
  ],
])('a token %s stays with its origin', (_name, machine, others) => {
  expect(find(machine)).toEqual({ found: undefined, source: undefined, others });
});

test.each<[name: string, machine: Machine, message: RegExp]>([
  [
    'both a stored token and a token-command',
    { config: { 'token-command': 'x' }, credentials: STORED },
    /one of them, not both/,
  ],
  ['a token that no header allows', { env: { ORGCTL_TOKEN: 'a b' } }, /^ORGCTL_TOKEN is not a token/],
  [
    'credentials that others can read',
    { credentials: STORED, mode: 0o644 },
    /other users can read .*credentials\.json/,
  ],
  ['damaged credentials', { credentials: [1] }, /credentials\.json is damaged/],
  ['credentials of a newer version', { credentials: { version: 2 } }, /another version of orgctl/],
])('%s is refused', (_name, machine, message) => {
  expect(() => find(machine)).toThrow(message);
});
