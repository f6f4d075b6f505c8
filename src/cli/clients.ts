import { Client, type Connection } from '../api/client.ts';
import { type Exchange, Http } from '../api/http.ts';
import { listProxySecrets } from '../api/proxy.ts';
import { RateLimiter } from '../api/rate-limit.ts';
import { createWriteLog } from '../api/write-log.ts';
import type { Settings } from '../config/resolve.ts';
import { formatReason } from '../lib/errors.ts';
import { parseJson } from '../lib/json.ts';
import type { Redactor } from '../lib/redact.ts';
import { type Runtime, readVariable } from '../lib/runtime.ts';
import type { Messages } from '../output/messages.ts';
import type { Spinner } from './spinner.ts';

const HOSTED = new Set(['app.terraform.io', 'app.eu.terraform.io']);
export const SANDBOX = 'the sandbox';

export interface Endpoint {
  /** The service, for messages; the host by default. */
  name?: string;
  baseUrl: URL;
  token: string | undefined;
}

interface ClientsOptions {
  runtime: Runtime;
  settings: Settings;
  redactor: Redactor;
  version: string;
  signal: AbortSignal;
  messages: Messages;
  spinner: Spinner;
  isDryRun: boolean;
  readOnly: string | undefined;
  hidesBodies: boolean | undefined;
}

export function createClients(options: ClientsOptions) {
  const { settings, spinner, redactor, messages } = options;
  const logPath = readVariable(options.runtime.env, 'ORGCTL_LOG_FILE');
  const limiter = new RateLimiter(options.runtime);
  const opened: Client[] = [];
  return {
    open(findEndpoint: () => Promise<Endpoint>): Client {
      const client = new Client({
        connect: async () => connect(await findEndpoint(), options, limiter),
        runtime: options.runtime,
        limiter,
        signal: options.signal,
        timeout: settings.timeout.value,
        maxRetries: settings['max-retries'].value,
        isDryRun: options.isDryRun,
        readOnly: options.readOnly,
        writeLog: logPath === undefined ? undefined : createWriteLog(logPath, options.runtime, redactor, messages.warn),
        onProgress: spinner.show,
        onWait: spinner.wait,
      });
      opened.push(client);
      return client;
    },
    async close(): Promise<void> {
      for (const client of opened) await client.close();
    },
  };
}

async function connect(
  { baseUrl, token, name = baseUrl.host }: Endpoint,
  options: ClientsOptions,
  limiter: RateLimiter,
): Promise<Connection> {
  const { settings, runtime, redactor, signal } = options;
  redactor.addToken(token);
  redactor.add(...listProxySecrets(runtime.env));
  const { 'ca-file': ca, 'client-cert': cert, 'client-key': key } = settings;
  const hasFiles = [ca, cert, key].some(({ value }) => value !== undefined);
  return {
    name,
    baseUrl,
    showsTokens: name === SANDBOX || HOSTED.has(baseUrl.host),
    http: new Http({
      userAgent: `orgctl/${options.version}`,
      token: token === undefined ? undefined : { value: token, origin: baseUrl.origin },
      ...(hasFiles && (await (await import('./certificates.ts')).readCertificates(settings, runtime.user, signal))),
      skipTlsVerify: settings['insecure-skip-tls-verify'].value,
      allowHttp: settings['allow-http'].value,
      env: runtime.env,
      signal,
      now: runtime.now,
      onExchange(exchange) {
        try {
          if (settings.debug.value) printExchange(exchange, options);
        } catch (error) {
          // What is shown must not change what happens.
          options.messages.debug(`debug: an exchange can't be shown: ${formatReason(error)}`);
        }
      },
      redactor,
      limiter,
    }),
  };
}

function printExchange({ request, milliseconds, response, error }: Exchange, options: ClientsOptions): void {
  const { messages, redactor, hidesBodies } = options;
  const printBody = (mark: string, body: string | undefined): void => {
    if (hidesBodies || !body) return;
    const value = parseJson(body);
    // A broken document may hold a secret that the redactor can't find.
    messages.debug(
      `  ${mark} ${value === undefined ? `${body.length} characters that are not JSON` : JSON.stringify(redactor.json(value))}`,
    );
  };
  const id = response?.request.id;
  const result = response
    ? `${response.status} (${milliseconds} ms${id ? `, request ${id}` : ''})`
    : `${error?.message} (${milliseconds} ms)`;
  const address = request.isAnonymous ? `${request.url.origin}/…` : request.url.href;
  messages.debug(`debug: ${request.method} ${address}: ${result}`);
  printBody('>', request.body);
  // The answer has the secret, under whatever name.
  const isNewToken = request.method === 'POST' && /\/authentication-tokens?$/.test(request.url.pathname);
  if (!isNewToken) printBody('<', response?.text);
}
