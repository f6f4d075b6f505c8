import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createFolder } from '../support/files.ts';
import {
  createRelease,
  createSigningKey,
  type Release,
  type ReleaseOptions,
  type SigningKey,
  signDetached,
  toSum,
} from '../support/release.ts';
import { type RunResult, toText } from '../support/run.ts';
import { startService, type TestService } from '../support/service.ts';

let key: SigningKey;
let other: SigningKey;
/** Valid for a day. */
let old: SigningKey;

beforeAll(async () => {
  const created = new Date('2026-01-01T00:00:00Z');
  [key, other, old] = await Promise.all([
    createSigningKey({ subkey: true }),
    createSigningKey(),
    createSigningKey({ created, lifetime: 86_400 }),
  ]);
});

async function makeRelease(options: Partial<ReleaseOptions> = {}): Promise<Release> {
  const home = createFolder();
  return await createRelease({ dir: join(home, 'dist'), key, ...options });
}

function publish(
  service: TestService,
  release: Release,
  more: readonly string[] = [],
  options: Parameters<TestService['run']>[1] = {},
): Promise<RunResult> {
  const argv = ['providers', 'publish', 'billing', '1.2.0', '--dir', 'dist', ...more];
  return service.run(argv, { ...options, host: { cwd: join(release.dir, '..'), ...options.host } });
}

