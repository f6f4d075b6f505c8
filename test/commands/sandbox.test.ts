import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { SignalName } from '../../src/old/host.ts';
import { parseFault } from '../../src/sandbox/faults.ts';
import { ORGCTL } from '../campaign/process.ts';
import { AUTHORITY, GOOD, KEY } from '../support/certificates.ts';
import { createFolder } from '../support/files.ts';
import { exchange, toAnswers } from '../support/raw-http.ts';
import { failed, NOW, type RunOptions, run } from '../support/run.ts';
import { answer, startScripted } from '../support/scripted.ts';
import { startService } from '../support/service.ts';
import { openDatabase } from '../support/sqlite.ts';

/** A home of its own, and the file `--sandbox` keeps its state in there. */
function createPlace() {
  const home = createFolder();
  const state = join(home, 'state', 'sandbox', 'state.sqlite');
  const orgctl = (line: string, options: RunOptions = {}) =>
    run(
      line
        .trim()
        .split(/ +/)
        .map((word) => word.replace('STATE', join(home, 'named.db'))),
      { home, ...options },
    );
  const put = (path: string, text: string | Uint8Array): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  return { home, state, named: join(home, 'named.db'), orgctl, put };
}

/** Runs it until it has printed something, and then ends it by a signal. */
async function serveUntilAnnounced(
  { orgctl }: Pick<ReturnType<typeof createPlace>, 'orgctl'>,
  line: string,
  signal: SignalName = 'SIGINT',
  options: RunOptions = {},
) {
  let send: ((name: SignalName) => void) | undefined;
  return await orgctl(`sandbox serve --port 0 ${line}`, {
    ...options,
    onStart: (sender) => {
      send = sender;
    },
    onStdout: () => setImmediate(() => send?.(signal)),
  });
}

describe('a state that cannot be read', () => {
  const DAMAGED = Buffer.alloc(8_192, 0xff);
  const isNoState = (path: string): string =>
    `orgctl: ${path} is not a state of the sandbox, or it is damaged. It was left as it is.\n`;

  test.each(['sandbox info', 'sandbox accept ivan.invitee@example.com', 'sandbox serve'])(
    'stops %s, and a reset is advised, which helps',
    async (line) => {
      const { state, orgctl, put } = createPlace();
      put(state, DAMAGED);
      expect(await orgctl(line)).toEqual(
        failed(2, `${isNoState(state)}  → Start over; its data is lost.\n  $ orgctl sandbox reset\n`),
      );
      expect(readFileSync(state)).toEqual(DAMAGED);
      expect(await orgctl('sandbox reset --yes')).toMatchObject({ code: 0 });
      expect(await orgctl('sandbox info')).toMatchObject({ code: 0 });
    },
  );

  test.each(['info', 'accept ivan.invitee@example.com', 'serve', 'reset', 'reset --dry-run'])(
    'and was named is left to its owner by sandbox %s',
    async (verb) => {
      const { named, orgctl, put } = createPlace();
      put(named, DAMAGED);
      expect(await orgctl(`sandbox ${verb} --state STATE`)).toEqual(
        failed(2, `${isNoState(named)}  → Remove the file, or use another with --state.\n`),
      );
      expect(readFileSync(named)).toEqual(DAMAGED);
    },
  );

  test('since another version made it: a reset replaces it, also where it was named', async () => {
    const { named, orgctl } = createPlace();
    const database = openDatabase(named);
    database.exec('PRAGMA application_id = 1869768547; PRAGMA user_version = 4');
    database.close();
    expect(await orgctl('sandbox info --state STATE')).toEqual(
      failed(
        2,
        `orgctl: the sandbox state ${named} was made by another version of orgctl. It was left as it is.\n` +
          `  → Start over; its data is lost.\n  $ orgctl sandbox reset --state ${named}\n`,
      ),
    );
    expect(await orgctl('sandbox reset --yes --state STATE')).toMatchObject({ code: 0 });
    expect(await orgctl('sandbox info --state STATE')).toMatchObject({ code: 0 });
  });
});

