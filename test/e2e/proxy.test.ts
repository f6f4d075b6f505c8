import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AUTHORITY, KEY, NAMED } from '../support/certificates.ts';
import { pass } from '../support/faults.ts';
import { startFront } from '../support/front.ts';
import { isInstalled, type ProxyOptions, SQUID, startSquid, startTinyproxy, TINYPROXY } from '../support/proxies.ts';
import { startService } from '../support/service.ts';
import { createPlace, orgctl } from '../support/shipped.ts';

/**
 * The built orgctl through forward proxies that others wrote. The machine itself never goes by proxy, so the service has a
 * name that only squid knows, or the address 0.0.0.0, which leads to this machine and is not known to orgctl as such.
 */

const NAME = 'tfe.example.test';
const ADDRESS = '0.0.0.0';
const LOGIN = ['ana', 'p@ss/%'] as const;
// tinyproxy takes letters and digits only.
const PLAIN_LOGIN = ['ana', 'pass'] as const;

/** A service with TLS, and what a process needs to ask it. */
async function startTarget(host: string, scheme: 'https' | 'http' = 'https') {
  const { sandbox } = await startService({ now: Date.now });
  const front = await startFront(sandbox, pass, scheme === 'https' ? { tls: { key: KEY, cert: NAMED } } : {});
  const { home, env } = createPlace();
  const authorities = join(home, 'authorities.pem');
  writeFileSync(authorities, AUTHORITY + NAMED);
  return {
    front,
    home,
    target: `${host}:${front.port}`,
    env: {
      ...env,
      ORGCTL_BASE_URL: `${scheme}://${host}:${front.port}/api/v2`,
      ORGCTL_TOKEN: sandbox.tokenFor('owner', 'acme') ?? '',
      ORGCTL_ORG: 'acme',
      ORGCTL_CA_FILE: authorities,
    },
  };
}

function toUrl(port: number, { login, tls = false }: ProxyOptions): string {
  const who = login === undefined ? '' : `${login.map(encodeURIComponent).join(':')}@`;
  return `${tls ? 'https' : 'http'}://${who}127.0.0.1:${port}`;
}

describe.each([
  ['squid', SQUID, NAME, (options: ProxyOptions) => startSquid(options, [NAME]), LOGIN],
  ['tinyproxy', TINYPROXY, ADDRESS, startTinyproxy, PLAIN_LOGIN],
] as const)('%s', (name, program, host, startProxy, login) => {
  const isHere = isInstalled(program);

  const ways: readonly [string, ProxyOptions][] = [
    ['as it is', {}],
    ['with name and password', { login }],
    ['over TLS', { tls: true }],
    ['over TLS, with name and password', { tls: true, login }],
  ];

  test.skipIf(!isHere).each(ways.filter(([, { tls }]) => tls !== true || name === 'squid'))(
    '%s: all that leaves goes through it, list, invite and rotate',
    async (_name, options) => {
      const proxy = await startProxy(options);
      const { front, home, target, env: own } = await startTarget(host);
      const env = { ...own, HTTPS_PROXY: toUrl(proxy.port, options) };

      const list = await orgctl(['members', 'list', '-o', 'json'], { env });
      expect(list).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('"ou-') });
      const invited = await orgctl(
        ['members', 'invite', 'new@example.com', '--team', 'owners', '--yes', '-o', 'json'],
        { env },
      );
      expect(invited).toMatchObject({ code: 0, stderr: '' });
      const before = front.connections();
      const place = join(home, 'audit-token');
      const rotated = await orgctl(['audit-token', 'rotate', '--expires', '90d', '--to', `file:${place}`], { env });
      expect(rotated.code).toBe(0);
      expect(readFileSync(place, 'utf8')).toMatch(/^sandbox\./);
      // The request that makes the token has a connection of its own.
      expect(front.connections() - before).toBeGreaterThan(1);
      expect(front.done.map((write) => write.split('?')[0])).toEqual([
        'POST /api/v2/organizations/acme/organization-memberships',
        'POST /api/v2/organizations/acme/authentication-token',
      ]);

      const log = await proxy.stop();
      const user = options.login === undefined || name !== 'squid' ? undefined : login[0];
      expect(log).toEqual(Array(front.connections()).fill({ target, user }));
    },
  );

  test.skipIf(!isHere)('a wrong password: exit 9, and the service hears nothing', async () => {
    const proxy = await startProxy({ login });
    const { front, env } = await startTarget(host);
    const { code, stderr } = await orgctl(['members', 'list', '--max-retries', '0'], {
      env: { ...env, HTTPS_PROXY: toUrl(proxy.port, { login: [login[0], 'wrong'] }) },
    });
    const status = name === 'squid' ? 407 : 401;
    const lines = [
      `orgctl: can't reach ${host}:${front.port} through the proxy 127.0.0.1:${proxy.port} (from HTTPS_PROXY)`,
      `  It answered ${status} instead of connecting.`,
      '  → Check HTTPS_PROXY and NO_PROXY.',
    ];
    expect({ code, stderr }).toEqual({ code: 9, stderr: `${lines.join('\n')}\n` });
    expect(front.connections()).toBe(0);
  });
});