const WITH_KEY = ['--public-key', 'dist/key.asc'];
const writesOf = (service: TestService): readonly string[] =>
  service.requests
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path.replace(/^\/api\/v2\/organizations\/acme/, '')}`);

const PROVIDER = '/registry-providers/private/acme/billing';
const RECORD = {
  result: 'published',
  id: expect.stringMatching(/^provver-/),
  address: 'private/acme/billing@1.2.0',
  changed: true,
  ready: true,
  missing: [],
  platforms: [
    { os: 'darwin', arch: 'arm64' },
    { os: 'linux', arch: 'amd64' },
    { os: 'windows', arch: 'amd64' },
  ],
};

describe('a release', () => {
  test('is published, and what is there is left alone', async () => {
    const release = await makeRelease();
    const service = await startService();
    const first = await publish(service, release, [...WITH_KEY, '-o', 'json']);
    expect({ ...first, stdout: JSON.parse(first.stdout) }).toEqual({ code: 0, stdout: RECORD, stderr: '' });
    expect(writesOf(service).toSorted()).toEqual(
      [
        'POST /registry-providers',
        'POST /api/registry/private/v2/gpg-keys',
        `POST ${PROVIDER}/versions`,
        ...[1, 2, 3].map(() => `POST ${PROVIDER}/versions/1.2.0/platforms`),
      ].toSorted(),
    );
    const uploads = service.fileRequests.filter(({ method }) => method === 'PUT');
    const files = [
      release.sums,
      release.signature,
      ...['darwin_arm64', 'linux_amd64', 'windows_amd64'].map(release.zip),
    ];
    expect(uploads.map(({ bytes }) => bytes).toSorted()).toEqual(
      files.map((file) => readFileSync(file).length).toSorted(),
    );

    const before = { writes: writesOf(service).length, files: service.fileRequests.length };
    // Without a key: the service has it.
    const again = await publish(service, release, ['-o', 'json']);
    expect(JSON.parse(again.stdout)).toEqual({ ...RECORD, result: 'unchanged', changed: false });
    expect(writesOf(service)).toHaveLength(before.writes);
    // The sums are compared.
    expect(service.fileRequests.slice(before.files).map(({ method }) => method)).toEqual(['GET']);
  });

  test('sends the token to the service alone, and shows no address of an upload', async () => {
    const release = await makeRelease();
    const service = await startService();
    const log = join(release.dir, 'log');
    const ended = await publish(service, release, [...WITH_KEY, '-o', 'json', '--debug'], {
      env: { ORGCTL_LOG_FILE: log },
    });
    expect(ended.code, ended.stderr).toBe(0);
    expect(service.fileRequests.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
    const texts = [ended.stdout, ended.stderr, readFileSync(log, 'utf8')];
    for (const { path } of service.fileRequests) {
      for (const text of texts) expect(text).not.toContain(basename(path).slice(0, 40));
    }
    expect(service.fileRequests).toHaveLength(5);
    expect(readFileSync(log, 'utf8')).not.toContain('"organization":null');
    const targets = readFileSync(log, 'utf8').match(/"operation":"upload-file".*?"target":"[^"]*"/g) ?? [];
    expect(targets).toHaveLength(5);
    for (const target of targets) expect(target).toMatch(/"target":"http:\/\/127\.0\.0\.1:\d+\/…"$/);
  });

  test('says at a terminal what became of it', async () => {
    const release = await makeRelease();
    const service = await startService();
    const tty = { stdout: true, stderr: true };
    const env = { NO_COLOR: '1', TERM: 'dumb' };
    expect(await publish(service, release, WITH_KEY, { tty, env })).toEqual({
      code: 0,
      stdout: toText(
        'Version 1.2.0',
        `SHA256SUMS and signature (key ${key.id})`,
        'darwin_arm64, 1.1 KiB',
        'linux_amd64, 1.1 KiB',
        'windows_amd64, 1.1 KiB',
        'Published private/acme/billing@1.2.0: Terraform can install it',
      ),
      stderr: '',
    });
    expect(await publish(service, release, WITH_KEY, { tty, env })).toEqual({
      code: 0,
      stdout: 'private/acme/billing@1.2.0 is published already, and Terraform can install it\n',
      stderr: '',
    });
  });

  test('without a manifest has protocol 5.0, which is said', async () => {
    const release = await makeRelease({ protocols: null });
    const service = await startService();
    const { code, stdout, stderr } = await publish(service, release, WITH_KEY);
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'No manifest in dist: protocol 5.0 is assumed.\n' });
    expect(stdout).toMatch(/^published\tprivate\/acme\/billing@1\.2\.0\tprovver-\w+\t\t\n$/);
    const { stdout: versions } = await service.run(['providers', 'versions', 'billing']);
    expect(versions).toBe('1.2.0\t5.0\tdarwin/arm64,linux/amd64,windows/amd64\n');
  });
});

const ZIP = 'terraform-provider-billing_1.2.0_linux_amd64.zip';
const SUMS = 'terraform-provider-billing_1.2.0_SHA256SUMS';
const SIGNATURE = `${SUMS}.sig`;
const MANIFEST = 'terraform-provider-billing_1.2.0_manifest.json';

const readSums = (release: Release): string => readFileSync(release.sums, 'utf8');

async function changeSums(release: Release, change: (text: string) => string): Promise<void> {
  await release.writeSums(change(readSums(release)));
}

async function replaceFile(release: Release, name: string, bytes: string): Promise<void> {
  writeFileSync(join(release.dir, name), bytes);
  await changeSums(release, (text) =>
    text.replace(new RegExp(`^\\w{64}  ${name.replaceAll('.', '\\.')}$`, 'm'), `${toSum(bytes)}  ${name}`),
  );
}

/** What is done to a release, and what is said of it. */
const WRONG: Readonly<Record<string, readonly [(release: Release) => unknown, ...(string | RegExp)[]]>> = {
  'a zip with another sum': [
    (release) => writeFileSync(release.zip('linux_amd64'), 'PK\u0003\u0004'),
    /^terraform-provider-billing_1\.2\.0_linux_amd64\.zip has another sum than the sums say: it is [0-9a-f]{64}\.$/,
  ],
  'a zip that is cut off': [
    (release) => truncateSync(release.zip('linux_amd64'), 500),
    /^terraform-provider-billing_1\.2\.0_linux_amd64\.zip has another sum than the sums say/,
  ],
  'a zip that is missing': [
    (release) => rmSync(release.zip('linux_amd64')),
    `${ZIP} is missing, and the sums name it.`,
  ],
  'a zip that is a folder': [
    (release) => {
      rmSync(release.zip('linux_amd64'));
      mkdirSync(release.zip('linux_amd64'));
    },
    `${ZIP} can't be read: it is a folder.`,
  ],
  'a zip that is none': [(release) => replaceFile(release, ZIP, 'no zip'), `${ZIP} is not a zip.`],
  'a zip without its end': [(release) => replaceFile(release, ZIP, 'PK\u0003\u0004 …'), `${ZIP} is not a zip.`],
  'a zip that the sums do not name': [
    (release) => copyFileSync(release.zip('linux_amd64'), release.zip('linux_arm64')),
    'terraform-provider-billing_1.2.0_linux_arm64.zip is not named in the sums.',
  ],
  'a zip without a platform in its name': [
    (release) => changeSums(release, (text) => text.replace('_linux_amd64.zip', '_Linux.zip')),
    `${SUMS}: line 2 names terraform-provider-billing_1.2.0_Linux.zip, which is not terraform-provider-billing_1.2.0_<os>_<arch>.zip.`,
    `${ZIP} is not named in the sums.`,
  ],
  'no sums': [(release) => rmSync(release.sums), `${SUMS} is missing.`],
  'no sums, where another version has some': [
    (release) => renameSync(release.sums, release.sums.replace('1.2.0', '0.9.0')),
    `${SUMS} is missing.`,
  ],
  'no signature': [(release) => rmSync(release.signature), `${SIGNATURE} is missing.`],
  'an empty list of sums': [
    (release) => release.writeSums(''),
    `${SUMS}: it names no terraform-provider-billing_1.2.0_<os>_<arch>.zip.`,
    ...['darwin_arm64', 'linux_amd64', 'windows_amd64'].map(
      (platform) => `terraform-provider-billing_1.2.0_${platform}.zip is not named in the sums.`,
    ),
  ],
  'an empty line in the sums': [
    (release) => changeSums(release, (text) => text.replace('\n', '\n\n')),
    `${SUMS}: line 2 is empty, which makes Terraform crash.`,
  ],
  'two newlines at the end': [
    (release) => changeSums(release, (text) => `${text}\n`),
    `${SUMS}: line 5 is empty, which makes Terraform crash.`,
  ],
  'a line of blanks': [
    (release) => changeSums(release, (text) => `${text} \r\n`),
    `${SUMS}: line 5 is empty, which makes Terraform crash.`,
  ],
  'a comment': [
    (release) => changeSums(release, (text) => `# made by hand\n${text}`),
    `${SUMS}: line 1 is not a sum, two blanks and a name.`,
  ],
  'a short sum': [
    (release) => changeSums(release, (text) => text.slice(1)),
    `${SUMS}: line 1 is not a sum, two blanks and a name.`,
    'terraform-provider-billing_1.2.0_darwin_arm64.zip is not named in the sums.',
  ],
  'sums of binary mode': [
    (release) => changeSums(release, (text) => text.replace('  terraform', ' *terraform')),
    `${SUMS}: line 1 marks its name with *, where Terraform finds no file: use sha256sum without -b.`,
    'terraform-provider-billing_1.2.0_darwin_arm64.zip is not named in the sums.',
  ],
  'sums of files with their folder': [
    (release) => changeSums(release, (text) => text.replace('  terraform', '  ./terraform')),
    `${SUMS}: line 1 names a file with its folder, ./terraform-provider-billing_1.2.0_darwin_arm64.zip, where Terraform finds none.`,
  ],
  'a file that is named twice': [
    (release) => changeSums(release, (text) => `${text}${text.split('\n')[0]}\n`),
    `${SUMS}: line 5 names terraform-provider-billing_1.2.0_darwin_arm64.zip again.`,
  ],
  'files of another version': [
    (release) => changeSums(release, (text) => text.replaceAll('_1.2.0_linux', '_1.1.0_linux')),
    `${SUMS}: line 2 names terraform-provider-billing_1.1.0_linux_amd64.zip, which is not of billing 1.2.0.`,
    `${ZIP} is not named in the sums.`,
  ],
  'files of another provider': [
    (release) => changeSums(release, (text) => text.replaceAll('billing_1.2.0_linux', 'aws_1.2.0_linux')),
    `${SUMS}: line 2 names terraform-provider-aws_1.2.0_linux_amd64.zip, which is not of billing 1.2.0.`,
    `${ZIP} is not named in the sums.`,
  ],
  'a manifest that is no JSON': [(release) => replaceFile(release, MANIFEST, '{'), `${MANIFEST} is not JSON.`],
  'a manifest without protocols': [
    (release) => replaceFile(release, MANIFEST, '{"version":1,"metadata":{}}'),
    `${MANIFEST} has no metadata.protocol_versions.`,
  ],
  'unknown protocols': [
    (release) => replaceFile(release, MANIFEST, '{"metadata":{"protocol_versions":["5.0","7.0"]}}'),
    `${MANIFEST} has the unknown protocol "7.0": use "4.0", "5.0", "6.0".`,
  ],
  'a protocol that Terraform no longer speaks': [
    (release) => replaceFile(release, MANIFEST, '{"metadata":{"protocol_versions":["4.0"]}}'),
    `${MANIFEST} has protocol 4.0 alone, which Terraform no longer speaks.`,
  ],
  'sums that were changed after they were signed': [
    (release) =>
      writeFileSync(
        release.sums,
        readSums(release).replaceAll(/^\w{64}/gm, (sum) => sum.toUpperCase()),
      ),
    new RegExp(`^${SIGNATURE} doesn't fit the sums: they were changed after the key \\w{16} had signed them\\.$`),
  ],
  'an armored signature': [
    (release) =>
      writeFileSync(release.signature, '-----BEGIN PGP SIGNATURE-----\n\nwsB\n-----END PGP SIGNATURE-----\n'),
    `${SIGNATURE} is armored, which Terraform refuses: sign without --armor.`,
  ],
  'a signature that is none': [
    (release) => writeFileSync(release.signature, 'signed, the author'),
    `${SIGNATURE} is not an OpenPGP signature.`,
  ],
  'an empty signature': [
    (release) => writeFileSync(release.signature, ''),
    `${SIGNATURE} is not an OpenPGP signature.`,
  ],
  'an ECC key': [
    async (release) => {
      const ecc = await createSigningKey({ type: 'ecc' });
      writeFileSync(release.publicKey, ecc.publicKey);
      writeFileSync(release.signature, await signDetached(readSums(release), ecc));
    },
    /\.sig is by the key \w{16}, which is eddsaLegacy: the service takes RSA and DSA keys only\.$/,
  ],
  'a key that had expired when it signed': [
    async (release) => {
      const signed = new Date('2026-01-03T00:00:00Z');
      writeFileSync(release.signature, await signDetached(readSums(release), old, signed));
      writeFileSync(release.publicKey, old.publicKey);
    },
    /\.sig is by the key \w{16}, which had expired when it signed\.$/,
  ],
};

