import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';

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

/** What becomes of a request to the API. `act` is called where the connection breaks. */
export type CallFault =
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: 'cut'; readonly when: 'before' | 'after'; readonly act?: () => void };

export interface Call {
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

const API = 'application/vnd.api+json';
const PROVIDERS = '/api/v2/organizations/acme/registry-providers';
const KEYS = '/api/registry/private/v2/gpg-keys';
const INSTALL = '/api/registry/v1/providers/acme/';

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
  let busy = 0;
  let decideUpload: (file: string, count: number) => UploadFault | undefined = () => undefined;
  let decideCall: (call: Pick<Call, 'method' | 'path'>, count: number) => CallFault | undefined = () => undefined;
  let uploadsAt: string | undefined;
  /** The secret of the address that the last upload came to. */
  let lastUpload = '';
  let numbers = { puts: 0, calls: 0 };

  const elsewhere = await listen((request, response) => {
    leaks.push(`${request.method} ${request.url} followed a redirect`);
    response.end();
  });
  const store = await listen((request, response) => {
    void within(() => takeFile(request, response));
  });
  const api = await listen((request, response) => {
    void within(() => takeCall(request, response));
  });

  async function within(act: () => Promise<void>): Promise<void> {
    busy += 1;
    try {
      await act();
    } catch {
      // The client went away.
    } finally {
      busy -= 1;
    }
  }

  // The server of files.

