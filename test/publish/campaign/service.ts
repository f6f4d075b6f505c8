import { createHash, randomBytes } from 'node:crypto';
import {
  type Answer,
  type Decide,
  type Exchange,
  type Routes,
  readPage,
  refuse,
  route,
  type Seen,
  startServer,
  toPagination,
} from '../../campaign/service.ts';

/**
 * A private registry as clients see it, written from what is known of the service and sharing nothing with orgctl or its
 * sandbox: keys, versions, platforms, what Terraform reads, and a server of its own for files, which notes every request.
 * Its one organization is acme.
 */

/** What becomes of an upload. */
export type UploadFault =
  /** All of it arrives, and it is refused; or kept all the same. */
  | { readonly kind: 'status'; readonly status: number; readonly keeps?: boolean }
  /** The address no longer counts. */
  | { readonly kind: 'expired' }
  /** Refused before a byte is read, to another server. */
  | { readonly kind: 'redirect' }
  /** 200, and the file is not there. */
  | { readonly kind: 'forgotten' }
  /** Kept, and listed so many milliseconds later. */
  | { readonly kind: 'late'; readonly milliseconds: number }
  /** The connection breaks after so many percent of the bytes; 100: after all of them, which are kept. `act` is called then. */
  | { readonly kind: 'cut'; readonly percent: number; readonly act?: () => void };

interface Call {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly status: number;
}

export interface Put {
  /** `SHA256SUMS`, `signature` or `linux_amd64`; undefined where the address is not one of ours. */
  readonly file: string | undefined;
  /** Bytes that came. */
  readonly received: number;
  /** Bytes that it said it has; undefined where it did not. */
  readonly announced: number | undefined;
  /** Whether the file was there before it began. One that is listed late does not count: no client can know of it. */
  readonly wasThere: boolean;
  /** Whether another one of the same file was on its way. */
  readonly wasUnderway: boolean;
  /** Whether the file was there after it. */
  readonly isKept: boolean;
  readonly fault: UploadFault | undefined;
}

export interface Stored {
  readonly size: number;
  readonly sum: string;
}

interface Platform {
  readonly id: string;
  readonly os: string;
  readonly arch: string;
  readonly shasum: string;
  readonly filename: string;
}

interface Version {
  readonly id: string;
  readonly version: string;
  readonly keyId: unknown;
  readonly protocols: unknown;
  readonly platforms: Platform[];
}

interface Provider {
  readonly id: string;
  readonly name: string;
  readonly versions: Version[];
}

interface Key {
  readonly id: string;
  readonly keyId: string;
  readonly armor: string;
}

export interface ServiceOptions {
  readonly token: string;
  /** How the key of an armored block is called: nothing here reads OpenPGP. */
  readonly keyIdOf: (armor: string) => string;
  /** Milliseconds before the API answers. */
  readonly latency?: number;
  /** Whether sums of files are taken, which costs time; otherwise any address for a file is good too. */
  readonly keeps?: boolean;
}

export type Service = Awaited<ReturnType<typeof startService>>;

const PROVIDERS = '/api/v2/organizations/acme/registry-providers';
const PROVIDER = `${PROVIDERS}/private/acme/*`;
const VERSION = `${PROVIDER}/versions/*`;
const KEYS = '/api/registry/private/v2/gpg-keys';
const INSTALL = '/api/registry/v1/providers/acme/*';