/** What is done to the key, and what is said of it. */
const WRONG_KEYS: typeof WRONG = {
  'a signature by another key': [
    async (release) => writeFileSync(release.signature, await signDetached(readSums(release), other)),
    /^terraform-provider-billing_1\.2\.0_SHA256SUMS\.sig is by the key \w{16}, and the one given is \w{16} \(dist\/key\.asc\)$/,
  ],
  'a private key': [
    (release) => writeFileSync(release.publicKey, key.privateKey),
    'dist/key.asc holds a private key: give the public one alone (gpg --armor --export)',
  ],
  'a private key behind a public one': [
    (release) => writeFileSync(release.publicKey, `${key.publicKey}\n${key.privateKey}`),
    'dist/key.asc holds a private key: give the public one alone (gpg --armor --export)',
  ],
  'a file that is no key': [
    (release) => writeFileSync(release.publicKey, 'a key'),
    'dist/key.asc is not an OpenPGP key',
  ],
  'no key file': [(release) => rmSync(release.publicKey), "dist/key.asc can't be read: it doesn't exist"],
};

describe('a wrong release is refused before the first request', () => {
  test.each(Object.entries(WRONG))('%s', async (_name, [spoil, ...reasons]) => {
    const release = await makeRelease();
    await spoil(release);
    const service = await startService();
    const { code, stdout, stderr } = await publish(service, release, [...WITH_KEY, '-o', 'json']);
    const { error } = JSON.parse(stderr);
    expect({ code, stdout, error }).toEqual({
      code: 2,
      stdout: '',
      error: {
        code: 'release',
        exit: 2,
        message: 'dist has no release of billing 1.2.0 that Terraform can install',
        reasons: reasons.map((reason) => (typeof reason === 'string' ? reason : expect.stringMatching(reason))),
        hint: 'Build and sign the release again. Nothing was sent.',
      },
    });
    expect(service.requests).toEqual([]);
  });
});

