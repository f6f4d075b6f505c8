import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Host } from '../../../src/old/host.ts';
import { parseToken } from '../../../src/old/secrets/token.ts';
import type { Environment } from '../../../src/old/settings/environment.ts';
import type { Profile } from '../../../src/old/settings/profile.ts';
import { resolveSettings } from '../../../src/old/settings/resolve-settings.ts';
import { createSettingsStore, type SettingsStore } from '../../../src/old/settings/store.ts';
import { createNoTokenError, findToken, resolveToken, type TokenInput } from '../../../src/old/settings/token.ts';

const HOSTED = 'https://app.terraform.io';
const OTHER = 'https://tfe.example.com';

const FOUND = { found: true, origin: OTHER };

/** No profile is named, and Terraform keeps no tokens. */
const NOTHING_ELSE = {
  profile: undefined,
  readProfileToken: () => undefined,
  readTerraform: () => undefined,
};

function resolve(baseUrl: string, env: Environment, credentials: Readonly<Record<string, string>> = {}) {
  return resolveToken({ ...NOTHING_ELSE, baseUrl: `${baseUrl}/api/v2`, env, readCredentials: () => credentials });
}

const NONE = { found: false, reasons: [], origins: [] };
const DOTTED = 'TF_TOKEN_app.terraform.io';

describe('the first token that belongs to the service', () => {
  test.each<[baseUrl: string, env: Environment, credentials: Record<string, string>, value: string, source: string]>([
    [HOSTED, { ORGCTL_TOKEN: 'a', TFE_TOKEN: 'b' }, { [HOSTED]: 'c' }, 'a', 'ORGCTL_TOKEN'],
    [OTHER, { ORGCTL_TOKEN: 'a' }, {}, 'a', 'ORGCTL_TOKEN'],
    [HOSTED, { ORGCTL_TOKEN: '', TFE_TOKEN: 'b' }, { [HOSTED]: 'c' }, 'b', 'TFE_TOKEN'],
    [HOSTED, { ORGCTL_TOKEN: ' \n' }, { [HOSTED]: 'c' }, 'c', 'credentials.json'],
    [OTHER, { TFE_TOKEN: 'b' }, {}, 'b', 'TFE_TOKEN'],
    [OTHER, { TFE_TOKEN: 'b', TFE_ADDRESS: `${OTHER}/` }, {}, 'b', 'TFE_TOKEN'],
    [OTHER, { TFE_TOKEN: 'b', TFE_HOSTNAME: 'tfe.example.com' }, {}, 'b', 'TFE_TOKEN'],
    // The address is asked before the host name.
    [OTHER, { TFE_TOKEN: 'b', TFE_ADDRESS: OTHER, TFE_HOSTNAME: 'x' }, {}, 'b', 'TFE_TOKEN'],
    // Passed over, since it belongs elsewhere.
    [HOSTED, { TFE_TOKEN: 'b', TFE_ADDRESS: OTHER }, { [HOSTED]: 'c' }, 'c', 'credentials.json'],
    [HOSTED, {}, { [OTHER]: 'd', [HOSTED]: 'c' }, 'c', 'credentials.json'],
    // Terraform's own variables, before TFE_TOKEN.
    [HOSTED, { TFE_TOKEN: 'b', TF_TOKEN_app_terraform_io: 't' }, {}, 't', 'TF_TOKEN_app_terraform_io'],
    [HOSTED, { ORGCTL_TOKEN: 'a', TF_TOKEN_app_terraform_io: 't' }, {}, 'a', 'ORGCTL_TOKEN'],
    [HOSTED, { TF_TOKEN_app_terraform_io: '' }, { [HOSTED]: 'c' }, 'c', 'credentials.json'],
    [OTHER, { TF_TOKEN_app_terraform_io: 't', TFE_TOKEN: 'b' }, {}, 'b', 'TFE_TOKEN'],
    // Of two that name the host the last counts.
    [HOSTED, { TF_TOKEN_app_terraform_io: 's', [DOTTED]: 't' }, {}, 't', DOTTED],
    // An origin may be stored as a URL, with a path or without, or as the host alone.
    [HOSTED, {}, { [`${HOSTED}/`]: 'c' }, 'c', 'credentials.json'],
    [HOSTED, {}, { [`${HOSTED}:443/api/v2`]: 'c' }, 'c', 'credentials.json'],
    [HOSTED, {}, { 'App.Terraform.io': 'c' }, 'c', 'credentials.json'],
    // A token file often ends with a newline.
    [HOSTED, { ORGCTL_TOKEN: ' a.atlasv1.b\r\n' }, {}, 'a.atlasv1.b', 'ORGCTL_TOKEN'],
  ])('%s %j %j', (baseUrl, env, credentials, value, source) => {
    expect(resolve(baseUrl, env, credentials)).toEqual({ found: true, value, source, origin: baseUrl });
  });
});