describe.skipIf(!isInstalled(SQUID))('by proxy or directly', () => {
  test('NO_PROXY by suffix and by block of addresses', async () => {
    const rows: readonly (readonly [host: string, except: string, goes: 'directly' | 'by proxy'])[] = [
      [NAME, '.example.test', 'directly'],
      [NAME, 'example.test', 'directly'],
      [NAME, 'other.test,.example.test:1', 'by proxy'],
      [NAME, '127.0.0.0/8', 'by proxy'],
      [ADDRESS, '0.0.0.0/8', 'directly'],
      [ADDRESS, '10.0.0.0/8,.example.test', 'by proxy'],
    ];
    const proxy = await startSquid({}, [NAME]);
    const ends = [];
    for (const [host, except, goes] of rows) {
      const { target, env } = await startTarget(host);
      const { code, stderr } = await orgctl(['members', 'list', '-q', '--max-retries', '0'], {
        env: { ...env, HTTPS_PROXY: toUrl(proxy.port, {}), NO_PROXY: except },
      });
      ends.push({ host, except, goes, target, code, stderr: stderr.split('\n')[0] });
    }
    const log = new Set((await proxy.stop()).map(({ target }) => target));
    for (const { host, except, goes, target, ...end } of ends) {
      expect(log.has(target) ? 'by proxy' : 'directly', except).toBe(goes);
      // Only the proxy knows the name.
      const unknown = { code: 9, stderr: `orgctl: can't find the host ${NAME} (address from ORGCTL_BASE_URL)` };
      expect(end, except).toEqual(host === NAME && goes === 'directly' ? unknown : { code: 0, stderr: '' });
    }
  });

  test('plain http that is allowed goes by HTTP_PROXY', async () => {
    const proxy = await startSquid({}, [NAME]);
    const { target, env } = await startTarget(NAME, 'http');
    const { code } = await orgctl(['members', 'list', '--allow-http', NAME], {
      env: { ...env, HTTP_PROXY: toUrl(proxy.port, {}) },
    });
    expect(code).toBe(0);
    expect((await proxy.stop()).map((line) => line.target)).toEqual([target]);
  });

  test('a proxy whose certificate is not trusted is what the error names', async () => {
    const proxy = await startSquid({ tls: true }, [NAME]);
    const { front, env } = await startTarget(NAME);
    const { code, stderr } = await orgctl(['members', 'list'], {
      env: { ...env, ORGCTL_CA_FILE: '', HTTPS_PROXY: toUrl(proxy.port, { tls: true }) },
    });
    expect(code).toBe(9);
    expect(stderr).toContain(`the certificate of the proxy 127.0.0.1:${proxy.port} is signed by an unknown authority`);
    expect(front.connections()).toBe(0);
  });
});