describe('a wrong key is refused by itself', () => {
  test.each(Object.entries(WRONG_KEYS))('%s', async (_name, [spoil, message]) => {
    const release = await makeRelease();
    await spoil(release);
    const service = await startService();
    const { code, stdout, stderr } = await publish(service, release, [...WITH_KEY, '-o', 'json']);
    expect({ code, stdout, error: JSON.parse(stderr).error, sent: service.requests }).toEqual({
      code: 2,
      stdout: '',
      error: {
        code: 'release',
        exit: 2,
        message: typeof message === 'string' ? message : expect.stringMatching(message ?? /^$/),
        hint: 'Give the public half of the key that signed. Nothing was sent.',
      },
      sent: [],
    });
  });

  test('and together with all that is wrong with the release', async () => {
    const release = await makeRelease();
    rmSync(release.publicKey);
    rmSync(release.zip('linux_amd64'));
    const { stderr } = await publish(await startService(), release, WITH_KEY);
    expect(stderr).toBe(
      toText(
        'orgctl: dist has no release of billing 1.2.0 that Terraform can install',
        `  ${ZIP} is missing, and the sums name it.`,
        "  dist/key.asc can't be read: it doesn't exist.",
        '  → Build and sign the release again. Nothing was sent.',
      ),
    );
  });
});

