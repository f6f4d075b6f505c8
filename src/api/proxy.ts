import { UsageError } from '../lib/errors.ts';
import { type Environment, readVariable } from '../lib/runtime.ts';

const VARIABLES = { 'https:': 'HTTPS_PROXY', 'http:': 'HTTP_PROXY' };

/** The proxy of a request. Throws UsageError, without the text, which may hold a password. */
export function findProxy(env: Environment, target: URL): URL | undefined {
  const name = VARIABLES[target.protocol as keyof typeof VARIABLES];
  const url = readProxy(env, name);
  if (url === undefined || isException(env, target)) return undefined;
  // A slash in a password ends the host early, and the rest of the password looks like a path.
  if (url && ['http:', 'https:'].includes(url.protocol) && url.pathname === '/' && listSecrets(url)) return url;
  throw new UsageError(`${name} is not an http or https URL`, {
    hint: 'It must look like http://proxy.example.com:3128. Percent-encode special characters of a password.',
  });
}

/** Whether the request goes past every proxy: to this machine, or as NO_PROXY says, which is read as undici reads it. */
function isException(env: Environment, { hostname, port, protocol }: URL): boolean {
  const exceptions = readProxyVariable(env, 'NO_PROXY')?.trim() ?? '';
  if (isLoopback(hostname) || exceptions === '*') return true;
  const targetPort = port || (protocol === 'https:' ? '443' : '80');
  return exceptions
    .toLowerCase()
    .split(/[,\s]+/)
    .filter(Boolean)
    .some((entry) => {
      const [, name = entry, onlyPort = targetPort] = /^(.+):(\d+)$/.exec(entry) ?? [];
      return onlyPort === targetPort && `.${hostname}`.endsWith(`.${name.replace(/^\*?\./, '')}`);
    });
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Each secret, encoded and decoded, also of proxies that can't be used. */
export function listProxySecrets(env: Environment): string[] {
  return Object.values(VARIABLES).flatMap((name) => {
    const url = readProxy(env, name);
    return url ? (listSecrets(url) ?? [url.password]) : [];
  });
}

/** Null for text that is no address. */
function readProxy(env: Environment, name: string): URL | null | undefined {
  const text = readProxyVariable(env, name);
  if (text === undefined) return undefined;
  const address = text.includes('://') ? text : `http://${text}`;
  return URL.canParse(address) ? new URL(address) : null;
}

function readProxyVariable(env: Environment, name: string): string | undefined {
  return readVariable(env, name.toLowerCase()) ?? readVariable(env, name);
}

/** Undefined for a `%` that begins no escape sequence. */
function listSecrets({ username, password }: URL): string[] | undefined {
  try {
    const [name, decoded] = [decodeURIComponent(username), decodeURIComponent(password)];
    return password ? [password, decoded, `${name}:${decoded}`] : [];
  } catch {
    return undefined;
  }
}
