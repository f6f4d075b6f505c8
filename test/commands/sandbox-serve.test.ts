import { X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GOOD, KEY } from '../support/certificates.ts';
import { createFolder } from '../support/files.ts';
import { type RunOptions, type RunResult, run } from '../support/run.ts';
import { startService } from '../support/service.ts';

interface Serving extends RunOptions {
  signal?: 'SIGINT' | 'SIGTERM' | 'SIGHUP';
  /** While it serves. */
  act?: (announced: string) => Promise<void>;
}

/** Runs until it has announced something, and then ends it by a signal. */
async function serve(line: string, { signal = 'SIGINT', act, ...options }: Serving = {}): Promise<RunResult> {
  let send: Parameters<NonNullable<RunOptions['onStart']>>[0] | undefined;
  return await run(
    `sandbox serve --port 0 ${line}`.split(' ').map((word) => word.replaceAll('_', ' ')),
    {
      ...options,
      onStart: (sender) => {
        send = sender;
      },
      onStdout: async (text) => {
        await act?.(text);
        setImmediate(() => send?.(signal));
      },
    },
  );
}

describe('serve', () => {
  test('prints the base URL and a token of each kind, as text and as JSON', async () => {
    const { stdout } = await serve('--state :memory:');
    expect(stdout).toMatch(
      /^ORGCTL_BASE_URL=http:\/\/127\.0\.0\.1:(\d+)\/api\/v2\nTFE_ADDRESS=http:\/\/127\.0\.0\.1:\1\nsandbox\.owner {16}# owner\n/,
    );
    expect(stdout).toMatch(
      /\nsandbox\.owners-team\.initech {2}# owners-team of initech\nsandbox\.org-token\.initech .*\n$/,
    );
    const { tokens, ...announced } = JSON.parse((await serve('--state :memory: -o json')).stdout);
    expect(announced).toEqual({ 'base-url': expect.stringMatching(/^http:.*\/api\/v2$/), state: ':memory:' });
    expect(tokens[1]).toEqual({ kind: 'owners-team', organization: 'acme', token: 'sandbox.owners-team.acme' });
  });

  test('keeps what is changed in its state, shows no token that a request made, and is asked by that URL', async () => {
    const home = createFolder();
    const { stdout: secret } = await run('--sandbox audit-token generate --yes -q'.split(' '), { home });
    let seen = '';
    const { stdout } = await serve('-q', {
      home,
      async act(announced) {
        const [, ORGCTL_BASE_URL = ''] = /^ORGCTL_BASE_URL=(.*)$/m.exec(announced) ?? [];
        const asked = { ORGCTL_BASE_URL, ORGCTL_TOKEN: secret.trim() };
        seen = (await run('audit-trail list --fields resource.action --limit 1'.split(' '), { env: asked })).stdout;
      },
    });
    expect(seen).toBe('create\n');
    expect(stdout).toContain('  # acme: created by a request, not shown\n');
    expect(stdout + readFileSync(join(home, 'state/sandbox/state.sqlite'))).not.toContain(secret.trim());
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('is stopped by %s: exit %i', async (signal, code) => {
    const { stdout: _, ...ended } = await serve('--state :memory:', { signal });
    expect(ended).toEqual({ code, stderr: 'Press Ctrl-C to stop.\nInterrupted.\n' });
  });

  test('warns if other machines can reach it', async () => {
    const warning = 'warning: anyone who can reach 0.0.0.0 can use this sandbox: its tokens are public\n';
    expect((await serve('--state :memory: --listen 0.0.0.0')).stderr).toContain(warning);
    expect((await serve('--state :memory: --listen localhost')).stderr).not.toContain('warning');
  });

  test.each([
    ['--fault *_ping:_nth=2_503', [204, 503, 204]],
    ['--document-only', [404, 404, 404]],
    ['--rate-limit 2', [204, 204, 429]],
    ['--like enterprise', [204]],
  ])('with %s', async (option, expected) => {
    const statuses: number[] = [];
    await serve(`--state :memory: ${option}`, {
      async act(announced) {
        const [, url = ''] = /^ORGCTL_BASE_URL=(.*)$/m.exec(announced) ?? [];
        for (const _ of expected) statuses.push((await fetch(`${url}/ping`)).status);
      },
    });
    expect(statuses).toEqual(expected);
  });

  test('names a port that is taken', async () => {
    const { port } = new URL((await startService()).url);
    const { code, stderr } = await run(`sandbox serve --state :memory: --port ${port}`.split(' '));
    expect(code).toBe(2);
    expect(stderr).toContain(
      `orgctl: can't listen on 127.0.0.1 port ${port}: listen EADDRINUSE: address already in use 127.0.0.1:${port}\n  → Name another`,
    );
  });

  test.each([
    ['--listen 192.0.2.1', "can't listen on 192.0.2.1 port 0: listen EADDRNOTAVAIL"],
    ['--listen=', '--listen is empty'],
    ['--rate-limit many', "--rate-limit must be a whole number up to 1000000, not 'many'"],
    ['--fault nonsense', 'can\'t read the fault "nonsense"'],
    ['--seed members=many', "unknown seed 'members=many'\n  → It is demo, empty or members=<n>."],
    ['--seed empty --state named.sqlite', 'Run orgctl sandbox reset --seed empty --state HOME/named.sqlite'],
    ['--document-only --like hosted', 'use --document-only or --like hosted, not both'],
    ['--tls --tls-cert a.pem --tls-key b.pem', 'use --tls or --tls-cert, not both'],
    ['--tls-cert a.pem', '--tls-cert and --tls-key go together'],
    ['--tls-cert /none/a.pem --tls-key b.pem', "can't read /none/a.pem: it doesn't exist"],
  ])('does not start with %s: exit 2', async (line, message) => {
    const home = createFolder();
    await run(['sandbox', 'info', '--state', 'named.sqlite'], { home });
    const { code, stdout, stderr } = await serve(`--state :memory: ${line}`, { home });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.replaceAll(home, 'HOME')).toContain(message);
  });

  test('serves TLS with a certificate of its own', async () => {
    const { stdout } = await serve('-q --state named.sqlite --tls --listen localhost', { home: createFolder() });
    const [, file = ''] = /^ORGCTL_BASE_URL=https:.*\nORGCTL_CA_FILE=(.*)\nTFE_ADDRESS=https:/.exec(stdout) ?? [];
    expect(new X509Certificate(readFileSync(file)).checkHost('localhost')).toBe('localhost');
  });

  test('takes a certificate that is given', async () => {
    const home = createFolder();
    const [cert, key] = [join(home, 'cert.pem'), join(home, 'key.pem')];
    writeFileSync(cert, GOOD);
    writeFileSync(key, KEY);
    const { stdout } = await serve(`--state :memory: --tls-cert ${cert} --tls-key ${key}`);
    expect(stdout).toMatch(/^ORGCTL_BASE_URL=https:.*\nTFE_ADDRESS=https:/);
  });
});
