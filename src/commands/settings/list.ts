import { defineVerb } from '../../cli/command.ts';
import { SETTINGS } from '../../config/settings.ts';
import { type Environment, readVariable } from '../../lib/runtime.ts';
import { describeSetting, SETTING_COLUMNS } from './setting.ts';

export const verb = defineVerb({
  columns: SETTING_COLUMNS,
  examples: ['settings list', 'settings list --profile work -o json'],
  async run(session) {
    const { output, runtime } = session;
    const rows = SETTINGS.map((setting) => describeSetting(session, setting));
    await output.list(SETTING_COLUMNS, [[...rows, ...listEnvironmentValues(runtime.env)]]);
  },
});

/** Only variables that have no setting. Proxies are without their passwords. */
function listEnvironmentValues(env: Environment): { name: string; value: string; source: string }[] {
  const names = ['ORGCTL_CONFIG_DIR', 'ORGCTL_STATE_DIR', 'ORGCTL_LOG_FILE', 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'];
  return names.flatMap((name) => {
    const isProxy = name.endsWith('_PROXY');
    // Only proxies have names in lower case, and requests prefer those.
    const source = (isProxy ? [name.toLowerCase(), name] : [name]).find((one) => readVariable(env, one) !== undefined);
    if (source === undefined) return [];
    const text = env[source] ?? '';
    // A password may contain an @.
    const value = isProxy ? text.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1***@') : text;
    return [{ name: name.replace('ORGCTL_', '').toLowerCase().replace('_', '-'), value, source }];
  });
}
