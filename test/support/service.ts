import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { CallerKind } from '../../src/sandbox/callers.ts';
import { parseFault } from '../../src/sandbox/faults.ts';
import type { FileRequest } from '../../src/sandbox/files.ts';
import { openSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { serveSandbox } from '../../src/sandbox/server.ts';
import { createBytes } from './bytes.ts';
import { createFolder } from './files.ts';
import { DEMO, type Names } from './names.ts';
import { NOW, type RunOptions, run } from './run.ts';
import type { After } from './scripted.ts';
import { createPlace } from './shipped.ts';

/** A request as it arrived. */
interface SentRequest {
  method: string;
  /** With its query, without the origin. */
  path: string;
  headers: Headers;
  /** Empty when there was none. */
  body: string;
}

export interface ServiceOptions {
  /** As `sandbox serve --fault` takes them. */
  faults?: string[];
  /** Makes it a service that answers otherwise: what comes back over the network instead of the sandbox's own answer. */
  alter?: (answer: Response, request: Request, body: string) => Response | Promise<Response>;
  /** In place of the demo. */
  sandbox?: Sandbox;
  /** With a certificate of its own, as `sandbox serve --tls`. */
  tls?: boolean;
  after?: After;
}

export type TestService = Awaited<ReturnType<typeof startService>>;

/** With a clock that stands still and ids that repeat from run to run. */
export function openTestSandbox(options: Partial<SandboxOptions> = {}, now = NOW): Sandbox {
  const state = 'seed' in options || 'now' in options ? ':memory:' : copyDemo(now);
  return openSandbox({ state, rateLimit: 0, now: () => now, randomBytes: createBytes('sandbox'), ...options });
}

const STATE = 'state.db';
const demos = new Map<number, [name: string, content: Buffer][]>();

/** The demo of that moment in a folder of its own: a copy takes a tenth of the time that filling one takes. */
function copyDemo(now: number): string {
  const folder = createFolder();
  const state = join(folder, STATE);
  const demo = demos.get(now);
  for (const [name, content] of demo ?? []) writeFileSync(join(folder, name), content);
  if (demo) return state;
  openSandbox({ state, now: () => now, randomBytes: createBytes('demo') }).close();
  // SQLite may leave what was written last in a file beside the state.
  demos.set(
    now,
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]),
  );
  return state;
}