describe('no token', () => {
  test('none at all', () => {
    expect(resolve(HOSTED, {})).toEqual(NONE);
  });

  test('each one that belongs elsewhere is named', () => {
    const env = { TFE_TOKEN: 'b', TFE_HOSTNAME: 'tfe.example.com' };
    expect(resolve(HOSTED, env, { 'https://x.example:8443': 'c' })).toEqual({
      found: false,
      reasons: [
        'The token in TFE_TOKEN is for https://tfe.example.com.',
        'The token in credentials.json is for https://x.example:8443.',
      ],
      origins: ['https://tfe.example.com', 'https://x.example:8443'],
    });
  });

  const NEAR = ['http://app.terraform.io', `${HOSTED}:8443`, `${HOSTED}.evil.example`];
  test.each(NEAR)('the same name is not the same origin: %s', (baseUrl) => {
    expect(resolve(baseUrl, {}, { [HOSTED]: 'c' })).toMatchObject({ found: false });
  });
});

describe('a profile', () => {
  const PROFILE: Profile = { name: 'work', source: '--profile', settings: {}, isNew: false };
  const OWN = { origin: OTHER, token: 'own' };
  const choose = (env: Environment, profile: Partial<Profile>, more: Partial<TokenInput> = {}) =>
    resolveToken({
      ...NOTHING_ELSE,
      baseUrl: `${OTHER}/api/v2`,
      env,
      profile: { ...PROFILE, ...profile },
      readCredentials: () => ({ [OTHER]: 'of-the-default-profile' }),
      readProfileToken: (name) => (name === 'work' ? OWN : undefined),
      ...more,
    });

  test('named by the option goes before the variables, named by its variable behind them', () => {
    const env = { ORGCTL_TOKEN: 'variable' };
    expect(choose(env, {})).toEqual({ ...FOUND, value: 'own', source: 'profile work' });
    expect(choose(env, { source: 'ORGCTL_PROFILE' })).toMatchObject({ value: 'variable', source: 'ORGCTL_TOKEN' });
    expect(choose({}, { source: 'ORGCTL_PROFILE' })).toMatchObject({ value: 'own' });
  });

  test('without a token takes that of a variable, and never the one of the default profile', () => {
    expect(choose({ TFE_TOKEN: 'variable' }, { name: 'empty' })).toMatchObject({ value: 'variable' });
    expect(choose({}, { name: 'empty' })).toEqual(NONE);
  });

  test('whose token belongs elsewhere says so', () => {
    const found = choose({}, {}, { readProfileToken: () => ({ origin: HOSTED, token: 'own' }) });
    expect(found).toEqual({
      found: false,
      reasons: [`The token in profile work is for ${HOSTED}.`],
      origins: [HOSTED],
    });
  });
});

describe('tokens that Terraform keeps', () => {
  const choose = (tokens: Readonly<Record<string, string>>, more: Partial<TokenInput> = {}) =>
    resolveToken({
      ...NOTHING_ELSE,
      baseUrl: `${OTHER}/api/v2`,
      env: {},
      readCredentials: () => ({}),
      readTerraform: () => ({ path: '/home/x.json', tokens, fault: undefined }),
      ...more,
    });

  test('are the last that are looked at', () => {
    const tokens = { 'tfe.example.com': ' terraform\n' };
    const source = '/home/x.json';
    expect(choose(tokens)).toEqual({ ...FOUND, value: 'terraform', source });
    expect(choose(tokens, { env: { TFE_TOKEN: 'variable' } })).toMatchObject({ value: 'variable' });
    expect(choose(tokens, { readCredentials: () => ({ [OTHER]: 'stored' }) })).toMatchObject({ value: 'stored' });
  });

  test.each([
    ['café.fr', 'https://café.fr'],
    ['tfe.example.com:8443', 'https://tfe.example.com:8443'],
    ['localhost', 'https://localhost'],
  ])('for %s belong to %s', (host, origin) => {
    expect(choose({ [host]: 't' }, { baseUrl: `${origin}/api/v2` })).toMatchObject({ found: true, value: 't' });
  });

  test.each(['http://HOST', 'https://HOST', 'HOST/', 'x@HOST', 'HOST:443x', '/HOST', 'HOST:', ''])(
    'for %j, which is no host name, belong to nobody; and what is empty is none',
    (host) => {
      expect(choose({ [host.replace('HOST', 'tfe.example.com')]: 't' })).toEqual(NONE);
      expect(choose({ 'tfe.example.com': ' ' })).toEqual(NONE);
    },
  );
});

