import { type Environment, readVariable } from '../../lib/runtime.ts';

/** Only variables that have no setting. Proxies are without their passwords. */
export function listEnvironmentValues(env: Environment): { name: string; value: string; source: string }[] {
  const names = ['ORGCTL_CONFIG_DIR', 'ORGCTL_STATE_DIR', 'ORGCTL_LOG_FILE', 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'];
  return names.flatMap((name) => {
    // Requests prefer lower case, too.
    const source = [name.toLowerCase(), name].find((variable) => readVariable(env, variable) !== undefined);
    if (source === undefined) return [];
    const text = env[source] ?? '';
    // A password may contain an @.
    const value = name.endsWith('_PROXY') ? text.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1***@') : text;
    return [{ name: name.replace('ORGCTL_', '').toLowerCase().replace('_', '-'), value, source }];
  });
}
