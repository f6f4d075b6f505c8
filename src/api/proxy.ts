import { UsageError } from '../lib/errors.ts';
import { type Environment, readVariable } from '../lib/runtime.ts';

const VARIABLES = { 'https:': 'HTTPS_PROXY', 'http:': 'HTTP_PROXY' };

/** Ignores NO_PROXY. Throws UsageError, without the text, which may hold a password. */
export function findProxy(env: Environment, protocol: string): URL | undefined {
  const name = VARIABLES[protocol as keyof typeof VARIABLES];
  const text = readProxyVariable(env, name);
  if (text === undefined) return undefined;
  const address = text.includes('://') ? text : `http://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  // A slash in a password ends the host early, and the rest of the password looks like a path.
  if (url && ['http:', 'https:'].includes(url.protocol) && url.pathname === '/' && listSecrets(url)) return url;
  throw new UsageError(`${name} is not an http or https URL`, {
    hint: 'It looks like http://proxy.example.com:3128. Percent-encode special characters of a password.',
  });
}

/** Requests to this machine never use a proxy. undici knows `*` only if nothing follows. */
export function listProxyExceptions(env: Environment): string {
  const exceptions = readProxyVariable(env, 'NO_PROXY')?.trim() ?? '';
  return exceptions === '*' ? '*' : ['localhost', '127.0.0.1', '[::1]', exceptions].join(',');
}

/** Each secret, encoded and decoded. */
export function listProxySecrets(env: Environment): string[] {
  return Object.keys(VARIABLES).flatMap((protocol) => {
    const url = findProxy(env, protocol);
    return (url && listSecrets(url)) ?? [];
  });
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
