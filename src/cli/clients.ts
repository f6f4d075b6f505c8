import { assertWritable, Client, type Connection } from '../api/client.ts';
import { type Exchange, Http } from '../api/http.ts';
import { listProxySecrets } from '../api/proxy.ts';
import { RateLimiter } from '../api/rate-limit.ts';
import { createWriteLog } from '../api/write-log.ts';
import { formatReason } from '../lib/errors.ts';
import { parseJson } from '../lib/json.ts';
import { readVariable } from '../lib/runtime.ts';
import type { SessionContext } from './global-options.ts';
import type { Terminal } from './terminal.ts';

const HOSTED = new Set(['app.terraform.io', 'app.eu.terraform.io']);
export const SANDBOX = 'the sandbox';

export interface Endpoint {
  /** The service, for messages; the host by default. */
  name?: string;
  baseUrl: URL;
  token: string | undefined;
}

interface ClientsContext extends SessionContext, Pick<Terminal, 'messages' | 'spinner'> {
  hidesBodies: boolean | undefined;
}

/** `findEndpoint` is called before the first request. */
export function createClients(given: ClientsContext) {
  const { runtime, settings, options, redactor, messages, spinner } = given;
  // Requests that a failed command left behind end when the clients close.
  const closed = new AbortController();
  const context = { ...given, signal: AbortSignal.any([given.signal, closed.signal]) };
  const readOnly = settings['read-only'].value ? settings['read-only'].source : undefined;
  const logPath = readVariable(runtime.env, 'ORGCTL_LOG_FILE');
  const limiter = new RateLimiter(runtime);
  const opened: Client[] = [];
  return {
    assertWritable: () => assertWritable(readOnly),
    open(findEndpoint: () => Promise<Endpoint>): Client {
      const client = new Client({
        connect: async () => connect(await findEndpoint(), context, limiter),
        runtime,
        limiter,
        signal: context.signal,
        timeout: settings.timeout.value,
        maxRetries: settings['max-retries'].value,
        isDryRun: options.dryRun === true,
        readOnly,
        writeLog: logPath === undefined ? undefined : createWriteLog(logPath, runtime, redactor, messages.warn),
        onProgress: spinner.show,
        onWait: spinner.wait,
      });
      opened.push(client);
      return client;
    },
    async close(): Promise<void> {
      closed.abort();
      for (const client of opened) await client.close();
    },
  };
}

async function connect(
  { baseUrl, token, name = baseUrl.host }: Endpoint,
  context: ClientsContext,
  limiter: RateLimiter,
): Promise<Connection> {
  const { settings, runtime, redactor, signal, version } = context;
  redactor.addToken(token);
  redactor.add(...listProxySecrets(runtime.env));
  const { 'ca-file': ca, 'client-cert': cert, 'client-key': key } = settings;
  const hasFiles = [ca, cert, key].some(({ value }) => value !== undefined);
  return {
    name,
    baseUrl,
    showsTokens: name === SANDBOX || HOSTED.has(baseUrl.host),
    http: new Http({
      userAgent: `orgctl/${version}`,
      token: token === undefined ? undefined : { value: token, origin: baseUrl.origin },
      ...(hasFiles && (await (await import('./certificates.ts')).readCertificates(settings, runtime.user, signal))),
      skipTlsVerify: settings['insecure-skip-tls-verify'].value,
      allowHttp: settings['allow-http'].value,
      env: runtime.env,
      signal,
      now: runtime.now,
      onExchange(exchange) {
        try {
          if (settings.debug.value) printExchange(exchange, context);
        } catch (error) {
          // Printing must not change what happens.
          context.messages.debug(`debug: an exchange can't be shown: ${formatReason(error)}`);
        }
      },
      redactor,
      limiter,
    }),
  };
}

function printExchange({ request, milliseconds, response, error }: Exchange, context: ClientsContext): void {
  const { messages, redactor, hidesBodies } = context;
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
