import { join } from 'node:path';
import type { Connection } from '../api/client.ts';
import { type Exchange, Http } from '../api/http.ts';
import { listProxySecrets } from '../api/proxy.ts';
import { findStateFolder } from '../config/folders.ts';
import type { Settings } from '../config/resolve.ts';
import { copyError, OrgctlError, UsageError } from '../lib/errors.ts';
import type { Redactor } from '../lib/redact.ts';
import type { Runtime } from '../lib/runtime.ts';
import { isSameName, quoteWord } from '../lib/text.ts';
import type { CallerKind } from '../sandbox/callers.ts';
import type { Sandbox, SandboxOptions } from '../sandbox/sandbox.ts';

const HOSTED = new Set(['app.terraform.io', 'app.eu.terraform.io']);
const SANDBOX = 'the sandbox';

/** A service, and the token for it. */
export interface Endpoint {
  /** The service, for messages; the host by default. */
  name?: string;
  baseUrl: URL;
  token: string | undefined;
}

interface ConnectOptions {
  settings: Settings;
  runtime: Runtime;
  redactor: Redactor;
  version: string;
  signal: AbortSignal;
  onExchange(exchange: Exchange): void;
}

const CERTIFICATES = ['ca-file', 'client-cert', 'client-key'] as const;

/** Throws UsageError for a certificate file that can't be used. */
export async function connect(
  { baseUrl, token, name = baseUrl.host }: Endpoint,
  options: ConnectOptions,
): Promise<Connection> {
  const { settings, runtime, redactor } = options;
  redactor.addToken(token);
  redactor.add(...listProxySecrets(runtime.env));
  const hasFiles = CERTIFICATES.some((setting) => settings[setting].value !== undefined);
  const { ca, clientCert, clientKey } = hasFiles
    ? await (await import('./certificates.ts')).readCertificates(settings, runtime.user, options.signal)
    : {};
  return {
    name,
    baseUrl,
    showsTokens: name === SANDBOX || HOSTED.has(baseUrl.host),
    http: new Http({
      userAgent: `orgctl/${options.version}`,
      token: token === undefined ? undefined : { value: token, origin: baseUrl.origin },
      ca,
      clientCert,
      clientKey,
      skipTlsVerify: settings['insecure-skip-tls-verify'].value,
      allowHttp: settings['allow-http'].value,
      env: runtime.env,
      signal: options.signal,
      now: runtime.now,
      onExchange: options.onExchange,
      redactor,
    }),
  };
}

export function findSandboxState(runtime: Runtime): string {
  return join(findStateFolder(runtime), 'sandbox', 'state.sqlite');
}

/** Throws UsageError for a state that can't be used, with code `outdated`, `damaged` or `unusable`. */
export async function openSandboxState(runtime: Runtime, options: Partial<SandboxOptions>): Promise<Sandbox> {
  const { openSandbox } = await import('../sandbox/sandbox.ts');
  const { now, randomBytes } = runtime;
  const defaultState = findSandboxState(runtime);
  try {
    return openSandbox({ state: defaultState, now, randomBytes, ...options });
  } catch (error) {
    if (!(error instanceof UsageError) || error.hint !== undefined) throw error;
    throw copyError(error, { hint: createStateHint(error, options.state ?? defaultState, defaultState) });
  }
}

/** A damaged file that the user named may not be a state of the sandbox, so the hint must not offer to reset it. */
function createStateHint({ code }: UsageError, state: string, defaultState: string): string {
  if (state === defaultState) return 'Run orgctl sandbox reset to start over.';
  return code === 'damaged'
    ? 'Name another file with --state.'
    : `Run orgctl sandbox reset --state ${quoteWord(state)} to start over.`;
}

/** Serves the sandbox on a local port, for one command. */
export async function startSandbox(
  runtime: Runtime,
  { caller, org, warn }: { caller: CallerKind; org: string; warn(text: string): void },
): Promise<Endpoint & { close(): Promise<void> }> {
  const { serveSandbox } = await import('../sandbox/server.ts');
  const sandbox = await openSandboxState(runtime, { log: warn });
  try {
    const token = findSandboxToken(sandbox, caller, org);
    const server = await serveSandbox(sandbox, { port: 0, listen: '127.0.0.1' });
    return {
      name: SANDBOX,
      baseUrl: new URL(server.url),
      token,
      async close() {
        await server.close();
        sandbox.close();
      },
    };
  } catch (error) {
    sandbox.close();
    throw error;
  }
}

function findSandboxToken(sandbox: Sandbox, caller: CallerKind, org: string): string | undefined {
  const names = sandbox.organizations();
  const name = names.find((known) => isSameName(known, org));
  if (name === undefined) {
    throw new OrgctlError('not-found', `the sandbox has no organization ${org}`, {
      hint: `It has ${names.join(', ')}.`,
    });
  }
  if (caller === 'none') return undefined;
  const token = sandbox.tokenFor(caller, name);
  if (token !== undefined) return token;
  throw new UsageError(`the sandbox has no ${caller} for ${name}`, {
    hint: 'Run `orgctl audit-token generate` as the owner first.',
  });
}
