import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { expect, test } from 'vitest';
import { AUTHORITY, GOOD, KEY } from '../support/certificates.ts';
import { createFolder } from '../support/files.ts';
import { run } from '../support/run.ts';
import { answer, startScripted, type Turn } from '../support/scripted.ts';

async function prepare(more: TlsOptions = {}, turn: Turn = answer(200, { data: [] })) {
  const home = createFolder();
  const put = (name: string, text: string): string => {
    writeFileSync(join(home, name), text, { mode: 0o600 });
    return join(home, name);
  };
  const [ca, cert, key] = [put('ca.pem', AUTHORITY), put('cert.pem', GOOD), put('key.pem', KEY)] as const;
  const tls = { cert: GOOD, key: KEY, ca: AUTHORITY, requestCert: true, ...more };
  const server = await startScripted(turn, { tls });
  const env = { ORGCTL_BASE_URL: `${server.origin}/api/v2`, ORGCTL_TOKEN: 'token', ORGCTL_CA_FILE: ca };
  const call = (argv: readonly string[] = [], more: Readonly<Record<string, string>> = {}) =>
    run(['api', 'GET', '/ping', ...argv], { home, env: { ...env, ...more } });
  const withIt = { ORGCTL_CLIENT_CERT: cert, ORGCTL_CLIENT_KEY: key };
  const runWithIt = (...argv: readonly string[]) => run(argv, { home, env: { ...env, ...withIt } });
  return { home, cert, key, server, call, runWithIt };
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

test('the public registry at the own origin of the service gets it', async () => {
  const versions = { versions: [{ version: '5.10.0' }] };
  const { runWithIt, server } = await prepare({}, answer(200, versions, { 'content-type': 'application/json' }));
  expect(await runWithIt('providers', 'versions', 'hashicorp/aws')).toMatchObject({ code: 0, stderr: '' });
  expect(server.requests.map(({ target }) => target)).toEqual([
    '/.well-known/terraform.json',
    '/api/registry/public/v1/providers/hashicorp/aws/versions',
  ]);
});

// As nginx says it, which ends no connection.
test.each([
  [
    'No required SSL certificate was sent',
    'asks for a client certificate',
    'Name it with --client-cert, and its key with',
  ],
  ['The SSL certificate error', "doesn't accept the client certificate", 'Check with its operator which authority'],
])('a page that says "%s"', async (title, what, hint) => {
  const page = `<html>\r\n<head><title>400 ${title}</title></head>\r\n</html>`;
  const { call, runWithIt, server } = await prepare(
    { rejectUnauthorized: false },
    answer(400, page, { 'content-type': 'text/html' }),
  );
  const { code, stderr } = await call();
  expect(code).toBe(7);
  expect(stderr).toMatch(
    new RegExp(`^orgctl: 127.0.0.1:${server.port} ${what}\n  Answer: 400 web page .*\n  → ${hint}`),
  );
  const { stdout } = await runWithIt('doctor', '-o', 'tsv');
  expect(stdout).toMatch(new RegExp(`^service\tfailed\t127.0.0.1:${server.port} ${what}.*\t${hint}`, 'm'));
});
