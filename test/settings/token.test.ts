import { describe, expect, test } from 'vitest';
import type { Environment } from '../../src/settings/environment.ts';
import { resolveToken } from '../../src/settings/token.ts';

const HOSTED = 'https://app.terraform.io';
const OTHER = 'https://tfe.example.com';

/** No profile is named, and Terraform keeps no tokens. */
const NOTHING_ELSE = {
  profile: undefined,
  readProfileToken: () => undefined,
  readTerraform: () => ({ tokens: {}, path: undefined }),
};

function resolve(baseUrl: string, env: Environment, credentials: Readonly<Record<string, string>> = {}) {
  return resolveToken({ ...NOTHING_ELSE, baseUrl: `${baseUrl}/api/v2`, env, readCredentials: () => credentials });
}

describe('the first token that belongs to the service', () => {
  test.each<[baseUrl: string, env: Environment, credentials: Record<string, string>, value: string, source: string]>([
    [HOSTED, { ORGCTL_TOKEN: 'a', TFE_TOKEN: 'b' }, { [HOSTED]: 'c' }, 'a', 'ORGCTL_TOKEN'],
    [OTHER, { ORGCTL_TOKEN: 'a' }, {}, 'a', 'ORGCTL_TOKEN'],
    [HOSTED, { ORGCTL_TOKEN: '', TFE_TOKEN: 'b' }, { [HOSTED]: 'c' }, 'b', 'TFE_TOKEN'],
    [HOSTED, { ORGCTL_TOKEN: ' \n' }, { [HOSTED]: 'c' }, 'c', `the stored token for ${HOSTED}`],
    [OTHER, { TFE_TOKEN: 'b' }, {}, 'b', 'TFE_TOKEN'],
    [OTHER, { TFE_TOKEN: 'b', TFE_ADDRESS: `${OTHER}/` }, {}, 'b', 'TFE_TOKEN'],
    [OTHER, { TFE_TOKEN: 'b', TFE_HOSTNAME: 'tfe.example.com' }, {}, 'b', 'TFE_TOKEN'],
    // The address is asked before the host name.
    [OTHER, { TFE_TOKEN: 'b', TFE_ADDRESS: OTHER, TFE_HOSTNAME: 'x' }, {}, 'b', 'TFE_TOKEN'],
    // Passed over, since it belongs elsewhere.
    [HOSTED, { TFE_TOKEN: 'b', TFE_ADDRESS: OTHER }, { [HOSTED]: 'c' }, 'c', `the stored token for ${HOSTED}`],
    [HOSTED, {}, { [OTHER]: 'd', [HOSTED]: 'c' }, 'c', `the stored token for ${HOSTED}`],
    // Terraform's own variables, before TFE_TOKEN.
    [HOSTED, { TFE_TOKEN: 'b', TF_TOKEN_app_terraform_io: 't' }, {}, 't', 'TF_TOKEN_app_terraform_io'],
    [HOSTED, { ORGCTL_TOKEN: 'a', TF_TOKEN_app_terraform_io: 't' }, {}, 'a', 'ORGCTL_TOKEN'],
    [HOSTED, { TF_TOKEN_app_terraform_io: '' }, { [HOSTED]: 'c' }, 'c', `the stored token for ${HOSTED}`],
    [OTHER, { TF_TOKEN_app_terraform_io: 't', TFE_TOKEN: 'b' }, {}, 'b', 'TFE_TOKEN'],
    // Of two that name the host the last counts.
    [
      HOSTED,
      { TF_TOKEN_app_terraform_io: 's', 'TF_TOKEN_app.terraform.io': 't' },
      {},
      't',
      'TF_TOKEN_app.terraform.io',
    ],
    // An origin may be stored as a URL, with a path or without, or as the host alone.
    [HOSTED, {}, { [`${HOSTED}/`]: 'c' }, 'c', `the stored token for ${HOSTED}/`],
    [HOSTED, {}, { [`${HOSTED}:443/api/v2`]: 'c' }, 'c', `the stored token for ${HOSTED}:443/api/v2`],
    [HOSTED, {}, { 'App.Terraform.io': 'c' }, 'c', 'the stored token for App.Terraform.io'],
    // A token file often ends with a newline.
    [HOSTED, { ORGCTL_TOKEN: ' a.atlasv1.b\r\n' }, {}, 'a.atlasv1.b', 'ORGCTL_TOKEN'],
  ])('%s %j %j', (baseUrl, env, credentials, value, source) => {
    expect(resolve(baseUrl, env, credentials)).toEqual({ found: true, value, source, origin: baseUrl });
  });
});

describe('no token', () => {
  test('none at all', () => {
    expect(resolve(HOSTED, {})).toEqual({ found: false, reasons: [] });
  });

  test('each one that belongs elsewhere is told of', () => {
    expect(
      resolve(HOSTED, { TFE_TOKEN: 'b', TFE_HOSTNAME: 'tfe.example.com' }, { 'https://x.example:8443': 'c' }),
    ).toEqual({
      found: false,
      reasons: [
        'TFE_TOKEN belongs to https://tfe.example.com, not to https://app.terraform.io',
        'the stored token for https://x.example:8443 belongs to https://x.example:8443, not to https://app.terraform.io',
      ],
    });
  });

  test.each(['http://app.terraform.io', 'https://app.terraform.io:8443', 'https://app.terraform.io.evil.example'])(
    'the same name is not the same origin: %s',
    (baseUrl) => {
      expect(resolve(baseUrl, {}, { [HOSTED]: 'c' })).toMatchObject({ found: false });
    },
  );
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
      expect(resolve(HOSTED, { [variable]: 't' })).toEqual({ found: false, reasons: [] });
    },
  );
});

test('stored tokens are not looked at when a variable holds one', () => {
  const readCredentials = (): never => {
    throw new Error('read');
  };
  const baseUrl = `${HOSTED}/api/v2`;
  expect(resolveToken({ ...NOTHING_ELSE, baseUrl, env: { ORGCTL_TOKEN: 'a' }, readCredentials })).toMatchObject({
    value: 'a',
  });
  expect(() =>
    resolveToken({
      ...NOTHING_ELSE,
      baseUrl,
      env: { TFE_TOKEN: 'b', TFE_HOSTNAME: 'tfe.example.com' },
      readCredentials,
    }),
  ).toThrow('read');
});

describe('a token no header can carry', () => {
  test.each(['s3cret s3cret', 's3cret\ns3cret', 's3cret\u0000', 's3cret\u00a0x', 's3cret\u00e9'])('%j', (token) => {
    expect(() => resolve(HOSTED, { ORGCTL_TOKEN: token })).toThrow(/^ORGCTL_TOKEN is not a token(?!.*s3cret)/);
    expect(() => resolve(HOSTED, {}, { [HOSTED]: token })).toThrow(/^the stored token for (?!.*s3cret)/);
  });

  test('does no harm where it is not used', () => {
    expect(resolve(HOSTED, { ORGCTL_TOKEN: 'a' }, { [HOSTED]: 'b c' })).toMatchObject({ value: 'a' });
  });
});