/** The service on a port of its own. */
export async function startService(options: Partial<SandboxOptions> & ServiceOptions = {}) {
  const { faults = [], alter, tls = false, after = onTestFinished, sandbox: given, ...sandboxOptions } = options;
  const sandbox = given ?? openTestSandbox(sandboxOptions);
  if (!given && Object.keys(sandboxOptions).every((name) => name === 'documentOnly')) DEMO.add(sandbox);
  /** What arrived over the network so far, in order. `ask` does not go that way. */
  const requests: SentRequest[] = [];
  const made = new Map<string, string>();
  const act = async (...[request, connection]: Parameters<Sandbox['handle']>): Promise<Response> => {
    if (request.method !== 'GET') DEMO.delete(sandbox);
    const answer = await sandbox.handle(request, connection);
    const [, organization] = /\/organizations\/([^/]+)\/authentication-token\?/.exec(request.url) ?? [];
    if (organization !== undefined && answer.status === 201) {
      const { data } = (await answer.clone().json()) as { data: { attributes: { token: string } } };
      made.set(organization, data.attributes.token);
    }
    return answer;
  };
  const handle: Sandbox['handle'] = async (request, connection) => {
    const { pathname, search } = new URL(request.url);
    const body = await request.clone().text();
    requests.push({ method: request.method, path: pathname + search, headers: request.headers, body });
    const answer = await act(request, connection);
    return alter === undefined ? answer : await alter(answer, request, body);
  };
  /** Requests at the origin of the files, and how many bytes of their bodies were taken. */
  const fileRequests: (FileRequest & { bytes: number })[] = [];
  const files: Sandbox['files'] = {
    async receive(request, source) {
      const exchange = { ...request, bytes: 0 };
      fileRequests.push(exchange);
      const counted = async function* () {
        for await (const chunk of source) {
          exchange.bytes += chunk.length;
          yield chunk;
        }
      };
      return await sandbox.files.receive(request, counted());
    },
    find(request) {
      fileRequests.push({ ...request, bytes: 0 });
      return sandbox.files.find(request);
    },
  };
  const certificate = tls ? await sandbox.createTls('127.0.0.1') : undefined;
  const server = await serveSandbox(
    { ...sandbox, handle, files },
    {
      port: 0,
      listen: '127.0.0.1',
      faults: faults.map(parseFault),
      ...(certificate && { tls: certificate }),
    },
  );
  after(async () => {
    await server.close();
    sandbox.close();
  });
  /** What a caller needs. Without a token orgctl would send no request; to a wrong one the service answers. */
  const as = (kind: CallerKind, organization = 'acme'): Record<string, string> => ({
    ORGCTL_BASE_URL: server.url,
    ORGCTL_ORG: organization,
    ORGCTL_TOKEN: sandbox.tokenFor(kind, organization) ?? 'unknown',
    ...(certificate && { ORGCTL_CA_FILE: certificate.authorityFile }),
  });
  return {
    ...{ sandbox, requests, fileRequests, as },
    port: server.port,
    /** With `/api/v2`. */
    url: server.url,
    /** The audit trail token as it is now; undefined where there is none. The sandbox keeps no secret that a request made. */
    secretOf(organization = 'acme') {
      const current = sandbox.tokenFor('audit-token', organization);
      return current === undefined ? undefined : (made.get(organization) ?? current);
    },
    /** Runs a command line against this service. */
    run(
      argv: string[],
      { as: kind = 'owner', org, ...runOptions }: RunOptions & { as?: CallerKind; org?: string } = {},
    ) {
      return run(argv, { ...runOptions, env: { ...as(kind, org), ...runOptions.env } });
    },
    /** Asks the service directly, as that caller. */
    async ask(method: string, path: string, kind: CallerKind = 'owner', body?: unknown) {
      const token = sandbox.tokenFor(kind, 'acme');
      const headers = {
        'content-type': 'application/vnd.api+json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      };
      const text = body === undefined ? null : JSON.stringify(body);
      const response = await act(new Request(`${server.url}${path}`, { method, headers, body: text }));
      const answer = await response.text();
      return {
        status: response.status,
        body: (answer === '' ? undefined : JSON.parse(answer)) as unknown,
        headers: response.headers,
      };
    },
  };
}

export type Served = Awaited<ReturnType<typeof serve>>;

/** The service by the clock of this machine, and a new home to call it from. */
export async function serve(options: Parameters<typeof startService>[0] = {}, after: After = onTestFinished) {
  const place = createPlace(after);
  const service = await startService({ now: Date.now, randomBytes, after, ...options });
  return {
    ...{ ...service, ...place },
    as: (...caller: Parameters<typeof service.as>) => ({ ...place.env, ...service.as(...caller) }),
  };
}

/** Requests as lines: method, path below the base URL, and the body if there was one. */
export function formatRequests(requests: SentRequest[], { plain }: Pick<Names, 'plain'>): string[] {
  return requests.map(({ method, path, body }) =>
    plain(`${method} ${path.replace(/^\/api\/v2/, '')}${body === '' ? '' : ` ${body}`}`),
  );
}

/** For `alter`: what matches is answered as if it were not there, or not permitted. */
export const hide =
  (where: RegExp) =>
  (answer: Response, request: Request): Response =>
    where.test(request.url)
      ? Response.json({ errors: [{ status: '404', title: 'not found' }] }, { status: 404 })
      : answer;

export const listWrites = (requests: { method: string }[]): string[] =>
  requests.map(({ method }) => method).filter((method) => method !== 'GET');
