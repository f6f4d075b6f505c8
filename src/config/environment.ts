import { type Environment, readVariable } from '../lib/runtime.ts';

/** Variables that have no setting: the log of writes and the proxies, without the passwords of these. */
export function listEnvironmentValues(env: Environment): { name: string; value: string; source: string }[] {
  return ['ORGCTL_LOG_FILE', 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'].flatMap((name) => {
    const source = [name, name.toLowerCase()].find((variable) => readVariable(env, variable) !== undefined);
    if (source === undefined) return [];
    // A password may hold an @ of its own.
    const value = (env[source] ?? '').replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1***@');
    return [{ name: name.replace('ORGCTL_', '').toLowerCase().replace('_', '-'), value, source }];
  });
}