describe('TFE_TOKEN belongs to', () => {
  test.each<[string, Environment, string]>([
    ['the service in force, where nothing else is said', {}, OTHER],
    ['the address beside it', { TFE_ADDRESS: 'https://a.example' }, 'https://a.example'],
    ['the host name beside it', { TFE_HOSTNAME: 'b.example' }, 'https://b.example'],
    ['the address, where both are there', { TFE_ADDRESS: 'https://a', TFE_HOSTNAME: 'b' }, 'https://a'],
    ['the host name, where the address is empty', { TFE_ADDRESS: '', TFE_HOSTNAME: 'b.example' }, 'https://b.example'],
  ])('%s', (_name, env, origin) => {
    const expected =
      origin === OTHER
        ? { found: true, value: 't', source: 'TFE_TOKEN', origin }
        : { found: false, reasons: [`The token in TFE_TOKEN is for ${origin}.`], origins: [origin] };
    expect(resolve(OTHER, { ...env, TFE_TOKEN: 't' })).toEqual(expected);
  });

  test.each([
    ['TFE_ADDRESS', 'no address'],
    ['TFE_HOSTNAME', 'no host'],
  ])('nothing where %s cannot be read', (variable, text) => {
    expect(() => resolve(OTHER, { TFE_TOKEN: 't', [variable]: text })).toThrow(variable);
  });
});

test('an empty stored token is none', () => {
  expect(resolve(HOSTED, {}, { [HOSTED]: ' \n' })).toEqual(NONE);
  expect(resolve(HOSTED, {}, { [HOSTED]: ' c\n' })).toMatchObject({ value: 'c' });
});

const EMPTY = createSettingsStore(undefined, { user: undefined });

test.each([
  { origins: [], others: '' },
  { origins: ['https://a'], others: ' (you have one for a)' },
  { origins: ['https://a', 'http://b:8480'], others: ' (you have some for a and http://b:8480)' },
  { origins: ['https://a', 'https://b', 'https://c', 'https://d'], others: ' (you have some for 4 other services)' },
])('without a token the error names what others are for: $origins', ({ origins, others }) => {
  const reasons = origins.map((origin) => `The token in TFE_TOKEN is for ${origin}.`);
  expect(createNoTokenError(`${HOSTED}/api/v2`, { reasons, origins }, undefined, EMPTY)).toMatchObject({
    exit: 'not-authenticated',
    message: `no token for app.terraform.io${others}`,
    reasons,
    hint:
      origins.length === 0
        ? 'Log in, or set ORGCTL_TOKEN. To try orgctl without an account, add --sandbox.'
        : 'Name the service of your token with --base-url, --host or --profile, or log in to this one:',
    next: [['orgctl', 'auth', 'login']],
  });
});

test('without a token the error leads to the profile that is named', () => {
  expect(createNoTokenError(`${HOSTED}/api/v2`, { reasons: [], origins: [] }, 'work', EMPTY)).toMatchObject({
    message: 'no token for app.terraform.io in profile work',
    next: [['orgctl', 'auth', 'login', '--profile', 'work']],
  });
});

