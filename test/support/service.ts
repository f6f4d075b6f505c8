import { onTestFinished } from 'vitest';
import type { Fault } from '../../src/sandbox/faults.ts';
import type { FileRequest } from '../../src/sandbox/files.ts';
import type { CallerKind, Sandbox, SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { serveSandbox } from '../../src/sandbox/server.ts';
import { createBytes } from './bytes.ts';
import { copyDemo } from './demo-state.ts';
import { DEMO } from './names.ts';
import { NOW, type RunOptions, type RunResult, run } from './run.ts';

/** A request as it arrived. */
export interface SentRequest {
  method: string;
  /** With its query, without the origin. */
  path: string;
  headers: Headers;
  /** Empty when there was none. */
  body: string;
}

/** A request at the origin of the files, and how many bytes of its body were taken. */
interface FileExchange extends FileRequest {
  bytes: number;
}

export interface ServiceOptions {
  faults?: Fault[];
  /** Makes it a service that answers otherwise: what comes back over the network instead of the sandbox's own answer. */
  alter?: (answer: Response, request: Request, body: string) => Response | Promise<Response>;
}

export interface TestService {
  sandbox: Sandbox;
  /** What arrived over the network so far, in order. `ask` does not go that way. */
  requests: SentRequest[];
  /** The same for the origin of the files. */
  fileRequests: FileExchange[];
  /** With `/api/v2`. */
  url: string;
  /** The audit trail token as it is now; undefined where there is none. The sandbox keeps no secret that a request made. */
  secretOf(organization?: string): string | undefined;
  /** Runs a command line against this service. */
  run(argv: string[], options?: RunOptions & { as?: CallerKind; org?: string }): Promise<RunResult>;
  /** Asks the service directly, as that caller. */
  ask(
    method: string,
    path: string,
    as?: CallerKind,
    body?: unknown,
  ): Promise<{ status: number; body: unknown; headers: Headers }>;
}

/** The service on a port of its own, with a clock that stands still and ids that repeat from run to run. */
export async function startService(options: Partial<SandboxOptions> & ServiceOptions = {}): Promise<TestService> {
  const { faults, alter, ...sandboxOptions } = options;
  const sandbox = openSandbox({
    state: 'seed' in sandboxOptions || 'now' in sandboxOptions ? ':memory:' : copyDemo(NOW),
    rateLimit: 0,
    now: () => NOW,
    randomBytes: createBytes('sandbox'),
    ...sandboxOptions,
  });
  if (Object.keys(sandboxOptions).every((name) => name === 'documentOnly')) DEMO.add(sandbox);
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
  const fileRequests: FileExchange[] = [];
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
  const server = await serveSandbox(
    { ...sandbox, handle, files },
    { port: 0, listen: '127.0.0.1', faults: faults ?? [] },
  );
  onTestFinished(async () => {
    await server.close();
    sandbox.close();
  });
  return {
    sandbox,
    requests,
    fileRequests,
    url: server.url,
    secretOf(organization = 'acme') {
      const current = sandbox.tokenFor('audit-token', organization);
      return current === undefined ? undefined : (made.get(organization) ?? current);
    },
    run(argv, { as = 'owner', org = 'acme', ...runOptions } = {}) {
      return run(argv, {
        ...runOptions,
        env: {
          ORGCTL_BASE_URL: server.url,
          ORGCTL_ORG: org,
          // Without a token orgctl would send no request; to a wrong one the service answers.
          ORGCTL_TOKEN: sandbox.tokenFor(as, org) ?? 'unknown',
          ...runOptions.env,
        },
      });
    },
    async ask(method, path, as = 'owner', body) {
      const token = sandbox.tokenFor(as, 'acme');
      const headers = {
        'content-type': 'application/vnd.api+json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      };
      const text = body === undefined ? null : JSON.stringify(body);
      const response = await act(new Request(`${server.url}${path}`, { method, headers, body: text }));
      const answer = await response.text();
      const { status, headers: got } = response;
      return { status, body: answer === '' ? undefined : JSON.parse(answer), headers: got };
    },
  };
}

/** For `alter`: what matches is answered as if it were not there, or not permitted. */
export const hide =
  (where: RegExp) =>
  (answer: Response, request: Request): Response =>
    where.test(request.url)
      ? Response.json({ errors: [{ status: '404', title: 'not found' }] }, { status: 404 })
      : answer;
