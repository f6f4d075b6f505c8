import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AUTHORITY, GOOD, KEY } from '../support/certificates.ts';
import { createFolder } from '../support/files.ts';
import { run } from '../support/run.ts';
import { answer, startScripted } from '../support/scripted.ts';

async function prepare() {
  const home = createFolder();
  const put = (name: string, text: string): string => {
    writeFileSync(join(home, name), text, { mode: 0o600 });
    return join(home, name);
  };
  const [ca, cert, key] = [put('ca.pem', AUTHORITY), put('cert.pem', GOOD), put('key.pem', KEY)] as const;
  const tls = { cert: GOOD, key: KEY, ca: AUTHORITY, requestCert: true };
  const server = await startScripted(answer(200, { data: [] }), { tls });
  const env = { ORGCTL_BASE_URL: `${server.origin}/api/v2`, ORGCTL_TOKEN: 'token', ORGCTL_CA_FILE: ca };
  const call = (argv: readonly string[] = [], more: Readonly<Record<string, string>> = {}) =>
    run(['api', 'GET', '/ping', ...argv], { home, env: { ...env, ...more } });
  return { home, cert, key, server, call };
}

test('a client certificate comes from options or the environment', async () => {
  const { cert, key, call, server } = await prepare();
  expect((await call()).code).toBe(9);
  expect(await call(['--client-cert', cert, '--client-key', key])).toMatchObject({ code: 0, stderr: '' });
  expect((await call([], { ORGCTL_CLIENT_CERT: cert, ORGCTL_CLIENT_KEY: key })).code).toBe(0);
  expect(server.requests).toHaveLength(2);
});

test('one half, a pair that does not belong together, and a key that others can read are refused', async () => {
  const { home, cert, key, call, server } = await prepare();
  const refused = async (argv: readonly string[]) => {
    const { code, stdout, stderr } = await call(argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    return stderr;
  };
  expect(await refused(['--client-cert', cert])).toBe(
    'orgctl: --client-key is missing\n  → Give both, --client-cert and --client-key.\n',
  );
  expect(await refused(['--client-cert', join(home, 'ca.pem'), '--client-key', key])).toContain(
    "can't use the certificate",
  );
  expect(await refused(['--client-cert', '/nowhere', '--client-key', key])).toContain("can't read /nowhere");
  if (process.platform !== 'win32') {
    chmodSync(key, 0o640);
    const stderr = await refused(['--client-cert', cert, '--client-key', key]);
    expect(stderr).toContain(`others can read ${key}, so the key is not used`);
    expect(stderr).toContain(`$ chmod 600 ${key}`);
  }
  expect(server.requests).toEqual([]);
});