test('a folder of another provider says which one it has, and this folder is called so', async () => {
  const release = await makeRelease();
  const service = await startService();
  const argv = ['providers', 'publish', 'bilingg', '1.2.0', '--dir', '.', '--public-key', 'key.asc'];
  expect(await service.run(argv, { host: { cwd: release.dir } })).toEqual({
    code: 2,
    stdout: '',
    stderr: toText(
      'orgctl: this folder has no release of bilingg',
      '  It has billing 1.2.0.',
      '  → Did you mean billing? Nothing was sent.',
    ),
  });
  expect(service.requests).toEqual([]);
});

test('a folder of another version says which one it has', async () => {
  const release = await makeRelease({ version: '1.1.0' });
  const service = await startService();
  expect(await publish(service, release, WITH_KEY)).toEqual({
    code: 2,
    stdout: '',
    stderr: toText(
      'orgctl: dist has no release of billing 1.2.0',
      '  It has billing 1.1.0.',
      '  → Publish that version, or give another folder. Nothing was sent.',
    ),
  });
  expect(service.requests).toEqual([]);
});

describe('what only the service knows is found out before the first write', () => {
  const published = async (): Promise<{
    readonly release: Release;
    readonly service: TestService;
    readonly writes: number;
  }> => {
    const release = await makeRelease();
    const service = await startService();
    expect((await publish(service, release, WITH_KEY)).code).toBe(0);
    return { release, service, writes: writesOf(service).length };
  };

  test('no permission, where nothing is left to do', async () => {
    const { release, service } = await published();
    expect(await publish(service, release, [], { as: 'member' })).toMatchObject({ code: 0, stderr: '' });
  });

  test('another release of this version, file by file', async () => {
    const { service, writes } = await published();
    const next = await makeRelease();
    const ended = await publish(service, next, ['-o', 'json']);
    const { error } = JSON.parse(ended.stderr);
    expect({ code: ended.code, writes: writesOf(service).length }).toEqual({ code: 2, writes });
    expect(error).toMatchObject({
      code: 'other-release',
      message: 'private/acme/billing@1.2.0 is there already, and is another release',
      next: ['orgctl --org acme providers delete private/acme/billing@1.2.0'],
    });
    expect(error.reasons).toEqual([
      'Its SHA256SUMS are not those of this release.',
      ...['darwin_arm64', 'linux_amd64', 'windows_amd64'].map((platform) =>
        expect.stringMatching(new RegExp(`^Its ${platform} has the sum \\w{64}, and here it is \\w{64}\\.$`)),
      ),
    ]);
  });

  test('the same files signed with another key', async () => {
    const { release, service, writes } = await published();
    writeFileSync(release.signature, await signDetached(readSums(release), other));
    writeFileSync(release.publicKey, other.publicKey);
    const { code, stderr } = await publish(service, release, WITH_KEY);
    expect({ code, writes: writesOf(service).length }).toEqual({ code: 2, writes });
    expect(stderr).toContain(`It was created with the key ${key.id}, and this release is signed with ${other.id}.`);
  });

  test('a key that it does not have, where none is given', async () => {
    const release = await makeRelease();
    const service = await startService();
    const { code, stdout, stderr } = await publish(service, release);
    expect({ code, stdout, writes: writesOf(service) }).toEqual({ code: 2, stdout: '', writes: [] });
    expect(stderr).toMatch(
      /^orgctl: acme has no signing key \w{16}, which made the signature\n {2}→ Give its public key with --public-key\. Nothing was sent\.\n$/,
    );
  });

  test('other protocols are a warning', async () => {
    const { release, service } = await published();
    const path = '/organizations/acme/registry-providers/private/acme/billing/versions/1.2.0';
    expect((await service.ask('DELETE', path)).status).toBe(204);
    const attributes = { version: '1.2.0', 'key-id': key.id, protocols: ['5.0'] };
    const body = { data: { type: 'registry-provider-versions', attributes } };
    expect((await service.ask('POST', path.replace(/\/1\.2\.0$/, ''), 'owner', body)).status).toBe(201);
    const { code, stderr } = await publish(service, release);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'warning: version 1.2.0 was created with protocol 5.0, and the release has 6.0\n',
    });
  });

  test('read-only mode and a dry run send nothing', async () => {
    const release = await makeRelease({ platforms: ['linux_amd64'] });
    const service = await startService();
    const refused = await publish(service, release, WITH_KEY, { env: { ORGCTL_READ_ONLY: '1' } });
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: '' });
    const planned = await publish(service, release, [...WITH_KEY, '--dry-run']);
    expect({ ...planned, stdout: planned.stdout.split('\t').slice(0, 2) }).toEqual({
      code: 0,
      stdout: ['planned', 'private/acme/billing@1.2.0'],
      stderr: toText(
        'Would add private/acme/billing to acme',
        `Would add the signing key ${key.id} to acme`,
        'Would create private/acme/billing@1.2.0',
        `Would upload ${SUMS} (228 bytes)`,
        `Would upload ${SIGNATURE} (380 bytes)`,
        'Would create private/acme/billing@1.2.0/linux_amd64',
        `Would upload ${ZIP} (1.1 KiB)`,
        'Nothing was sent.',
      ),
    });
    expect({ writes: writesOf(service), files: service.fileRequests }).toEqual({ writes: [], files: [] });
  });
});