describe('TF_TOKEN_<host>', () => {
  test.each<[variable: string, baseUrl: string]>([
    ['TF_TOKEN_app_terraform_io', HOSTED],
    ['TF_TOKEN_APP_TERRAFORM_IO', HOSTED],
    ['TF_TOKEN_my__host_example_com', 'https://my-host.example.com'],
    ['TF_TOKEN_my-host.example.com', 'https://my-host.example.com'],
    ['TF_TOKEN_xn--caf-dma.fr', 'https://café.fr'],
    ['TF_TOKEN_xn--caf-dma_fr', 'https://xn--caf-dma.fr'],
    ['TF_TOKEN_xn____caf__dma_fr', 'https://café.fr'],
    ['TF_TOKEN_localhost', 'https://localhost'],
  ])('%s is for %s, and for no other', (variable, baseUrl) => {
    const { origin } = new URL(baseUrl);
    expect(resolve(baseUrl, { [variable]: 't' })).toEqual({ found: true, value: 't', source: variable, origin });
    for (const other of [baseUrl.replace('https:', 'http:'), `${baseUrl}:8443`, `${baseUrl}.example`, OTHER]) {
      expect(resolve(other, { [variable]: 't' })).toMatchObject({ found: false });
    }
  });

  test.each(['TF_TOKEN_', 'TF_TOKEN_a/b', 'TF_TOKEN_a@app.terraform.io', 'TF_TOKEN_a b', 'TFE_TOKEN_x'])(
    '%j names no host and is ignored',
    (variable) => {
      expect(resolve(HOSTED, { [variable]: 't' })).toEqual(NONE);
    },
  );
});

test("this machine's variables, store and Terraform's file are where a token is looked for", () => {
  const home = mkdtempSync(join(tmpdir(), 'orgctl-token-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const machine = { home, cwd: home, platform: process.platform };
  const find = (env: Environment, stored: Readonly<Record<string, string>>) =>
    findToken({
      settings: resolveSettings({ options: {}, env: {}, config: {}, profile: undefined }),
      profile: undefined,
      host: { ...machine, env } as unknown as Host,
      store: { readCredentials: () => stored, readProfileToken: () => undefined } as unknown as SettingsStore,
    });
  expect(find({}, {})).toEqual(NONE);
  const folder = join(home, '.terraform.d');
  mkdirSync(folder);
  const content = '{"credentials":{"app.terraform.io":{"token":"terraform"}}}';
  writeFileSync(join(folder, 'credentials.tfrc.json'), content, { mode: 0o600 });
  expect(find({}, {})).toMatchObject({ value: 'terraform' });
  expect(find({}, { [HOSTED]: 'stored' })).toMatchObject({ value: 'stored' });
  expect(find({ ORGCTL_TOKEN: 'variable' }, { [HOSTED]: 'stored' })).toMatchObject({ value: 'variable' });
});

test('stored tokens are not looked at when a variable holds one', () => {
  const readCredentials = (): never => {
    throw new Error('read');
  };
  const input = { ...NOTHING_ELSE, baseUrl: `${HOSTED}/api/v2`, readCredentials };
  expect(resolveToken({ ...input, env: { ORGCTL_TOKEN: 'a' } })).toMatchObject({ value: 'a' });
  const elsewhere = { TFE_TOKEN: 'b', TFE_HOSTNAME: 'tfe.example.com' };
  expect(() => resolveToken({ ...input, env: elsewhere })).toThrow('read');
});

describe('a token no header can carry', () => {
  test.each(['s3cret s3cret', 's3cret\ns3cret', 's3cret\u0000', 's3cret\u00a0x', 's3cret\u00e9'])('%j', (token) => {
    expect(() => resolve(HOSTED, { ORGCTL_TOKEN: token })).toThrow(
      /^ORGCTL_TOKEN contains a character that tokens don't have(?!.*s3cret)/,
    );
    expect(() => resolve(HOSTED, {}, { [HOSTED]: token })).toThrow(
      /^the token in credentials\.json contains (?!.*s3cret)/,
    );
  });

  test('may stand between blanks, and the error says what to do', () => {
    expect(parseToken(' a.b \n', 'stdin')).toBe('a.b');
    const refusal = expect.objectContaining({ hint: 'Copy the token again, alone on one line.' });
    expect(() => parseToken('a b', 'stdin')).toThrow(refusal);
  });

  test('does no harm where it is not used', () => {
    expect(resolve(HOSTED, { ORGCTL_TOKEN: 'a' }, { [HOSTED]: 'b c' })).toMatchObject({ value: 'a' });
  });
});
