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

const at = (host: string): Machine => ({ options: { host } });
const [OTHER, ELSEWHERE] = [at('other.example'), { TFE_ADDRESS: 'https://tfe.example.com' }];
const ORGCTL_TOKEN = 'a';
const COMMAND = { config: { 'token-command': 'pass show tfe' } };

test.each<[name: string, machine: Machine, found: string | undefined, source: string | undefined]>([
  ['ORGCTL_TOKEN is for any service', { env: { ORGCTL_TOKEN }, ...OTHER }, 'a', 'ORGCTL_TOKEN'],
  [
    'TF_TOKEN_<host> is first',
    { env: { TF_TOKEN_app_terraform_io: 'a', TFE_TOKEN: 'b' } },
    'a',
    'TF_TOKEN_app_terraform_io',
  ],
  ['__ is a hyphen', { env: { TF_TOKEN_my__tfe_io: 'a' }, ...at('my-tfe.io') }, 'a', 'TF_TOKEN_my__tfe_io'],
  ['TFE_TOKEN is for any service', { env: { TFE_TOKEN: 'b' } }, 'b', 'TFE_TOKEN'],
  ['but not if TFE_ADDRESS names another', { env: { TFE_TOKEN: 'b', ...ELSEWHERE }, ...OTHER }, undefined, undefined],
  ['TFE_ADDRESS is read if needed', { env: { ORGCTL_TOKEN, TFE_ADDRESS: 'no URL' }, ...OTHER }, 'a', 'ORGCTL_TOKEN'],
  ['the environment goes before what is stored', { env: { ORGCTL_TOKEN }, credentials: STORED }, 'a', 'ORGCTL_TOKEN'],
  ['what a login stored', { credentials: STORED, terraform: TERRAFORM }, 'stored', 'credentials.json'],
  ['for the named host', { credentials: STORED, ...at('tfe.example.com') }, 'stored-tfe', 'credentials.json'],
  ["then Terraform's own file", { terraform: TERRAFORM }, 'terraform', '~/.terraform.d/credentials.tfrc.json'],
  ['--profile goes first', { ...WORK, env: { ORGCTL_TOKEN }, options: { profile: 'work' } }, 'own', 'profile work'],
  ['ORGCTL_PROFILE does not', { ...WORK, env: { ORGCTL_TOKEN, ORGCTL_PROFILE: 'work' } }, 'a', 'ORGCTL_TOKEN'],
  ['token-command goes before Terraform', { ...COMMAND, terraform: TERRAFORM }, 'pass show tfe', 'token-command'],
])('%s', (_name, machine, found, source) => {
  expect(find(machine)).toMatchObject({ found, source });
});

const [HCP, TFE] = ['https://app.terraform.io', 'https://tfe.example.com'];

test.each<[name: string, machine: Machine, others: string[]]>([
  ['of a login', { credentials: STORED, ...OTHER }, [HCP, TFE]],
  ['of a profile', { ...WORK, options: { profile: 'work', host: 'other.example' } }, [TFE]],
  ['of token-command', { ...COMMAND, ...OTHER }, [HCP]],
  ['of Terraform', { terraform: TERRAFORM, ...OTHER }, [HCP]],
  ['of a host variable', { env: { TF_TOKEN_app_terraform_io: 'a' }, ...OTHER }, [HCP]],
  ['with another port', { credentials: STORED, ...at('app.terraform.io:8443') }, [HCP, TFE]],
  ['over http', { credentials: STORED, options: { baseUrl: 'http://app.terraform.io/api/v2' } }, [HCP, TFE]],
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
])('%s is refused', (_name, machine, message) => {
  expect(() => find(machine)).toThrow(message);
});