/** What becomes of an upload. */
type Fate = number | 'reset' | 'half' | 'unheard' | 'pass';

/** The service, with a server in front of that of its files. */
async function startWithUploads(decide: (upload: { readonly number: number; readonly isZip: boolean }) => Fate) {
  let files = '';
  const seen: string[] = [];
  const uploads = createServer(async (incoming, outgoing) => {
    const { method = '', url = '' } = incoming;
    const isZip = Number(incoming.headers['content-length']) > 1000;
    const fate = method === 'PUT' ? decide({ number: seen.push(url), isZip }) : 'pass';
    incoming.on('error', () => undefined);
    if (fate === 'half') return void incoming.once('data', () => incoming.socket.destroy());
    const body = Buffer.concat(await incoming.toArray());
    if (fate === 'reset') return void incoming.socket.destroy();
    if (typeof fate === 'number') return void outgoing.writeHead(fate, { location: '/elsewhere' }).end(`no: ${url}`);
    const answer = await fetch(files + url, { method, ...(method === 'PUT' ? { body } : {}) }).catch(() => undefined);
    if (answer === undefined) return void incoming.socket.destroy();
    if (fate === 'unheard') return void incoming.socket.destroy();
    outgoing.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
  });
  await once(uploads.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    uploads.closeAllConnections();
    uploads.close();
  });
  const origin = `http://127.0.0.1:${(uploads.address() as AddressInfo).port}`;
  const service = await startService({
    async alter(answer) {
      const text = await answer.text();
      [files] = /http:\/\/127\.0\.0\.1:\d+(?=\/v1\/object\/)/.exec(text) ?? [files];
      const body = files === '' ? text : text.replaceAll(files, origin);
      return new Response(answer.status === 204 ? null : body, { status: answer.status, headers: answer.headers });
    },
  });
  return { service, seen, host: new URL(origin).host };
}

