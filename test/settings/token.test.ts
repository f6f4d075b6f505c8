import { describe, expect, test } from 'vitest';
import type { Environment } from '../../src/settings/resolve.ts';
import { resolveToken } from '../../src/settings/token.ts';

const HOSTED = 'https://app.terraform.io';
const OTHER = 'https://tfe.example.com';

function resolve(baseUrl: string, env: Environment, credentials: Readonly<Record<string, string>> = {}) {
  return resolveToken({ baseUrl: `${baseUrl}/api/v2`, env, credentials });
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

describe('a token no header can carry', () => {
  test.each(['s3cret s3cret', 's3cret\ns3cret', 's3cret\u0000', 's3cret\u00a0x', 's3cret\u00e9'])('%j', (token) => {
    expect(() => resolve(HOSTED, { ORGCTL_TOKEN: token })).toThrow(/^ORGCTL_TOKEN is not a token(?!.*s3cret)/);
    expect(() => resolve(HOSTED, {}, { [HOSTED]: token })).toThrow(/^the stored token for (?!.*s3cret)/);
  });

  test('does no harm where it is not used', () => {
    expect(resolve(HOSTED, { ORGCTL_TOKEN: 'a' }, { [HOSTED]: 'b c' })).toMatchObject({ value: 'a' });
  });
});
