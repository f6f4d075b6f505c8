import { argument } from '../../cli/options.ts';
import type { Session } from '../../cli/session.ts';
import { SETTINGS, type Setting, type StoredValue } from '../../config/settings.ts';
import { UsageError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json.ts';
import { capitalize } from '../../lib/text.ts';
import { type Column, type Columns, RESULT } from '../../output/columns.ts';

const COLUMNS: Column[] = [
  { header: 'SETTING', field: 'name' },
  { header: 'VALUE', field: 'value' },
];

export const SETTING_COLUMNS: Columns = { table: [...COLUMNS, { header: 'SOURCE', field: 'source' }] };

export const SETTING_RESULT_COLUMNS: Columns = { table: [RESULT, ...COLUMNS], fields: 'changed' };

export const NAME_ARGUMENT = argument('<name>', 'a setting, such as org', {
  complete: () => SETTINGS.map(({ name }) => name),
});

/** The value has the form that `settings set` takes; durations are stored in milliseconds. */
export function describeSetting({ settings, profile }: Session, { name, type }: Setting): JsonObject {
  const { value, source } = settings[name];
  const own = name === 'profile' ? profile.name : value;
  return { name, value: typeof own === 'number' && type === 'text' ? `${own / 1000}s` : (own ?? null), source };
}

/** An undefined value removes the setting. Settings that profiles have go to the profile in use. */
export async function changeSetting(session: Session, setting: Setting, value: StoredValue | undefined): Promise<void> {
  const { store, profile, messages, output, isDryRun } = session;
  const { name, inProfile = false } = setting;
  if (!inProfile && profile.source === '--profile') {
    throw new UsageError(`${name} is the same for all profiles`, { hint: 'Leave out --profile.' });
  }
  const owner = inProfile ? profile.name : undefined;
  const where = owner === undefined ? '' : ` of profile ${owner}`;
  const what =
    value === undefined
      ? `unset ${name}${where}`
      : `set ${name}${where} to ${Array.isArray(value) ? value.join(', ') : value}`;
  const isChanged = !isDryRun && (await store.writeSettings(owner, { [name]: value }));
  if (output.isNamed) {
    let result = isDryRun ? 'planned' : 'unchanged';
    if (isChanged) result = value === undefined ? 'unset' : 'set';
    return output.one(SETTING_RESULT_COLUMNS, { name, value: value ?? null, changed: isChanged, result });
  }
  if (isDryRun) return messages.note(`Would ${what}`);
  if (isChanged) messages.done(capitalize(what));
  else messages.note(value === undefined ? `${name}${where} is not set` : `${name}${where} already has this value`);
}