/** For the uploads of the zip, one after the other; all else passes. */
function createOnce(...fates: readonly Fate[]) {
  const left = [...fates];
  return ({ isZip }: { readonly isZip: boolean }): Fate => (isZip ? (left.shift() ?? 'pass') : 'pass');
}

const ONE = { platforms: ['linux_amd64'] };

describe('an upload that fails', () => {
  test.each<Fate>([403, 500, 302, 204, 201, 'reset', 'half'])(
    'once (%s) is sent once more, to a new address',
    async (fate) => {
      const release = await makeRelease(ONE);
      const { service, seen } = await startWithUploads(createOnce(fate));
      const { code, stdout, stderr } = await publish(service, release, [...WITH_KEY, '-o', 'json']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(stdout)).toMatchObject({ changed: true, ready: true });
      expect(seen).toHaveLength(4);
    },
  );

  test('but has arrived is not sent again', async () => {
    const release = await makeRelease(ONE);
    const { service, seen } = await startWithUploads(createOnce('unheard'));
    expect((await publish(service, release, WITH_KEY)).code).toBe(0);
    expect(seen).toHaveLength(3);
  });

  test('twice is 10 where others went up, and the same command does the rest', async () => {
    const release = await makeRelease(ONE);
    const { service, seen, host } = await startWithUploads(createOnce(403, 403));
    const { code, stdout, stderr } = await publish(service, release, [...WITH_KEY, '-o', 'json']);
    expect({ code, record: JSON.parse(stdout) }).toEqual({
      code: 10,
      record: {
        ...RECORD,
        result: 'failed',
        ready: false,
        missing: ['linux_amd64 not uploaded'],
        platforms: [{ os: 'linux', arch: 'amd64' }],
        error: { code: 'incomplete', message: 'private/acme/billing@1.2.0 is not whole: linux_amd64 failed' },
      },
    });
    expect(JSON.parse(stderr).error).toMatchObject({ reasons: [`${host} answered 403 for ${ZIP}.`] });
    expect(seen).toHaveLength(4);
    expect((await publish(service, release)).code).toBe(0);
    expect(seen).toHaveLength(5);
  });

  test('is 9 where nothing went up, and then no other one is begun', async () => {
    const release = await makeRelease();
    const { service, seen, host } = await startWithUploads(() => 503);
    const labels = ['darwin_arm64', 'linux_amd64', 'windows_amd64'];
    // The first run makes what there was nothing of; the second one changes nothing.
    for (const changed of [true, false]) {
      const { code, stdout, stderr } = await publish(service, release, [...WITH_KEY, '-o', 'json']);
      const error = { code: 'upload', message: 'private/acme/billing@1.2.0 is not whole: SHA256SUMS failed' };
      const missing = ['SHA256SUMS', 'signature', ...labels].map((label) => `${label} not uploaded`);
      expect(JSON.parse(stdout)).toEqual({ ...RECORD, result: 'failed', changed, ready: false, missing, error });
      const hint = 'Run the same command again: it uploads what is missing.';
      const why = `${host} answered 503 for ${SUMS}`;
      expect({ exit: code, error: JSON.parse(stderr).error }).toEqual({
        exit: 9,
        error: {
          ...{ ...error, exit: 9, hint },
          reasons: [`${why}.`, `Not attempted: signature, ${labels.join(', ')}.`],
          items: [{ item: 'SHA256SUMS', code: 'upload', exit: 9, message: why, hint }],
        },
      });
      expect(seen.splice(0)).toHaveLength(2);
    }
  });

  test('shows its address nowhere', async () => {
    const release = await makeRelease(ONE);
    const log = join(release.dir, 'log');
    const { service, seen } = await startWithUploads(
      ({ number }) => (['reset', 500, 'half', 403] as const)[number - 1] ?? 'pass',
    );
    const ended = await publish(service, release, [...WITH_KEY, '--debug'], { env: { ORGCTL_LOG_FILE: log } });
    expect(ended.code).toBe(9);
    expect(seen.length).toBeGreaterThan(1);
    const shown = `${ended.stdout}${ended.stderr}${readFileSync(log, 'utf8')}`;
    for (const path of seen) expect(shown).not.toContain(path.slice(-30));
  });
});