export async function startService({ token, keyIdOf, latency = 0, keeps = true }: ServiceOptions) {
  const providers = new Map<string, Provider>();
  const keys: Key[] = [];
  /** By `<version's id>/<file>`. */
  const files = new Map<string, Stored & { readonly listedFrom: number; readonly text: string }>();
  /** Secrets of addresses, and what each is for. */
  const uploads = new Map<string, string>();
  const downloads = new Map<string, string>();
  const secrets: string[] = [];
  const underway = new Set<string>();
  const calls: Call[] = [];
  const puts: Put[] = [];
  /** Everything that came to the server of files and must not. */
  const leaks: string[] = [];
  let decideUpload: (file: string, count: number) => UploadFault | undefined = () => undefined;
  let uploadsAt: string | undefined;
  /** The secret of the address that the last upload came to, and how many came since faults were decided otherwise. */
  let [lastUpload, putCount] = ['', 0];

  const elsewhere = await startServer(({ method, target }) => {
    leaks.push(`${method} ${target} followed a redirect`);
    return { status: 200 };
  });
  const store = await startServer((_seen, exchange) => takeFile(exchange), { streams: true });
  const api = await startServer(takeCall, { latency, headers: () => ({ 'x-ratelimit-limit': '10000' }) });

  // The server of files.

  async function takeFile({ request, response }: Exchange): Promise<Answer | undefined> {
    noteLeaks(request);
    const secret = request.url?.split('/').at(-1) ?? '';
    if (request.method !== 'PUT') {
      const found = files.get(downloads.get(secret) ?? '');
      return found === undefined ? refuse(404) : { status: 200, body: found.text };
    }
    const key = uploads.get(secret) ?? (keeps ? undefined : `any/${secret}`);
    putCount += 1;
    lastUpload = secret;
    const file = key?.split('/')[1];
    const fault = file === undefined ? undefined : decideUpload(file, putCount);
    const announced = request.headers['content-length'];
    const size = announced === undefined ? undefined : Number(announced);
    const put = {
      file,
      announced: size,
      wasThere: key !== undefined && files.get(key)?.listedFrom === 0,
      wasUnderway: key !== undefined && underway.has(key),
      fault,
    };
    if (key !== undefined) underway.add(key);
    try {
      const { received, kept } = await receive({ request, response }, key, { fault, size });
      puts.push({ ...put, received, isKept: kept });
      return undefined;
    } finally {
      if (key !== undefined) underway.delete(key);
    }
  }

  async function receive(
    { request, response }: Exchange,
    key: string | undefined,
    { fault, size }: { readonly fault: UploadFault | undefined; readonly size: number | undefined },
  ): Promise<{ readonly received: number; readonly kept: boolean }> {
    const answer = (status: number, headers: Readonly<Record<string, string>> = {}): void => {
      response.writeHead(status, headers);
      // As a store of objects does, which likes to name what it was asked for.
      response.end(status === 200 ? '' : `<Error><Resource>${request.url}</Resource></Error>`);
    };
    if (key === undefined || fault?.kind === 'expired') {
      request.resume();
      answer(403);
      return { received: 0, kept: false };
    }
    if (fault?.kind === 'redirect') {
      request.resume();
      answer(307, { Location: `${elsewhere.origin}${request.url}` });
      return { received: 0, kept: false };
    }
    const hash = createHash('sha256');
    const isText = key.endsWith('/SHA256SUMS');
    let text = '';
    let received = 0;
    // The last byte is not waited for where the connection breaks before it.
    const stopAt =
      fault?.kind === 'cut' && fault.percent < 100 ? Math.floor(((size ?? 0) * fault.percent) / 100) : undefined;
    const cut = (act: (() => void) | undefined): void => {
      act?.();
      request.socket.destroy();
    };
    if (stopAt === 0) {
      cut(fault?.kind === 'cut' ? fault.act : undefined);
      return { received, kept: false };
    }
    try {
      for await (const piece of request as AsyncIterable<Buffer>) {
        received += piece.length;
        if (keeps) hash.update(piece);
        if (isText) text += piece.toString('latin1');
        if (stopAt !== undefined && received >= stopAt) {
          cut(fault?.kind === 'cut' ? fault.act : undefined);
          return { received, kept: false };
        }
      }
    } catch {
      return { received, kept: false };
    }
    const refuses = fault?.kind === 'forgotten' || (fault?.kind === 'status' && fault.keeps !== true);
    const kept = !refuses && (size === undefined || received === size);
    if (kept) {
      const listedFrom = fault?.kind === 'late' ? Date.now() + fault.milliseconds : 0;
      files.set(key, { size: received, sum: keeps ? hash.digest('hex') : '', text, listedFrom });
    }
    if (fault?.kind === 'cut') cut(fault.act);
    else answer(fault?.kind === 'status' ? fault.status : 200);
    return { received, kept };
  }

  function noteLeaks(request: Exchange['request']): void {
    for (const name of ['authorization', 'cookie', 'proxy-authorization', 'referer']) {
      if (request.headers[name] !== undefined) leaks.push(`${request.method} with the header ${name}`);
    }
    const all = `${request.url}\n${request.rawHeaders.join('\n')}`;
    if (all.includes(token)) leaks.push(`${request.method} with the token`);
  }

  // The API.

  function takeCall(seen: Seen): Answer {
    const isCaller = seen.headers.authorization === `Bearer ${token}` || !seen.path.startsWith('/api/');
    const answer = isCaller ? (route(routes, seen) ?? refuse(404)) : refuse(401, 'unauthorized');
    calls.push({ method: seen.method, path: seen.path, status: answer.status });
    return answer;
  }

  const findVersion = (name: string, number: string): Version | undefined =>
    providers.get(name)?.versions.find(({ version }) => version === number);

  const routes: Routes<Answer> = {
    'GET /bench/reset': ({ query }) => {
      providers.clear();
      files.clear();
      keys.length = 0;
      uploadsAt = query.get('uploads') ?? uploadsAt;
      return { status: 200, body: {} };
    },
    'GET /.well-known/terraform.json': () => ({
      status: 200,
      body: { 'providers.v1': '/api/registry/v1/providers/', 'tfe.v2': '/api/v2/' },
    }),
    [`GET ${KEYS}`]: ({ query }) => {
      const filter = query.get('filter[namespace]');
      if (filter === null) return refuse(400, 'missing filter');
      return list(query, filter === 'acme' ? keys.map(showKey) : []);
    },
    [`POST ${KEYS}`]: (seen) => {
      const armor = String(readSent(seen)['ascii-armor']);
      const keyId = keyIdOf(armor);
      if (keys.some((key) => key.keyId === keyId)) return refuse(422, 'GPG key already exists for namespace');
      keys.push({ id: String(20 + keys.length), keyId, armor });
      return show(keys.at(-1), showKey, 201);
    },
    [`POST ${PROVIDERS}`]: (seen) => {
      const name = String(readSent(seen)['name']);
      if (providers.has(name)) return refuse(422, 'Name has already been taken');
      providers.set(name, { id: toId('prov'), name, versions: [] });
      return show(providers.get(name), showProvider, 201);
    },
    [`GET ${PROVIDER}`]: (_seen, name = '') => show(providers.get(name), showProvider),
    [`GET ${PROVIDER}/versions`]: ({ query }, name = '') => {
      const provider = providers.get(name);
      return provider === undefined ? refuse(404) : list(query, provider.versions.map(showVersion));
    },
    [`POST ${PROVIDER}/versions`]: (seen, name = '') => {
      const provider = providers.get(name);
      if (provider === undefined) return refuse(404);
      const { version, 'key-id': keyId, protocols } = readSent(seen);
      if (findVersion(name, String(version)) !== undefined) return refuse(422, 'Version has already been taken');
      provider.versions.push({ id: toId('provver'), version: String(version), keyId, protocols, platforms: [] });
      return show(provider.versions.at(-1), showVersion, 201);
    },
    [`GET ${VERSION}`]: (_seen, name = '', number = '') => show(findVersion(name, number), showVersion),
    [`GET ${VERSION}/platforms`]: ({ query }, name = '', number = '') => {
      const version = findVersion(name, number);
      return version === undefined
        ? refuse(404)
        : list(
            query,
            version.platforms.map((each) => showPlatform(version, each)),
          );
    },
    [`POST ${VERSION}/platforms`]: (seen, name = '', number = '') => {
      const version = findVersion(name, number);
      if (version === undefined) return refuse(404);
      const { os, arch, shasum, filename } = readSent(seen);
      if (version.platforms.some((each) => each.os === os && each.arch === arch)) {
        return refuse(422, 'Platform has already been taken');
      }
      const named = { os: String(os), arch: String(arch), shasum: String(shasum), filename: String(filename) };
      version.platforms.push({ id: toId('provpltfrm'), ...named });
      return show(version.platforms.at(-1), (made) => showPlatform(version, made), 201);
    },
    [`GET ${VERSION}/platforms/*/*`]: (_seen, name = '', number = '', os = '', arch = '') => {
      const version = findVersion(name, number);
      const found = version?.platforms.find((each) => each.os === os && each.arch === arch);
      return show(found, (platform) => version && showPlatform(version, platform));
    },
    // What Terraform reads.
    [`GET ${INSTALL}/versions`]: (_seen, name = '') => {
      const provider = providers.get(name);
      if (provider === undefined) return refuse(404);
      const versions = provider.versions.map((each) => ({
        version: each.version,
        protocols: each.protocols,
        platforms: each.platforms
          .filter(({ os, arch }) => isListed(each, `${os}_${arch}`))
          .map(({ os, arch }) => ({ os, arch })),
      }));
      return { status: 200, body: { versions } };
    },
    [`GET ${INSTALL}/*/download/*/*`]: (_seen, name = '', number = '', os = '', arch = '') => {
      const version = findVersion(name, number);
      const platform = version?.platforms.find((each) => each.os === os && each.arch === arch);
      if (version === undefined || platform === undefined || !isListed(version, `${os}_${arch}`)) return refuse(404);
      const { filename, shasum } = platform;
      const gpg = keys
        .filter(({ keyId }) => keyId === version.keyId)
        .map(({ keyId, armor }) => ({ key_id: keyId, ascii_armor: armor }));
      const download_url = issue(downloads, `${version.id}/${os}_${arch}`);
      const body = { protocols: version.protocols, os, arch, filename, shasum, download_url };
      return { status: 200, body: { ...body, signing_keys: { gpg_public_keys: gpg } } };
    },
  };

  function isListed({ id }: Version, file: string): boolean {
    return (files.get(`${id}/${file}`)?.listedFrom ?? Number.POSITIVE_INFINITY) <= Date.now();
  }

  /** A new address with each reading. */
  function issue(table: Map<string, string>, key: string): string {
    const secret = randomBytes(40).toString('base64url');
    table.set(secret, key);
    secrets.push(secret);
    return `${uploadsAt ?? store.origin}/v1/object/${secret}`;
  }

  function showVersion(version: Version): unknown {
    const hasSums = isListed(version, 'SHA256SUMS');
    const hasSignature = isListed(version, 'signature');
    return {
      id: version.id,
      type: 'registry-provider-versions',
      attributes: {
        ...{ version: version.version, 'key-id': version.keyId, protocols: version.protocols },
        ...{ 'shasums-uploaded': hasSums, 'shasums-sig-uploaded': hasSignature },
        permissions: { 'can-delete': true, 'can-upload-asset': true },
      },
      links: {
        ...toLink('shasums', `${version.id}/SHA256SUMS`, hasSums),
        ...toLink('shasums-sig', `${version.id}/signature`, hasSignature),
      },
    };
  }

  function showPlatform(version: Version, { id, os, arch, shasum, filename }: Platform): unknown {
    const hasFile = isListed(version, `${os}_${arch}`);
    return {
      id,
      type: 'registry-provider-platforms',
      attributes: { os, arch, shasum, filename, 'provider-binary-uploaded': hasFile },
      links: toLink('provider-binary', `${version.id}/${os}_${arch}`, hasFile),
    };
  }

  function toLink(name: string, key: string, isThere: boolean): Readonly<Record<string, string>> {
    return isThere ? { [`${name}-download`]: issue(downloads, key) } : { [`${name}-upload`]: issue(uploads, key) };
  }

  return {
    url: api.url,
    uploadOrigin: store.origin,
    /** Of addresses for files, all that were ever given. */
    secrets: secrets as readonly string[],
    leaks: leaks as readonly string[],
    calls: calls as readonly Call[],
    puts: puts as readonly Put[],
    /** From now on; counts begin anew. */
    setFaults(upload: typeof decideUpload, call: Decide = () => undefined): void {
      decideUpload = upload;
      [lastUpload, putCount] = ['', 0];
      api.setFaults((seen, count) => {
        const fault = call(seen, count);
        if (fault?.kind !== 'status') return fault;
        calls.push({ method: seen.method, path: seen.path, status: fault.status });
        // Words of a service may name an address that the caller knows.
        const detail =
          lastUpload === '' ? 'too fast' : `too fast: ${store.origin}/v1/object/${lastUpload} was just used`;
        return { ...refuse(fault.status, 'refused', detail), ...fault };
      });
    },
    /** Resolves once nothing is on its way any more. */
    async untilIdle(): Promise<void> {
      await Promise.all([api, store, elsewhere].map((server) => server.untilIdle()));
    },
    /** All that is there, as a reader of it would say. */
    look: () => ({
      keys: keys.map(({ keyId, armor }) => ({ keyId, armor })),
      providers: [...providers.values()].map(({ name, versions }) => ({
        name,
        versions: versions.map(({ id, version, keyId, protocols, platforms }) => ({
          ...{ version, keyId, protocols },
          platforms: platforms.map(({ os, arch, shasum, filename }) => ({ os, arch, shasum, filename })),
          files: new Map(
            [...files]
              .filter(([key]) => key.startsWith(`${id}/`))
              .map(([key, { size, sum }]) => [key.slice(id.length + 1), { size, sum }] as const),
          ),
        })),
      })),
    }),
    async stop(): Promise<void> {
      await Promise.all([api, store, elsewhere].map((server) => server.close()));
    },
  };
}

function readSent({ body }: Seen): Readonly<Record<string, unknown>> {
  return (JSON.parse(body) as { data: { attributes: Record<string, unknown> } }).data.attributes;
}

function show<T>(found: T | undefined, toData: (found: T) => unknown, status = 200): Answer {
  return found === undefined ? refuse(404) : { status, body: { data: toData(found) } };
}

function list(query: URLSearchParams, all: readonly unknown[]): Answer {
  const { number, size } = readPage(query);
  const pagination = toPagination({ number, size }, all.length);
  return { status: 200, body: { data: all.slice((number - 1) * size, number * size), meta: { pagination } } };
}

function toId(kind: string): string {
  return `${kind}-${randomBytes(12).toString('base64url').replaceAll(/[-_]/g, 'x')}`;
}

function showProvider({ id, name }: Provider): unknown {
  return {
    id,
    type: 'registry-providers',
    attributes: { name, namespace: 'acme', 'registry-name': 'private', permissions: { 'can-delete': true } },
  };
}

function showKey({ id, keyId, armor }: Key): unknown {
  const attributes = { 'ascii-armor': armor, 'key-id': keyId, namespace: 'acme', source: '', 'source-url': null };
  return { id, type: 'gpg-keys', attributes };
}
