import { setMaxListeners } from 'node:events';
import { onTestFinished } from 'vitest';
import type { Exchange, WireRequest } from '../../src/old/service/http.ts';
import type { Service, ServiceOptions } from '../../src/old/service/service.ts';
import type { Transport } from '../../src/old/service/transport.ts';
import { createService, createTransport } from './product.ts';
import type { After } from './scripted.ts';

/** The HTTP layer, without a command. */

export const TOKEN = 'a-token-of-tests';

interface Observed {
  readonly exchanges: readonly Exchange[];
}

export interface DirectService extends Observed {
  readonly service: Service;
  readonly warnings: readonly string[];
  /** The waits between tries and before requests, in milliseconds. Nothing really waits. */
  readonly waits: readonly number[];
}

function observe(baseUrl: string) {
  const exchanges: Exchange[] = [];
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  const options = {
    baseUrl: new URL(baseUrl),
    token: TOKEN,
    userAgent: 'orgctl/test',
    extraCertificates: undefined,
    skipVerification: false,
    allowHttp: [],
    proxies: {},
    dryRun: false,
    readOnly: undefined,
    writeLog: undefined,
    onPlanned: () => undefined,
    onWrite: () => undefined,
    onExchange: (exchange: Exchange) => exchanges.push(exchange),
    onlooker: { request: () => () => undefined, delay: () => () => undefined },
    now: () => 0,
    signal,
  };
  return { exchanges, options };
}

export function openTransport(
  baseUrl: string,
  overrides: Partial<Parameters<typeof createTransport>[0]> = {},
): Observed & { readonly transport: Transport } {
  const { options, ...observed } = observe(baseUrl);
  const transport = createTransport({ ...options, ...overrides });
  onTestFinished(() => transport.close());
  return { ...observed, transport };
}

export function openService(
  baseUrl: string,
  overrides: Partial<ServiceOptions> = {},
  after: After = onTestFinished,
): DirectService {
  const { options, ...observed } = observe(baseUrl);
  const warnings: string[] = [];
  const waits: number[] = [];
  let time = 0;
  const service = createService({
    ...options,
    timeout: 10_000,
    creationTimeout: 10_000,
    maxRetries: 3,
    now: () => time,
    random: () => 0.5,
    async sleep(milliseconds, signal) {
      signal.throwIfAborted();
      waits.push(milliseconds);
      time += milliseconds;
    },
    warn: (text) => warnings.push(text),
    ...overrides,
  });
  after(() => service.close());
  return { ...observed, service, warnings, waits };
}

export function toRequest(method: WireRequest['method'], more: Partial<WireRequest> = {}): WireRequest {
  return {
    operation: 'generic',
    organization: undefined,
    effect: 'do things',
    method,
    path: '/things',
    query: '',
    body: method === 'POST' ? '{"data":{}}' : undefined,
    mediaType: 'application/vnd.api+json',
    timeout: 10_000,
    ...more,
  };
}