  async function takeFile(request: IncomingMessage, response: ServerResponse): Promise<void> {
    noteLeaks(request);
    const secret = request.url?.split('/').at(-1) ?? '';
    if (request.method !== 'PUT') return giveFile(response, downloads.get(secret));
    const key = uploads.get(secret) ?? (keeps ? undefined : `any/${secret}`);
    numbers.puts += 1;
    lastUpload = secret;
    const file = key?.split('/')[1];
    const fault = file === undefined ? undefined : decideUpload(file, numbers.puts);
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
      const { received, kept } = await receive(request, response, key, { fault, size });
      puts.push({ ...put, received, isKept: kept });
    } finally {
      if (key !== undefined) underway.delete(key);
    }
  }

  async function receive(
    request: IncomingMessage,
    response: ServerResponse,
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

  function giveFile(response: ServerResponse, key: string | undefined): void {
    const found = key === undefined ? undefined : files.get(key);
    response.writeHead(found === undefined ? 404 : 200);
    response.end(found?.text ?? '');
  }

  function noteLeaks(request: IncomingMessage): void {
    for (const name of ['authorization', 'cookie', 'proxy-authorization', 'referer']) {
      if (request.headers[name] !== undefined) leaks.push(`${request.method} with the header ${name}`);
    }
    const all = `${request.url}\n${request.rawHeaders.join('\n')}`;
    if (all.includes(token)) leaks.push(`${request.method} with the token`);
  }

  // The API.

  async function takeCall(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? '';
    const url = new URL(request.url ?? '/', 'http://service');
    const path = url.pathname;
    if (method === 'GET' && path === '/bench/reset') return reset(response, url.searchParams.get('uploads'));
    numbers.calls += 1;
    const fault = decideCall({ method, path }, numbers.calls);
    let text = '';
    for await (const piece of request) text += String(piece);
    if (latency > 0) await setTimeout(latency);
    if (fault?.kind === 'cut' && fault.when === 'before') return void breakOff(request, fault);
    if (fault?.kind === 'status') {
      calls.push({ method, path, status: fault.status });
      // Words of a service may name an address that the caller knows.
      const detail = lastUpload === '' ? 'too fast' : `too fast: ${store.origin}/v1/object/${lastUpload} was just used`;
      return answer(response, fault.status, toProblem(fault.status, detail), fault.headers);
    }
    const isCaller = request.headers.authorization === `Bearer ${token}` || path === '/.well-known/terraform.json';
    const [status, body] = isCaller ? route(method, url, text) : [401, toProblem(401, 'unauthorized')];
    calls.push({ method, path, status });
    if (fault?.kind === 'cut') return void breakOff(request, fault);
    return answer(response, status, body);
  }

  function breakOff(request: IncomingMessage, { act }: Extract<CallFault, { readonly kind: 'cut' }>): void {
    act?.();
    request.socket.destroy();
  }

  function answer(
    response: ServerResponse,
    status: number,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    response.writeHead(status, { 'Content-Type': API, 'X-RateLimit-Limit': '10000', ...headers });
    response.end(body === undefined ? '' : JSON.stringify(body));
  }

  function reset(response: ServerResponse, at: string | null): void {
    providers.clear();
    files.clear();
    keys.length = 0;
    if (at !== null) uploadsAt = at;
    answer(response, 200, {});
  }

  function route(method: string, url: URL, text: string): readonly [number, unknown] {
    const { pathname: path } = url;
    const sent = (): Readonly<Record<string, unknown>> =>
      (JSON.parse(text) as { data: { attributes: Record<string, unknown> } }).data.attributes;
    if (path === '/.well-known/terraform.json') {
      return [200, { 'providers.v1': '/api/registry/v1/providers/', 'tfe.v2': '/api/v2/' }];
    }
    if (path === KEYS) return routeKeys(method, url, sent);
    if (path.startsWith(INSTALL)) return routeInstall(path.slice(INSTALL.length).split('/'));
    if (path === PROVIDERS && method === 'POST') {
      const name = String(sent()['name']);
      if (providers.has(name)) return [422, toProblem(422, 'Name has already been taken')];
      const made = { id: toId('prov'), name, versions: [] };
      providers.set(name, made);
      return [201, { data: showProvider(made) }];
    }
    const [registry, namespace, name = '', ...rest] = path
      .slice(PROVIDERS.length + 1)
      .split('/')
      .map(decodeURIComponent);
    const provider = providers.get(name);
    const isHere = path.startsWith(PROVIDERS) && registry === 'private' && namespace === 'acme';
    if (!isHere || provider === undefined) return NOT_FOUND;
    if (rest.length === 0 && method === 'GET') return [200, { data: showProvider(provider) }];
    if (rest[0] !== 'versions') return NOT_FOUND;
    return routeVersions(method, url, { provider, rest: rest.slice(1), sent });
  }

  function routeKeys(
    method: string,
    url: URL,
    sent: () => Readonly<Record<string, unknown>>,
  ): readonly [number, unknown] {
    const show = ({ id, keyId, armor }: Key) => ({
      id,
      type: 'gpg-keys',
      attributes: { 'ascii-armor': armor, 'key-id': keyId, namespace: 'acme', source: '', 'source-url': null },
    });
    if (method === 'GET') {
      const filter = url.searchParams.get('filter[namespace]');
      if (filter === null) return [400, toProblem(400, 'missing filter')];
      return page(url, filter === 'acme' ? keys.map(show) : []);
    }
    const { 'ascii-armor': armor } = sent();
    const keyId = keyIdOf(String(armor));
    if (keys.some((key) => key.keyId === keyId)) return [422, toProblem(422, 'GPG key already exists for namespace')];
    const made = { id: String(20 + keys.length), keyId, armor: String(armor) };
    keys.push(made);
    return [201, { data: show(made) }];
  }

  function routeVersions(
    method: string,
    url: URL,
    where: {
      readonly provider: Provider;
      readonly rest: readonly string[];
      readonly sent: () => Readonly<Record<string, unknown>>;
    },
  ): readonly [number, unknown] {
    const { provider, rest, sent } = where;
    const [number, kind, os, arch] = rest;
    if (number === undefined && method === 'GET') return page(url, provider.versions.map(showVersion));
    if (number === undefined) {
      const { version, 'key-id': keyId, protocols } = sent();
      if (provider.versions.some((each) => each.version === version)) {
        return [422, toProblem(422, 'Version has already been taken')];
      }
      const made = { id: toId('provver'), version: String(version), keyId, protocols, platforms: [] };
      provider.versions.push(made);
      return [201, { data: showVersion(made) }];
    }
    const version = provider.versions.find((each) => each.version === number);
    if (version === undefined) return NOT_FOUND;
    if (kind === undefined) return method === 'GET' ? [200, { data: showVersion(version) }] : NOT_FOUND;
    if (kind !== 'platforms') return NOT_FOUND;
    const show = (each: Platform): unknown => showPlatform(version, each);
    if (os === undefined && method === 'GET') return page(url, version.platforms.map(show));
    if (os === undefined) {
      const { os: system, arch: processor, shasum, filename } = sent();
      if (version.platforms.some((each) => each.os === system && each.arch === processor)) {
        return [422, toProblem(422, 'Platform has already been taken')];
      }
      const made = {
        ...{ id: toId('provpltfrm'), os: String(system), arch: String(processor) },
        ...{ shasum: String(shasum), filename: String(filename) },
      };
      version.platforms.push(made);
      return [201, { data: show(made) }];
    }
    const platform = version.platforms.find((each) => each.os === os && each.arch === arch);
    return platform === undefined || method !== 'GET' ? NOT_FOUND : [200, { data: show(platform) }];
  }

  /** What Terraform reads. */
  function routeInstall([name = '', number, , os, arch]: readonly string[]): readonly [number, unknown] {
    const provider = providers.get(name);
    if (provider === undefined) return NOT_FOUND;
    if (number === 'versions') {
      const toPlatforms = (version: Version) =>
        version.platforms.filter((each) => isListed(version, `${each.os}_${each.arch}`));
      const versions = provider.versions.map((version) => ({
        version: version.version,
        protocols: version.protocols,
        platforms: toPlatforms(version).map(({ os: system, arch: processor }) => ({ os: system, arch: processor })),
      }));
      return [200, { versions }];
    }
    const version = provider.versions.find((each) => each.version === number);
    const platform = version?.platforms.find((each) => each.os === os && each.arch === arch);
    if (version === undefined || platform === undefined || !isListed(version, `${os}_${arch}`)) return NOT_FOUND;
    const { filename, shasum } = platform;
    return [
      200,
      {
        ...{ protocols: version.protocols, os, arch, filename, shasum },
        ...{ download_url: issue(downloads, `${version.id}/${os}_${arch}`) },
        signing_keys: {
          gpg_public_keys: keys
            .filter(({ keyId }) => keyId === version.keyId)
            .map(({ keyId, armor }) => ({ key_id: keyId, ascii_armor: armor })),
        },
      },
    ];
  }

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
    url: `${api.origin}/api/v2`,
    uploadOrigin: store.origin,
    /** Of addresses for files, all that were ever given. */
    secrets: secrets as readonly string[],
    leaks: leaks as readonly string[],
    calls: calls as readonly Call[],
    puts: puts as readonly Put[],
    /** From now on; counts begin anew. */
    setFaults(upload: typeof decideUpload, call: typeof decideCall = () => undefined): void {
      decideUpload = upload;
      decideCall = call;
      numbers = { puts: 0, calls: 0 };
      lastUpload = '';
    },
    /** Resolves once nothing is on its way any more. */
    async idle(): Promise<void> {
      // What was written to a connection arrives after its client has ended.
      do await setTimeout(20);
      while (busy > 0);
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
      await Promise.all([api, store, elsewhere].map(({ close }) => close()));
    },
  };
}

const NOT_FOUND = [404, { errors: [{ status: '404', title: 'not found' }] }] as const;

function toProblem(status: number, detail: string) {
  return { errors: [{ status: String(status), title: 'refused', detail }] };
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

function page(url: URL, all: readonly unknown[]): readonly [number, unknown] {
  const size = Number(url.searchParams.get('page[size]') ?? 20);
  const number = Number(url.searchParams.get('page[number]') ?? 1);
  const pages = Math.ceil(all.length / size);
  const pagination = {
    ...{ 'current-page': number, 'page-size': size, 'total-pages': pages, 'total-count': all.length },
    'next-page': number < pages ? number + 1 : null,
  };
  return [200, { data: all.slice((number - 1) * size, number * size), meta: { pagination } }];
}

async function listen(handler: (request: IncomingMessage, response: ServerResponse) => void) {
  const server: Server = createServer(handler);
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