describe('a state that cannot be used', () => {
  test.each(['sandbox info', 'sandbox reset'])('stops %s', async (line) => {
    const { state, orgctl } = createPlace();
    mkdirSync(state, { recursive: true });
    expect(await orgctl(line)).toEqual(
      failed(
        2,
        `orgctl: the sandbox state ${state} cannot be used\n` +
          '  It is not a file.\n' +
          '  → It must be a file in a folder, both of which you can write. ORGCTL_STATE_DIR sets another folder.\n',
      ),
    );
  });

  test('stops a dry run too', async () => {
    const { orgctl } = createPlace();
    const name = 'x'.repeat(300);
    expect(await orgctl(`sandbox reset --dry-run --state ${name}`)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^orgctl: the sandbox state \S+ cannot be used\n {2}ENAMETOOLONG: /),
    });
  });

  test('is told of with --state when it was named so', async () => {
    const { named, orgctl } = createPlace();
    mkdirSync(named);
    expect((await orgctl('sandbox info --state STATE')).stderr).toMatch(/ {2}→ .* --state sets another\.\n$/);
  });
});

describe('a reset', () => {
  const ROTATE = '--sandbox audit-token rotate --expires 90d';

  test('forgets what rotations keep of the tokens that it ends', async () => {
    const { home, state, orgctl } = createPlace();
    await orgctl(`--org initech ${ROTATE} --to file:${home}/initech`);
    expect(existsSync(join(dirname(state), 'initech'))).toBe(true);
    expect(await orgctl('sandbox reset --yes')).toMatchObject({ code: 0 });
    // initech has no token again, and nothing says that it had one: that would end with 10.
    expect(await orgctl(`${ROTATE} --all-orgs --to file:${home}/{org}.token --yes`)).toMatchObject({ code: 0 });
  });

  test('waits for the end of a rotation', async () => {
    const { home, state, orgctl } = createPlace();
    writeFileSync(join(home, 'reset'), `#!/bin/sh\nexec ${process.execPath} ${ORGCTL} sandbox reset --yes\n`, {
      mode: 0o755,
    });
    const { code, stderr } = await orgctl(`${ROTATE} --to exec:${home}/reset`);
    expect(stderr).toMatch(/a rotation of acme is running in the sandbox \(process \d+/);
    expect(code).toBe(12);
    expect(existsSync(join(dirname(state), 'acme', 'rotation.json'))).toBe(true);
  });
});

describe('a dry run', () => {
  test('of reset changes nothing', async () => {
    const { state, orgctl } = createPlace();
    const effect = `reset the sandbox in ${state} (members=3 data)`;
    const would = `Would ${effect}\n`;
    const { stdout } = await orgctl('sandbox reset --seed members=3 --dry-run -o json');
    expect(JSON.parse(stdout)).toEqual({ changed: false, planned: { effect } });
    expect(await orgctl('sandbox reset --seed members=3 --dry-run')).toEqual({ code: 0, stdout: '', stderr: would });
    expect(existsSync(state)).toBe(false);
    await orgctl('sandbox reset --seed empty --yes');
    const before = (await orgctl('sandbox info')).stdout;
    expect(await orgctl('sandbox reset --seed members=3 --dry-run')).toEqual({ code: 0, stdout: '', stderr: would });
    expect((await orgctl('sandbox info')).stdout).toBe(before);
  });

  test('of accept changes nothing', async () => {
    const { state, orgctl } = createPlace();
    const line = 'sandbox accept Ivan.invitee@example.com';
    const would = 'Would accept the invitation of ivan.invitee@example.com to acme\n';
    expect(await orgctl(`${line} --dry-run`)).toEqual({ code: 0, stdout: '', stderr: would });
    expect(existsSync(state)).toBe(false);
    const { stdout } = await orgctl(`${line} --dry-run -o json`);
    expect(JSON.parse(stdout)).toEqual({
      changed: false,
      planned: { effect: 'accept the invitation of ivan.invitee@example.com to acme' },
    });
    await orgctl('sandbox info');
    expect(await orgctl(`${line} --dry-run`)).toEqual({ code: 0, stdout: '', stderr: would });
    expect(await orgctl(`${line} --fields nosuch`)).toMatchObject({ code: 2, stdout: '' });
    expect(await orgctl(line)).toMatchObject({ code: 0, stderr: '' });
    expect(await orgctl(`${line} --dry-run`)).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('read-only', () => {
  test.each(['sandbox reset', 'sandbox reset --dry-run', 'sandbox accept ivan.invitee@example.com'])(
    'refuses %s',
    async (line) => {
      const { home, state, orgctl } = createPlace();
      const env = { ORGCTL_CONFIG_DIR: join(home, 'config'), ORGCTL_STATE_DIR: join(home, 'state') };
      expect(await orgctl(line, { env: { ...env, ORGCTL_READ_ONLY: '1' } })).toEqual(
        failed(
          2,
          'orgctl: read-only mode is on (from ORGCTL_READ_ONLY), nothing was changed\n  → Unset it there to allow changes.\n',
        ),
      );
      await orgctl('settings set read-only true');
      expect((await orgctl(line)).stderr).toContain('read-only mode is on (from config.json)');
      expect(existsSync(state)).toBe(false);
    },
  );
});

describe('the organization of --sandbox', () => {
  test('is acme, whatever is set for real services', async () => {
    const { home, orgctl, put } = createPlace();
    put(join(home, 'config', 'config.json'), '{"org":"globex"}');
    for (const env of [{}, { ORGCTL_ORG: 'globex', TFE_ORGANIZATION: 'initech' }]) {
      const { code, stdout } = await orgctl('--sandbox providers list --fields namespace --quiet', { env });
      expect({ code, isAcme: stdout.includes('acme\n') }).toEqual({ code: 0, isAcme: true });
    }
  });

  test('is the one --org names, in whatever case', async () => {
    const { orgctl } = createPlace();
    const { code, stdout } = await orgctl('--sandbox --org GLOBEX providers list --fields namespace --quiet');
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('globex\n') });
  });

  test.each(['owner', 'org-token', 'none'])('has to be there, also for %s', async (caller) => {
    const { orgctl } = createPlace();
    const error = 'orgctl: the sandbox has no organization umbrella\n  → It has acme, globex, initech.\n';
    expect(await orgctl(`--sandbox --as ${caller} --org umbrella members list`)).toEqual(failed(5, error));
  });
});

describe('sandbox serve', () => {
  test.each<[signal: SignalName, code: number]>([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('is stopped by %s: exit %i, and no error', async (signal, code) => {
    const serve = (line: string) => serveUntilAnnounced(createPlace(), `--state :memory: ${line}`, signal);
    expect(await serve('')).toMatchObject({ code, stderr: 'Press Ctrl-C to stop.\nStopped.\n' });
    expect(await serve('--quiet')).toMatchObject({ code, stderr: '' });
    expect(await serve('-o json')).toMatchObject({ code, stderr: '{"note":{"message":"Stopped."}}\n' });
  });

  test('says so when other machines can reach it, and only then', async () => {
    const warning = 'warning: anyone who can reach 0.0.0.0 can use this sandbox: its tokens are public\n';
    const serve = (address: string) => serveUntilAnnounced(createPlace(), `--state :memory: --listen ${address}`);
    expect((await serve('0.0.0.0')).stderr).toContain(warning);
    expect((await serve('localhost')).stderr).not.toContain('warning');
  });

  test('does not take nothing for every address', async () => {
    const { orgctl } = createPlace();
    expect(await orgctl('sandbox serve --port 0 --listen=')).toEqual(
      failed(2, 'orgctl: --listen is empty\n  → Give an address to listen on, such as 127.0.0.1.\n'),
    );
  });

  test('names a port that is taken, and an address that is not ours', async () => {
    const { orgctl } = createPlace();
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    expect(await orgctl(`sandbox serve --state :memory: --port ${port}`)).toEqual(
      failed(
        2,
        `orgctl: can't listen on 127.0.0.1 port ${port}\n` +
          '  Another program listens there.\n' +
          '  → Use another one with --port, or --port 0 for any free one.\n',
      ),
    );
    expect((await orgctl('sandbox serve --state :memory: --port 0 --listen 192.0.2.1')).stderr).toMatch(
      /EADDRNOTAVAIL.*\n {2}→ Use an address of this machine with --listen\.\n$/,
    );
  });

  test('names a token that a request made, and does not show it', async () => {
    const place = createPlace();
    const { orgctl, home } = place;
    const { stdout: secret } = await orgctl('--sandbox audit-token generate --yes -q');
    const { stdout } = await serveUntilAnnounced(place, '-q');
    expect(stdout).not.toContain(secret.trim());
    expect(stdout.split('\n')[8]?.trim()).toBe('# acme: made by a request, not shown');
    expect(stdout).toMatch(/^sandbox\.audit-token\.globex +# audit-token of globex$/m);
    const { tokens } = JSON.parse((await serveUntilAnnounced(place, '-q -o json')).stdout);
    expect(tokens[6]).toEqual({ kind: 'audit-token', organization: 'acme', token: null });
    expect(readFileSync(join(home, 'state', 'sandbox', 'state.sqlite')).includes(secret.trim())).toBe(false);
    const trail = await orgctl('--sandbox --as audit-token audit-trail list -q --fields resource.action --limit 1');
    expect(trail).toEqual({ code: 0, stdout: 'create\n', stderr: '' });
  });

  test('advises the reset that helps with another seed', async () => {
    const { named, orgctl } = createPlace();
    const reset = `orgctl sandbox reset --seed empty --state ${named}`;
    await orgctl('sandbox info --state STATE');
    expect(await orgctl('sandbox serve --port 0 --seed empty --state STATE')).toEqual(
      failed(
        2,
        `orgctl: the state in ${named} has demo data, not empty\n` +
          `  → Start over; its data is lost.\n  $ ${reset}\n`,
      ),
    );
    expect(await orgctl(`${reset.replace('orgctl ', '')} --yes`)).toMatchObject({ code: 0 });
    expect((await orgctl('sandbox info --state STATE')).stderr).toContain('(empty data)');
  });
});

describe('sandbox serve --tls', () => {
  /** Serves once, and says what clients had to trust, and what was shown to them. */
  async function serveTls(place: ReturnType<typeof createPlace>, line = '', options: RunOptions = {}) {
    const { stdout } = await serveUntilAnnounced(place, `-o json --state STATE --tls ${line}`, 'SIGINT', options);
    const { 'base-url': url, 'ca-file': file } = JSON.parse(stdout);
    const authority = new X509Certificate(readFileSync(file));
    const shown = readFileSync(`${place.named}-tls.pem`, 'utf8');
    return { url, file, authority, shown, cert: new X509Certificate(shown) };
  }

  test('prints the authority of a certificate for this machine and the name that it listens on', async () => {
    const place = createPlace();
    const { url, file, authority, cert } = await serveTls(place, '--listen localhost');
    expect([url.slice(0, 18), file]).toEqual(['https://localhost:', `${place.named}-ca.pem`]);
    expect([authority.ca, cert.ca, cert.verify(authority.publicKey)]).toEqual([true, false, true]);
    expect(['localhost', 'other'].map((name) => cert.checkHost(name))).toEqual(['localhost', undefined]);
    expect(['127.0.0.1', '::1'].map((address) => cert.checkIP(address))).toEqual(['127.0.0.1', '::1']);
    expect(statSync(`${place.named}-tls.pem`).mode & 0o777).toBe(0o600);
    const { stdout } = await serveUntilAnnounced(place, '--state STATE --tls');
    const [first, second, third] = stdout.split('\n');
    expect(first).toMatch(/^ORGCTL_BASE_URL=https:\/\/127\.0\.0\.1:\d+\/api\/v2$/);
    expect(second).toBe(`ORGCTL_CA_FILE=${place.named}-ca.pem`);
    expect(third).toBe(first?.replace('ORGCTL_BASE_URL', 'TFE_ADDRESS').replace('/api/v2', ''));
  });

  test('uses it again until near its end', async () => {
    const place = createPlace();
    const { shown } = await serveTls(place);
    expect((await serveTls(place)).shown).toBe(shown);
    const later = await serveTls(place, '', { now: NOW + 340 * 86_400_000 });
    expect(later.shown).not.toBe(shown);
  });

  test('leaves nothing of a state that is kept nowhere', async () => {
    const { stdout } = await serveUntilAnnounced(createPlace(), '-o json --state :memory: --tls');
    expect(existsSync(dirname(JSON.parse(stdout)['ca-file']))).toBe(false);
  });

  test('takes a certificate that is given, and prints none', async () => {
    const place = createPlace();
    const [cert, key] = [join(place.home, 'cert.pem'), join(place.home, 'key.pem')];
    place.put(cert, GOOD);
    place.put(key, KEY);
    const given = `--state :memory: --tls-cert ${cert} --tls-key ${key} -o json`;
    const { stdout } = await serveUntilAnnounced(place, given);
    const { 'base-url': url, ...others } = JSON.parse(stdout);
    expect([new URL(url).protocol, Object.keys(others)]).toEqual(['https:', ['state', 'tokens']]);
    place.put(key, AUTHORITY);
    expect(await place.orgctl(`sandbox serve --port 0 ${given}`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`can't use the certificate ${cert} with the key ${key}`),
    });
  });

  test.each([
    [
      '--tls --tls-cert a.pem --tls-key b.pem',
      'use --tls or --tls-cert, not both',
      '--tls makes a certificate of its own.',
    ],
    ['--tls-cert a.pem', '--tls-key is missing', 'Give both, --tls-cert and --tls-key, or --tls alone.'],
    ['--tls-key a.pem', '--tls-cert is missing', 'Give both, --tls-cert and --tls-key, or --tls alone.'],
    [
      '--tls-cert /none/a.pem --tls-key b.pem',
      "can't read /none/a.pem: it doesn't exist",
      'Check the path given with --tls-cert.',
    ],
  ])('takes no %s', async (line, what, hint) => {
    const { orgctl } = createPlace();
    expect(await orgctl(`sandbox serve --state :memory: ${line}`)).toEqual(failed(2, `orgctl: ${what}\n  → ${hint}\n`));
  });
});

describe('accepting an invitation on a server', () => {
  const IVAN = 'ivan.invitee@example.com';

  test('that keeps its state to itself, whatever else it is started with', async () => {
    const service = await startService({ documentOnly: true, rateLimit: 1, faults: [parseFault('* *: 503')] });
    const accept = (line: string) => run(`sandbox accept ${line} --base-url ${service.url} -o json`.split(' '));
    const { code, stdout, stderr } = await accept(`${IVAN.toUpperCase()} --org ACME`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual([
      {
        id: expect.stringMatching(/^ou-/),
        organization: { id: 'acme', type: 'organizations' },
        email: IVAN,
        status: 'active',
        changed: true,
      },
    ]);
    expect(service.requests.map(({ method, path, headers }) => [method, path, headers.get('authorization')])).toEqual([
      ['POST', '/sandbox/accept', null],
    ]);
    expect(service.sandbox.info().organizations[0]).toMatchObject({ members: 6, invited: 0 });
    expect((await accept(IVAN)).code).toBe(7);
  });

  test('where nobody is invited: the words of the sandbox', async () => {
    const service = await startService();
    const { code, stderr } = await run(['sandbox', 'accept', 'no@example.com', '--base-url', service.url]);
    expect(code).toBe(7);
    expect(stderr).toContain('no@example.com has no invitation to any organization of the sandbox');
  });

  test('in a dry run: said where it would go, and nothing is sent', async () => {
    const service = await startService();
    const { code, stdout, stderr } = await run(['sandbox', 'accept', IVAN, '--base-url', service.url, '--dry-run']);
    expect({ code, stdout, requests: service.requests }).toEqual({ code: 0, stdout: '', requests: [] });
    expect(stderr).toBe(`Would accept the invitation of ${IVAN}\nNothing was sent.\n`);
    expect(service.sandbox.info().organizations[0]).toMatchObject({ invited: 1 });
  });

  test('that is no sandbox: said so', async () => {
    const server = await startScripted(answer(404));
    expect(await run(['sandbox', 'accept', IVAN, '--base-url', `${server.origin}/api/v2`])).toEqual(
      failed(
        2,
        `orgctl: ${server.origin} is not a sandbox, or one that can't do this yet\n` +
          '  → Use the base URL that sandbox serve has printed. On a real service only the invited person can accept.\n',
      ),
    );
  });

  test('and in a file at once: refused', async () => {
    const { orgctl } = createPlace();
    expect(await orgctl(`sandbox accept ${IVAN} --state STATE --base-url http://127.0.0.1:1`)).toEqual(
      failed(
        2,
        'orgctl: use --state or --base-url, not both\n' +
          '  → --state is a file here, and the other is a running sandbox.\n',
      ),
    );
  });

  test.each([
    ['another name', 'Host: evil.example\r\n', 'application/json', 421],
    ['a form', '', 'application/x-www-form-urlencoded', 415],
  ])('is not for %s', async (_who, header, type, status) => {
    const service = await startService();
    const { port } = new URL(service.url);
    const host = header.startsWith('Host') ? '' : `Host: 127.0.0.1:${port}\r\n`;
    const body = JSON.stringify({ email: IVAN });
    const head = `${host}${header}Content-Type: ${type}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n`;
    const text = await exchange(Number(port), `POST /sandbox/accept HTTP/1.1\r\n${head}\r\n${body}`);
    expect(toAnswers(text)[0]?.status).toBe(status);
    expect(service.sandbox.info().organizations[0]).toMatchObject({ invited: 1 });
  });
});

test('sandbox info names its fields like all others', async () => {
  const { orgctl } = createPlace();
  const { code, stdout } = await orgctl('sandbox info -o json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)[0]).toEqual({
    name: 'acme',
    members: 5,
    invited: 1,
    providers: 5,
    teams: 4,
    'audit-token': true,
    note: 'everything on',
  });
});