test('a file that changes after it was checked is not uploaded', async () => {
  const release = await makeRelease(ONE);
  const { service } = await startWithUploads(({ number }) => {
    if (number === 1)
      writeFileSync(release.zip('linux_amd64'), Buffer.alloc(readFileSync(release.zip('linux_amd64')).length));
    return 'pass';
  });
  const waits: number[] = [];
  const { code, stdout, stderr } = await publish(service, release, [...WITH_KEY, '-o', 'json'], {
    onSleep: (milliseconds) => void waits.push(milliseconds),
  });
  // Nothing is tried again.
  expect(waits).toEqual([]);
  expect(JSON.parse(stdout)).toMatchObject({ ready: false, missing: ['linux_amd64 not uploaded'] });
  expect({ code, reasons: JSON.parse(stderr).error.reasons }).toEqual({
    code: 10,
    reasons: [`${ZIP} changed after it was checked: its bytes are others.`],
  });
});

test('Ctrl-C ends it, and the same command does what is left', async () => {
  const release = await makeRelease(ONE);
  let interrupt: () => void = () => undefined;
  const { service, seen } = await startWithUploads(({ number }) => {
    if (number > 1) return 'pass';
    interrupt();
    return 'half';
  });
  const { code, stdout, stderr } = await publish(service, release, WITH_KEY, {
    onStart(signal) {
      interrupt = () => signal('SIGINT');
    },
  });
  expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
  expect(stderr).toBe(
    toText(
      'Interrupted.',
      `  Unknown whether this happened: upload ${SUMS}.`,
      '  → Run the same command again: it does what is left.',
    ),
  );
  expect((await publish(service, release)).code).toBe(0);
  expect(seen).toHaveLength(4);
});

describe('providers get and versions', () => {
  test('say what is missing, and delete takes versions and platforms', async () => {
    const release = await makeRelease({ platforms: ['linux_amd64', 'linux_arm64'] });
    const service = await startService();
    expect((await publish(service, release, WITH_KEY)).code).toBe(0);
    const PATH = '/organizations/acme/registry-providers/private/acme/billing/versions';
    const body = {
      data: {
        type: 'registry-provider-versions',
        attributes: { version: '1.3.0', 'key-id': 'ABCD', protocols: ['6.0'] },
      },
    };
    expect((await service.ask('POST', PATH, 'owner', body)).status).toBe(201);
    const versions = await service.run('providers versions billing -o json --fields version,ready,missing'.split(' '));
    expect(JSON.parse(versions.stdout)).toEqual([
      {
        version: '1.3.0',
        ready: false,
        missing: ['key ABCD not registered', 'SHA256SUMS not uploaded', 'signature not uploaded', 'no platform yet'],
      },
      { version: '1.2.0', ready: true, missing: [] },
    ]);
    const getReady = async (): Promise<unknown> =>
      JSON.parse((await service.run('providers get billing -o json --fields ready,missing'.split(' '))).stdout);
    expect(await getReady()).toEqual({ ready: true, missing: [] });

    const remove = (address: string) => service.run(['providers', 'delete', address, '--yes']);
    expect(await remove('private/acme/billing@1.2.0/linux_arm64')).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^deleted\tprivate\/acme\/billing@1\.2\.0\/linux_arm64\tprovpltfrm-\w+\t\t\n$/),
      stderr: '',
    });
    expect((await remove('private/acme/billing@1.2.0')).code).toBe(0);
    expect((await remove('private/acme/billing@1.2.0')).code).toBe(5);
    expect(await getReady()).toMatchObject({ ready: false });
    expect(writesOf(service).slice(-2)).toEqual([
      `DELETE ${PROVIDER}/versions/1.2.0/platforms/linux/arm64`,
      `DELETE ${PROVIDER}/versions/1.2.0`,
    ]);
  });
});
